// Segments of a LoadJob that are kept on disk, each in its own entry (segment_cache.h); and reading files that do not fit into
// memory together: rank by rank, each written and mapped when it is done, then all of them as segments left by an earlier load.
// Runs are aligned by moving whole segments: nothing moves within one.
#include <algorithm>
#include <functional>
#include <map>
#include <stop_token>
#include <string_view>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/session/held/segment_cache.h"
#include "core/session/load/given_sources.h"
#include "core/session/load/load_job.h"
#include "core/session/load/load_source.h"

namespace tv {
namespace {

constexpr std::uint64_t kMuchOfMemory = 4;  // divisor: a quarter of the limit
constexpr double kBetweenViews = 9;      // pause, in durations of a view: views take a tenth of the time

}  // namespace

// A part is all files of a rank in one folder; a file without a rank is a part of its own.
std::vector<std::vector<LoadSource*>> LoadJob::parts() const {
  std::map<std::pair<std::string, std::int64_t>, std::size_t> place;
  std::vector<std::vector<LoadSource*>> parts;
  for (const auto& source : sources_) {
    if (!source->reader || source->reused || source->reader->is_log) continue;
    std::size_t part = parts.size();
    if (source->rank) part = place.try_emplace({std::string(folder_of(source->path)), *source->rank}, part).first->second;
    if (part == parts.size()) parts.emplace_back();
    parts[part].push_back(source.get());
  }
  return parts;
}

// A time window depends on all files, so it is excluded. Logs depend on each other, so they are read after the parts.
bool LoadJob::can_read_in_parts() const {
  return !options_.cache.folder.empty() && archives_.empty() && !options_.choice.window && !by_contents() &&
         parts().size() > 1;
}

// Finds the cache entries with this choice in their key. If they are large, their columns are not checked before they are shown.
void LoadJob::find_parts(const std::string& choice) {
  if (options_.again || !options_.cache.believe || options_.cache.folder.empty()) return;
  std::uint64_t bytes = 0;
  for (const auto& source : sources_) bytes += source->reused ? 0 : segment_bytes(options_.cache, choice, source->path);
  if (bytes == 0) return;
  const ColumnsAre columns = bytes > memory_.limit() / kMuchOfMemory ? ColumnsAre::Unchecked : ColumnsAre::Mapped;
  for (const auto& source : sources_) {
    if (source->reused) continue;
    auto found = find_segment(options_.cache, choice, source->path, columns, pool_);
    if (found) given_.segments.push_back(std::move(*found));
  }
}

// Writes cache entries for the next start.
bool LoadJob::keep_parts(std::stop_token stop) {
  const CacheOptions& cache = options_.cache;
  if (cache.folder.empty()) return false;
  std::uint64_t bytes = 0;
  for (const HeldSegment& segment : left_.segments) bytes += segment.segment->bytes();
  if (bytes < cache.least_bytes || bytes > cache.most_bytes) return false;
  bool reused = false;
  for (HeldSegment& segment : left_.segments) {
    const std::string& choice = segment.key.choice;
    if (!segment.part.empty() || choice == kPackedChoice || stop.stop_requested()) continue;
    if (!keep_segment(cache, choice, *segment.segment, *segment.index, pool_, stop)) continue;
    const std::lock_guard lock(left_mutex_);
    segment.part = segment_path(cache, choice, segment.segment->sources.front().path);
    reused = true;
  }
  return reused;
}

// Called after all files together turned out to be too large.
void LoadJob::read_in_parts(std::stop_token stop) {
  for (const auto& source : sources_) {
    SourceInfo info = source->draft.info();
    static_cast<void>(source->draft.take());
    if (!source->reader) continue;
    info.state = SourceState::Waiting;
    info.reason.clear();
    info.problems = {};
    source->draft.restart(std::move(info));
    source->progress.bytes = source->progress.handed_over = 0;
    source->weighed = 0;
  }
  memory_.begin_again();
  files_done_ = 0;
  const std::vector<std::vector<LoadSource*>> all = parts();
  const std::size_t given = given_.segments.size();
  double next_view = 0;
  for (const std::vector<LoadSource*>& part : all) {
    if (stop.stop_requested() || memory_.has_run_out()) return;
    read_part(part, stop);
    const double began = seconds();
    if (!options_.progressive || &part == &all.back() || began < next_view || given_.segments.size() == given) continue;
    publish_parts(given, stop);
    next_view = seconds() + kBetweenViews * (seconds() - began);
  }
  take_kept(segment_choice());
  files_done_ = 0;
  for (const auto& source : sources_) bytes_in_parts_ += source->reused ? source->draft.info().bytes : 0;
  if (!memory_.has_run_out() && !stop.stop_requested()) read_all(stop);  // only logs are left
}

// Publishes the finished parts, which are given_.segments from `first` on.
void LoadJob::publish_parts(std::size_t first, std::stop_token stop) {
  Segments done;
  for (std::size_t s = first; s < given_.segments.size(); ++s) {
    indexed_.emplace(given_.segments[s].segment, given_.segments[s].index);
    done.push_back(given_.segments[s].segment);
  }
  publish(std::move(done), false, stop);
}

void LoadJob::read_part(const std::vector<LoadSource*>& part, std::stop_token stop) {
  std::vector<std::string> paths;
  for (const LoadSource* const source : part) paths.push_back(source->path);
  LoadOptions options = options_;
  options.progressive = false;
  options.align = Align::Recorded;  // aligned when the view is composed
  options.cache.folder.clear();
  options.store = nullptr;  // a part is not shared with other tabs
  options.clocks.clear();
  options.closed.clear();
  options.memory_limit = memory_.limit();
  std::shared_ptr<const Snapshot> loaded;
  const auto keep = [&loaded](std::shared_ptr<const Snapshot> snapshot) { loaded = std::move(snapshot); };
  std::shared_ptr<const TooLarge> too_large;
  {
    LoadJob job(std::move(paths), pool_, std::move(options), keep);
    const std::stop_callback cancel(stop, [&job] { job.cancel(); });
    job.wait();
    too_large = job.too_large();
  }
  if (stop.stop_requested()) return;
  const auto reject_all = [&](const std::string& reason) {
    for (LoadSource* const source : part) tv::reject(source->draft, Error{reason, {}, {}, {}});
  };
  if (too_large) {
    memory_.refuse(too_large);
    return reject_all("does not fit into memory, even alone: " + too_large->amounts());
  }
  if (!loaded) return reject_all("it was not read");
  const std::string choice = segment_choice();
  const Segments segments = segments_of(loaded->trace);
  if (!std::ranges::all_of(segments, is_whole)) return reject_all("it was not read to its end");
  for (std::size_t s = 0; s < segments.size(); ++s) {
    auto done = keep_segment(options_.cache, choice, *segments[s], *loaded->index->segments()[s], pool_, stop);
    if (stop.stop_requested()) return;
    auto found = done ? find_segment(options_.cache, choice, segments[s]->sources.front().path, ColumnsAre::Unchecked, pool_)
                      : Result<HeldSegment>(done.error());
    if (!found) return reject_all(found.error().text());
    given_.segments.push_back(std::move(*found));
  }
  for (LoadSource* const source : part) {
    source->progress.bytes = source->draft.info().bytes;
    ++files_done_;
  }
}

}  // namespace tv
