#include "core/session/records/source_lines.h"

#include <algorithm>
#include <tuple>

#include "core/base/text/terminal_codes.h"
#include "core/base/text/utf8.h"
#include "core/read/registry.h"
#include "core/session/packed/source_text.h"

namespace tv {
namespace {

constexpr std::uint64_t kBytesBefore = 48 << 10;  // read before the requested byte
constexpr std::size_t kBytesRead = 128 << 10;

struct RecordStart {
  std::uint64_t at;
  SliceId slice;
};

// The records that begin in the range, in file order. If several slices share a record, the longest stands for them.
std::vector<RecordStart> record_starts(const Trace& trace, SourceId source, std::uint64_t begin, std::uint64_t end) {
  std::vector<RecordStart> starts;
  for (const SliceId slice : trace.ids()) {
    const ItemRef ref = trace.ref_of(slice);
    if (ref.source() == source && ref.offset() >= begin && ref.offset() < end) starts.push_back({ref.offset(), slice});
  }
  std::ranges::sort(starts, {}, [&](const RecordStart& start) {
    return std::tuple(start.at, -trace.duration_of(start.slice), start.slice);
  });
  const auto same = [](const RecordStart& a, const RecordStart& b) { return a.at == b.at; };
  starts.erase(std::unique(starts.begin(), starts.end(), same), starts.end());
  return starts;
}

// Removes terminal codes, and replaces other control characters by blanks.
std::string plain_line(std::string_view text) {
  std::string plain = without_terminal_codes(text);
  for (char& c : plain) c = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return valid_utf8(plain);
}

std::vector<std::uint64_t> line_begins(std::string_view text, std::uint64_t at, const std::vector<RecordStart>& starts) {
  std::vector<std::uint64_t> begins;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t newline = text.find('\n', line), end = newline == text.npos ? text.size() : newline + 1;
    begins.push_back(at + line);
    if (end - line > SourceLines::kLongestLine) {
      auto start = std::ranges::upper_bound(starts, at + line, {}, &RecordStart::at);
      for (; start != starts.end() && start->at < at + end; ++start) begins.push_back(start->at);
    }
    line = end;
  }
  return begins;
}

// `slice`: the slice that the line at `byte` is about; kNone: the slice whose record begins in the line, or before it.
Result<SourceLines> lines_around(const Trace& trace, SourceId of, std::uint64_t byte, SliceId slice) {
  const SourceInfo& source = trace.sources[idx(of)];
  const Reader* const reader = find_reader(source.format);
  if (!reader || reader->open_table) return Error{"the file is not text: its records are rows of a database", source.path, {}, {}};
  auto stream = open_source_text(source);
  if (!stream) return stream.error();
  const std::uint64_t from = byte - std::min(byte, kBytesBefore);
  if (auto there = go_to(**stream, from, source.checkpoints.get()); !there) return there.error();
  std::string text(kBytesRead, '\0');
  const auto n = read_fully(**stream, std::span(text));
  if (!n) return n.error();
  text.resize(n.value());

  SourceLines out;
  out.path = source.path;
  out.from_start = from == 0;
  out.to_end = text.size() < kBytesRead;
  const auto starts = record_starts(trace, of, from, from + text.size());
  std::vector<std::uint64_t> begins = line_begins(text, from, starts);
  // The first and the last line may be incomplete.
  if (!out.from_start && begins.size() > 1 && begins[1] <= byte) begins.erase(begins.begin());
  auto start = starts.begin();
  SliceId about = kNone<SliceId>;
  for (std::size_t l = 0; l < begins.size(); ++l) {
    const std::uint64_t end = l + 1 < begins.size() ? begins[l + 1] : from + text.size();
    std::string_view line = std::string_view(text).substr(begins[l] - from, end - begins[l]);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    const bool cut = line.size() > SourceLines::kLongestLine;
    SourceLine& made = out.lines.emplace_back();
    made.begin = begins[l];
    made.cut = cut || (l + 1 == begins.size() && !out.to_end);
    made.text = plain_line(utf8_prefix(line, SourceLines::kLongestLine));
    for (bool first = true; start != starts.end() && start->at < end; ++start) {
      if (start->at < begins[l]) continue;
      made.begins = true;
      about = std::exchange(first, false) ? start->slice : about;
    }
    if (byte >= begins[l] && (byte < end || l + 1 == begins.size())) {
      out.selected = l;
      if (slice != kNone<SliceId>) about = slice;
    }
    made.slice = about;
  }
  return out;
}

}  // namespace

Result<SourceLines> source_lines(const Trace& trace, SliceId slice) {
  const ItemRef ref = trace.ref_of(slice);
  return lines_around(trace, ref.source(), ref.offset(), slice);
}

Result<SourceLines> source_lines(const Trace& trace, SourceId source, std::uint64_t byte) {
  return lines_around(trace, source, byte, kNone<SliceId>);
}

}  // namespace tv
