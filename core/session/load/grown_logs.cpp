#include "core/session/load/grown_logs.h"

#include <algorithm>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/session/load/segment_groups.h"
#include "core/store/segments/one_segment.h"
#include "core/store/trace/trace_builder.h"

namespace tv {
namespace {

bool shows_nothing(const SourceView& view) { return view.batches.empty() && !view.rollout && !view.metrics && !view.pipeline; }

// Whether a file is in a segment as it would be built now.
bool is_as_built(const SourceView& view, const std::shared_ptr<const KeptFile>& file, const SourceInfo& source,
                 const std::shared_ptr<const KeptFile>& built_of) {
  const SourceInfo& info = view.info;
  return file == built_of && (file || shows_nothing(view)) && info.path == source.path && info.bytes == source.bytes &&
         info.modified_ns == source.modified_ns && info.state == source.state && info.reason == source.reason &&
         info.clock_offset == source.clock_offset && info.clock_fit == source.clock_fit &&
         view.clock_base + info.clock_offset == source.shift;
}

// How many of the first files are as they were.
std::size_t same_files(const PlacedLogs& logs, const BuiltLogs& built) {
  const std::size_t most = std::min(logs.views.size(), built.files.size());
  std::size_t n = 0;
  while (n < most && is_as_built(logs.views[n], logs.files[n], built.segment->sources[n], built.files[n])) ++n;
  return n;
}

// Not more than these, and only whole folders.
std::size_t whole_folders(const PlacedLogs& logs, std::size_t files) {
  const auto folder = [&](std::size_t f) { return folder_of(logs.views[f].info.path); };
  while (files > 0 && files < logs.views.size() && folder(files - 1) == folder(files)) --files;
  return files;
}

class Growing {
 public:
  Growing(const PlacedLogs& logs, AlignChoice align, ThreadPool& pool, const std::stop_token& stop)
      : logs_(logs), align_(align), pool_(pool), stop_(stop) {}

  /// Null: it cannot be joined, or is stopped.
  BuiltLogs part(const BuiltLogs* before, std::size_t end) const {
    const std::size_t begin = before ? before->files.size() : 0;
    const auto at = [](const auto& all, std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
    BuiltLogs out{before ? before->segment : nullptr, {at(logs_.files, 0), at(logs_.files, end)}};
    if (begin == end) return out;
    const auto built = build_segment({at(logs_.views, begin), at(logs_.views, end)}, pool_, stop_, PlaceBy::Recorded, Align::Recorded);
    out.segment = built && before ? joined(before->segment, built, pool_) : built;
    return out;
  }
  bool is_right_alone(const Trace& segment) const { return is_aligned_alone(segment, align_); }

 private:
  const PlacedLogs& logs_;
  const AlignChoice align_;
  ThreadPool& pool_;
  const std::stop_token& stop_;
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

std::shared_ptr<const Trace> build_grown(PlacedLogs logs, const std::vector<BuiltLogs>& earlier, AlignChoice align, ThreadPool& pool,
                                         std::stop_token stop, std::vector<BuiltLogs>& built) {
  const BuiltLogs* before = nullptr;
  std::size_t same = 0, refused_at = 0;
  for (const BuiltLogs& one : earlier) {
    const std::size_t files = same_files(logs, one);
    same = std::max(same, files);
    refused_at = std::max(refused_at, one.refused_at);
    const bool stays = files == one.files.size() && whole_folders(logs, files) == files;
    if (stays && files > (before ? before->files.size() : 0)) before = &one;
  }
  const std::size_t stays = whole_folders(logs, same);
  if (stays > 0 && stays != refused_at) {
    const Growing growing(logs, align, pool, stop);
    BuiltLogs first = growing.part(before, stays);
    BuiltLogs all = first.segment ? growing.part(&first, logs.views.size()) : BuiltLogs();
    if (all.segment && growing.is_right_alone(*all.segment)) {
      built = {std::move(first), all};
      return all.segment;
    }
    refused_at = stays;
  }
  auto segment = build_segment(std::move(logs.views), pool, std::move(stop), PlaceBy::Recorded, align);
  built = {{segment, std::move(logs.files), refused_at}};
  return segment;
}

}  // namespace tv
