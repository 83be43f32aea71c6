#include "core/session/load/grown_logs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/store/segments/one_segment.h"
#include "core/store/trace/trace_builder.h"

namespace tv {
namespace {

bool shows_nothing(const SourceView& view) { return view.batches.empty() && !view.rollout && !view.metrics && !view.pipeline; }

// Whether building this file again would give what the segment contains.
bool is_as_built(const SourceView& view, const std::shared_ptr<const ReadLog>& file, const SourceInfo& source,
                 const std::shared_ptr<const ReadLog>& built_of) {
  const SourceInfo& info = view.info;
  return file == built_of && (file || shows_nothing(view)) && info.path == source.path && info.bytes == source.bytes &&
         info.modified_ns == source.modified_ns && info.state == source.state && info.reason == source.reason &&
         info.clock_offset == source.clock_offset && info.clock_fit == source.clock_fit &&
         view.to_built().by == source.shift.by;
}

// How many of the first files are unchanged.
std::size_t same_files(const PlacedLogs& logs, const BuiltLogs& built) {
  const std::size_t most = std::min(logs.views.size(), built.files.size());
  std::size_t n = 0;
  for (const auto& segment : built.segments) {
    for (const SourceInfo& source : segment->sources) {
      if (n == most || !is_as_built(logs.views[n], logs.files[n], source, built.files[n])) return n;
      ++n;
    }
  }
  return n;
}

// The largest number of first files, at most `files`, that ends at a folder boundary.
std::size_t whole_folders(const PlacedLogs& logs, std::size_t files) {
  const auto folder = [&](std::size_t f) { return folder_of(logs.views[f].info.path); };
  while (files > 0 && files < logs.views.size() && folder(files - 1) == folder(files)) --files;
  return files;
}

// The segments of the first files, in order, and the number of these files.
class Parts {
 public:
  Parts(const PlacedLogs& logs, ThreadPool& pool, const std::stop_token& stop) : logs_(logs), pool_(pool), stop_(stop) {}

  /// Takes over the segments of unchanged first files.
  void take(const Segments& earlier, std::size_t files) {
    for (const auto& segment : earlier) {
      if (files_ + segment->sources.size() > files) return;
      segments_.push_back(segment);
      files_ += segment->sources.size();
    }
  }
  /// Builds the next files up to `end`. False: their segment cannot follow the others, or building was stopped.
  bool add(std::size_t end) {
    if (files_ == end) return true;
    const auto at = [&](std::size_t f) { return logs_.views.begin() + static_cast<std::ptrdiff_t>(f); };
    auto built = build_segment({at(files_), at(end)}, pool_, stop_);
    if (!built || !std::ranges::all_of(segments_, [&](const auto& before) { return goes_on_after(*before, *built); })) return false;
    segments_.push_back(std::move(built));
    files_ = end;
    return true;
  }
  /// Joins small segments.
  void merge() {
    const auto size = [](const Trace& segment) { return segment.items() + segment.sources.size(); };
    while (segments_.size() > 1 && 2 * size(*segments_.back()) > size(*segments_[segments_.size() - 2])) {
      if (!join_last()) return;
    }
  }
  /// Null: there is too much for one segment.
  std::shared_ptr<const Trace> as_one() {
    while (segments_.size() > 1) {
      if (!join_last()) return nullptr;
    }
    return segments_.front();
  }
  const Segments& segments() const { return segments_; }

 private:
  bool join_last() {
    auto one = joined(segments_[segments_.size() - 2], segments_.back(), pool_);
    if (!one) return false;
    segments_.pop_back();
    segments_.back() = std::move(one);
    return true;
  }

  const PlacedLogs& logs_;
  ThreadPool& pool_;
  const std::stop_token& stop_;
  Segments segments_;
  std::size_t files_ = 0;
};

}  // namespace

bool may_grow(const PlacedLogs& logs) {
  bool any = false;
  for (std::size_t f = 0; f < logs.views.size(); ++f) {
    const SourceView& view = logs.views[f];
    if (view.window || view.metrics || view.pipeline || view.info.pid || !(logs.files[f] || shows_nothing(view))) return false;
    any |= view.rollout != nullptr;
  }
  return any;
}

Segments build_grown(PlacedLogs logs, const std::vector<BuiltLogs>& earlier, bool in_parts, ThreadPool& pool, std::stop_token stop,
                     std::vector<BuiltLogs>& built) {
  const BuiltLogs* before = nullptr;
  std::size_t same = 0, refused_at = 0;
  for (const BuiltLogs& candidate : earlier) {
    const std::size_t files = same_files(logs, candidate);
    if (files > same) before = &candidate, same = files;
    refused_at = std::max(refused_at, candidate.refused_at);
  }
  const std::size_t stays = whole_folders(logs, same);
  if (stays > 0 && stays != refused_at) {
    Parts parts(logs, pool, stop);
    parts.take(before->segments, stays);
    bool added = parts.add(stays);
    if (added) parts.merge();
    added = added && parts.add(logs.views.size()) && (in_parts || parts.as_one());
    if (added) {
      built = {{parts.segments(), std::move(logs.files)}};
      return parts.segments();
    }
    refused_at = stays;
  }
  Segments all{build_segment(std::move(logs.views), pool, std::move(stop))};
  if (all.front()) built = {{all, std::move(logs.files), refused_at}};
  return all;
}

}  // namespace tv
