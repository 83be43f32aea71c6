#include "core/session/records/record_search.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/memory/column.h"
#include "core/base/memory/per_thread.h"
#include "core/io/streams/byte_stream.h"
#include "core/read/registry.h"
#include "core/session/packed/source_text.h"
#include "core/session/records/record_index.h"
#include "core/session/records/source_records.h"

namespace tv {
namespace {

constexpr std::size_t kBlock = 4 << 20;        // bytes of a text that one thread searches
constexpr std::size_t kWindow = 256 << 10;     // bytes read at a time: they are still in the CPU cache when searched
constexpr std::size_t kLongest = 64 << 20;     // bytes of a record that are examined
constexpr std::size_t kNewPart = 8;            // a divisor: new hits are shown when they are an eighth of the known ones
constexpr std::chrono::milliseconds kLongestWait{100};

// One source and the text that is searched in it. Its scans can run in parallel.
class SourceScan {
 public:
  SourceScan(const Trace& trace, const RecordIndex& index, SourceId source, const Reader& reader, ByteStream& stream,
             std::string_view needle)
      : trace_(trace), index_(index), source_(source), reader_(reader), stream_(stream), needle_(needle) {}

  struct Found {
    std::vector<SliceId> slices;
    std::uint64_t record_end = 0;  // matches before it are skipped: their record is a hit already
    // The record whose length was found last. Many matches can follow the last record of a source.
    std::uint64_t last_begin = UINT64_MAX, last_end = 0;
  };

  // Hits that begin in [from, to) of a random-access text.
  Result<std::vector<SliceId>> block(std::uint64_t from, std::uint64_t to) const {
    struct Window {
      std::vector<char> text;
    };
    std::vector<char>& buffer = per_thread<Window>().text;
    buffer.resize(kWindow + needle_.size());
    Found found;
    for (std::uint64_t at = from; at < to; at += kWindow) {
      const std::size_t fresh = static_cast<std::size_t>(std::min<std::uint64_t>(kWindow, to - at));
      const auto n = stream_.read_at(at, std::span(buffer).first(fresh + needle_.size() - 1));
      if (!n) return n.error();
      window({buffer.data(), n.value()}, at, 0, found);
    }
    return std::move(found.slices);
  }

  struct Settled {
    std::size_t before;  // all hits that begin before this are known
    std::size_t needed;  // the text from here on is needed to continue
  };
  // Hits in a window of text that begins at `at`; those before `skip` are known.
  Settled window(std::string_view text, std::uint64_t at, std::size_t skip, Found& found) const {
    while (skip + needle_.size() <= text.size()) {
      const void* const hit = ::memmem(text.data() + skip, text.size() - skip, needle_.data(), needle_.size());
      if (!hit) break;
      const auto place = static_cast<std::size_t>(static_cast<const char*>(hit) - text.data());
      skip = place + 1;
      if (at + place < found.record_end) continue;
      const std::optional<SliceId> slice = index_.before(trace_, source_, at + place);
      if (!slice) continue;
      const std::uint64_t begin = trace_.ref_of(*slice).offset();
      if (begin != found.last_begin) {
        const std::optional<std::uint64_t> length = record_length(begin, text, at);
        if (!length) return {place, static_cast<std::size_t>(begin - at)};
        found.last_begin = begin;
        found.last_end = begin + *length;
      }
      const std::uint64_t end = found.last_end;
      if (end < at + place + needle_.size()) continue;  // between records: metadata, the end of a flow
      found.slices.push_back(*slice);
      found.record_end = end;
      if (end > at + skip) skip = static_cast<std::size_t>(std::min<std::uint64_t>(end - at, text.size()));
    }
    const std::size_t settled = std::max(skip, text.size() - std::min(text.size(), needle_.size() - 1));
    return {settled, std::min(settled, last_record(text, at, settled))};
  }

 private:
  // The offset of the record that a place in the window cuts; the place itself if it cuts none, or if reads are random-access.
  std::size_t last_record(std::string_view text, std::uint64_t at, std::size_t place) const {
    const std::optional<SliceId> slice = index_.before(trace_, source_, at + place);
    const std::uint64_t begin = slice ? trace_.ref_of(*slice).offset() : 0;
    if (!slice || begin < at || stream_.reach() > 0) return place;
    const auto length = reader_.record_length(text.substr(begin - at));
    return length && begin - at + *length <= place ? place : static_cast<std::size_t>(begin - at);
  }

  // The length of the record at `begin`: from the window if the record ends in it, else from the source. nullopt: the source is
  // sequential, so the window must grow.
  std::optional<std::uint64_t> record_length(std::uint64_t begin, std::string_view window, std::uint64_t at) const {
    if (begin >= at) {
      if (const auto length = reader_.record_length(window.substr(begin - at))) return *length;
    }
    if (stream_.reach() == 0) {
      if (begin < at) return 0;  // it ended before the window: see last_record()
      return window.size() - (begin - at) < kLongest ? std::nullopt : std::optional(std::uint64_t{kLongest});
    }
    std::string text;
    for (std::size_t size = kWindow; size <= kLongest; size *= 4) {
      text.resize(size);
      const auto n = stream_.read_at(begin, text);
      if (!n) break;
      const std::string_view there = std::string_view(text).substr(0, n.value());
      if (const auto length = reader_.record_length(there)) return *length;
      if (there.size() < size) return there.size();
    }
    return kLongest;  // a match after a longer record's begin counts as part of it
  }

  const Trace& trace_;
  const RecordIndex& index_;
  SourceId source_;
  const Reader& reader_;
  ByteStream& stream_;
  std::string_view needle_;
};

// Hits, and the bytes scanned for them. Returns false to stop.
using Report = std::function<bool(std::vector<SliceId> found, std::uint64_t bytes)>;

// For a random-access text: blocks on all threads, reported a group of blocks at a time.
Result<void> scan_blocks(const SourceScan& scan, std::uint64_t reach, ThreadPool& pool, std::stop_token stop,
                         const Report& report) {
  const std::uint64_t group = 8 * kBlock * pool.size();
  for (std::uint64_t at = 0; at < reach && !stop.stop_requested(); at += group) {
    const std::uint64_t end = std::min(reach, at + group);
    std::vector<Result<std::vector<SliceId>>> parts((end - at + kBlock - 1) / kBlock, std::vector<SliceId>());
    pool.parallel_for(
        parts.size(), [&](std::size_t b) { parts[b] = scan.block(at + b * kBlock, std::min(end, at + (b + 1) * kBlock)); },
        stop);
    std::vector<SliceId> found;
    for (const auto& part : parts) {
      if (!part) return part.error();
      found.insert(found.end(), part.value().begin(), part.value().end());
    }
    if (!report(std::move(found), end - at)) break;
  }
  return {};
}

// For a sequential text: a sliding window, which grows over a record that does not end in it.
Result<void> scan_forward(const SourceScan& scan, ByteStream& stream, std::stop_token stop, const Report& report) {
  std::string text;
  Column<char> more_text(kBlock);
  std::uint64_t begin = 0;  // of the window in the source
  std::size_t known = 0;    // hits that begin before it
  SourceScan::Found found;
  for (bool more = true; more && !stop.stop_requested();) {
    const auto n = read_fully(stream, more_text);
    if (!n) return n.error();
    more = n.value() == kBlock;
    text.append(more_text.data(), n.value());
    const SourceScan::Settled settled = scan.window(text, begin, known, found);
    if (!report(std::exchange(found.slices, {}), n.value())) break;
    known = settled.before - settled.needed;
    begin += settled.needed;
    text.erase(0, settled.needed);
  }
  return {};
}

// For rows of a database, in the form in which they are shown. All threads take parts of them.
Result<void> scan_records(const Trace& trace, std::span<const SliceId> ids, const std::shared_ptr<SourceRecords>& records,
                          std::string_view needle, ThreadPool& pool, std::stop_token stop, const Report& report) {
  constexpr std::size_t kRows = 512;
  struct Part {
    std::vector<SliceId> found;
    std::uint64_t bytes = 0;
    std::string problem;
  };
  const std::size_t group = 8 * kRows * pool.size();
  for (std::size_t at = 0; at < ids.size() && !stop.stop_requested(); at += group) {
    const std::span<const SliceId> these = ids.subspan(at, std::min(group, ids.size() - at));
    std::vector<Part> parts((these.size() + kRows - 1) / kRows);
    pool.parallel_for(
        parts.size(),
        [&](std::size_t p) {
          SourceRecords::Use use(records);
          for (const SliceId id : these.subspan(p * kRows, std::min(kRows, these.size() - p * kRows))) {
            const auto tree = use.at(trace.ref_of(id).offset());
            if (!tree) {
              parts[p].problem = tree.error().text();
              continue;
            }
            parts[p].bytes += tree.value().text.size();
            if (tree.value().text.find(needle) != std::string::npos) parts[p].found.push_back(id);
          }
        },
        stop);
    Part all;
    for (Part& part : parts) {
      all.found.insert(all.found.end(), part.found.begin(), part.found.end());
      all.bytes += part.bytes;
      if (all.problem.empty()) all.problem = std::move(part.problem);
    }
    if (!report(std::move(all.found), all.bytes)) break;
    if (!all.problem.empty()) return Error{all.problem, {}, {}, {}};
  }
  return {};
}

bool hit_before(const Trace& trace, SliceId a, SliceId b) {
  const Ns begin_a = trace.begin_of(a), begin_b = trace.begin_of(b);
  if (begin_a != begin_b) return begin_a < begin_b;
  return std::pair(trace.row_of(a), a) < std::pair(trace.row_of(b), b);
}

}  // namespace

RecordSearch::RecordSearch(std::shared_ptr<const Trace> trace, std::string text, ThreadPool& pool,
                           std::function<void()> wake)
    : trace_(std::move(trace)), text_(std::move(text)), pool_(pool), wake_(std::move(wake)) {
  hits_.store(std::make_shared<const RecordHits>());
  thread_ = std::jthread([this](std::stop_token stop) {
    try {
      if (!text_.empty()) run(stop);
    } catch (const std::exception& error) {
      add_problem(error.what());  // out of memory
    }
    so_far_.complete = !stop.stop_requested();
    add({}, 0);
  });
}

// Each problem is reported once: a packed trace without records would repeat it for many files.
void RecordSearch::add_problem(std::string problem) {
  if (std::ranges::find(so_far_.problems, problem) == so_far_.problems.end()) so_far_.problems.push_back(std::move(problem));
}

void RecordSearch::run(std::stop_token stop) {
  const RecordIndex index(*trace_, pool_);
  const Report report = [&](std::vector<SliceId> found, std::uint64_t bytes) {
    add(std::move(found), bytes);
    return !so_far_.too_many;
  };
  for (std::size_t s = 0; s < trace_->sources.size() && !stop.stop_requested() && !so_far_.too_many; ++s) {
    const SourceInfo& source = trace_->sources[s];
    const Reader* const reader = find_reader(source.format);
    if (!reader || (source.state != SourceState::Ready && source.state != SourceState::Part)) continue;
    if (reader->open_table) {
      auto records = SourceRecords::open(*reader, source, SourceRecords::Many::Yes);
      const Result<void> done =
          records ? scan_records(*trace_, index.slices_of(id_at<SourceId>(s)), *records, text_, pool_, stop, report) : records.error();
      if (!done) add_problem(source.path + ": " + done.error().text());
      continue;
    }
    auto stream = open_source_text(source);
    if (!stream) {
      add_problem(stream.error().text());
      continue;
    }
    const SourceScan scan(*trace_, index, id_at<SourceId>(s), *reader, **stream, text_);
    const std::uint64_t reach = (*stream)->reach();
    const Result<void> done =
        reach > 0 ? scan_blocks(scan, reach, pool_, stop, report) : scan_forward(scan, **stream, stop, report);
    if (!done) add_problem(done.error().text());
  }
}

void RecordSearch::add(std::vector<SliceId> found, std::uint64_t bytes) {
  const auto order = [&](SliceId a, SliceId b) { return hit_before(*trace_, a, b); };
  std::vector<SliceId>& all = so_far_.slices;
  so_far_.bytes += bytes;
  waiting_.insert(waiting_.end(), found.begin(), found.end());
  // Publishing copies all hits: a few new ones wait for more, but not long.
  const auto now = std::chrono::steady_clock::now();
  const bool many = waiting_.size() >= all.size() / kNewPart || all.size() + waiting_.size() >= RecordHits::kMost;
  if (!so_far_.complete && !many && now - shown_ < kLongestWait) return;
  shown_ = now;
  found = std::exchange(waiting_, {});
  std::ranges::sort(found, order);
  const auto middle = static_cast<std::ptrdiff_t>(all.size());
  all.insert(all.end(), found.begin(), found.end());
  std::inplace_merge(all.begin(), all.begin() + middle, all.end(), order);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() >= RecordHits::kMost) {
    all.resize(RecordHits::kMost);
    so_far_.too_many = true;
  }
  so_far_.spread = hit_spread(*trace_, all);
  hits_.store(std::make_shared<const RecordHits>(so_far_));
  if (wake_) wake_();
}

}  // namespace tv
