#include "core/session/packed/packed_trace.h"

#include <array>
#include <filesystem>
#include <system_error>

#include "core/base/memory/column.h"
#include "core/io/streams/byte_stream.h"
#include "core/io/streams/plain_file.h"
#include "core/io/tables/section_file.h"
#include "core/session/packed/index_file.h"
#include "core/session/packed/known_damage.h"
#include "core/session/packed/source_text.h"
#include "core/store/draft/input_files.h"
#include "core/store/segments/compose.h"
#include "core/store/segments/one_segment.h"
#include "core/store/segments/trace_file.h"

namespace tv {
namespace {

// With level 9 even generated traces take less than a tenth of their text (tests/bench/RESULTS.md). Real ones take 4 %; with
// level 3 they take 6 %.
constexpr int kZstdLevel = 9;
constexpr std::string_view kViewSection = "view";
constexpr std::string_view kPackedFrom = "packed from";
constexpr std::uint64_t kLargestNote = 64ull << 20;  // bytes of a view, or of a list of files

// The text of a small section. Empty: there is none, or it cannot be read.
std::string note_in(const std::string& path, std::string_view name, ThreadPool& pool) {
  auto file = SectionFile::open(path, SectionFile::Access::Read);
  const Section* const section = file ? (*file)->find(name) : nullptr;
  if (!section || section->bytes > kLargestNote) return {};
  auto note = (*file)->load(*section, pool);
  return note ? std::string(note->text()) : std::string();
}

}  // namespace

Result<PackTotals> pack_trace(const Trace& given, const std::string& path, ThreadPool& pool,
                              std::atomic<std::uint64_t>& text_bytes_done, const PackChoice& choice) {
  if (auto free = check_output(path, given.sources); !free) return free.error();
  std::shared_ptr<const Trace> one;
  if (!given.parts.empty()) {
    auto joined = as_one_segment(given, pool);
    if (!joined) return joined.error();
    one = std::move(*joined);
  }
  const Trace& trace = one ? *one : given;
  auto file = SectionWriter::create(path, pool, kZstdLevel);
  if (!file) return file.error();
  write_trace(*file, trace, choice.mapped ? TraceCoding::Plain : TraceCoding::Packed);
  if (choice.mapped) write_index(*file, *index_segment(trace, pool, {}));
  PackTotals totals;
  Column<char> text(8 * std::size_t{pool.size()} * kSectionBlock);
  for (std::size_t s = 0; s < trace.sources.size(); ++s) {
    if (trace.sources[s].state != SourceState::Ready) continue;
    ++totals.sources;
    if (!choice.records) continue;
    auto stream = open_source_text(trace.sources[s]);
    if (!stream) return stream.error();
    file->begin(packed_text_name(s), SectionCoding::Zstd);
    for (bool more = true; more && !file->failed();) {
      const auto n = read_fully(**stream, text);
      if (!n) return n.error();
      const std::size_t got = n.value();
      more = got == text.size();
      file->append({text.data(), got});
      totals.text_bytes += got;
      text_bytes_done = totals.text_bytes;
    }
  }
  if (!choice.view.empty()) file->add(kViewSection, SectionCoding::Zstd, choice.view);
  if (!choice.made_from.empty()) file->add(kPackedFrom, SectionCoding::Zstd, choice.made_from);
  if (auto done = file->finish(); !done) return done.error();
  totals.packed_bytes = file->size();
  return totals;
}

Result<bool> is_packed_trace(const std::string& path) {
  const auto file = PlainFile::open(path);
  std::error_code none;
  if (!file && (!file.error().of_system || !std::filesystem::is_regular_file(path, none))) return false;
  if (!file) return file.error();
  std::array<char, 8> head{};
  if (const auto read = file.value().read_at(0, head); !read) return read.error();
  return is_section_file({head.data(), head.size()});
}

std::string packed_view(const std::string& path, ThreadPool& pool) { return note_in(path, kViewSection, pool); }

bool is_made_from(const std::string& path, std::string_view words, ThreadPool& pool) {
  return !words.empty() && note_in(path, kPackedFrom, pool) == words;
}

Result<PackedSegment> open_packed(const std::string& path, ThreadPool& pool, PackedCheck checked) {
  auto file = SectionFile::open(path, SectionFile::Access::Read);
  if (!file) return file.error();
  bool mapped = has_index(**file);
  if (mapped && (checked == PackedCheck::All || is_known_damaged(path))) {
    for (const Section& section : (*file)->sections()) {
      if (section.coding != SectionCoding::Plain) continue;  // other sections are checked while they are read
      if (const auto sound = (*file)->check(section, pool); sound) continue;
      else if (!is_of_index(section.name) || !sound.error().byte_offset) return sound.error();
      mapped = false;  // the index can be rebuilt
    }
  }
  if (mapped) file = SectionFile::open(path, SectionFile::Access::Mapped);
  if (!file) return file.error();
  auto trace = read_trace(**file, pool, mapped ? ColumnsAre::Unchecked : ColumnsAre::Own);
  if (!trace) return trace.error();
  std::shared_ptr<const SegmentIndex> index;
  if (mapped) {
    auto read = read_index(**file, **trace, pool);
    // The index's list of slots is damaged. With all checksums verified, damage of the index alone costs nothing but the mapping.
    if (!read && read.error().byte_offset && checked != PackedCheck::All) return open_packed(path, pool, PackedCheck::All);
    if (!read) return read.error();
    index = std::move(*read);
  }
  for (std::size_t s = 0; s < (*trace)->sources.size(); ++s) {
    (*trace)->sources[s].packed = PackedText{path, (*file)->id(), packed_text_name(s)};
  }
  return PackedSegment{std::move(*trace), std::move(index)};
}

}  // namespace tv
