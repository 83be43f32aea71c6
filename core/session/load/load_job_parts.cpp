// How a LoadJob reads files that are together too much for memory: rank by rank, each written and mapped as it is done
// (segment_cache.h), then all of them as segments that an earlier load has left.
#include <algorithm>
#include <functional>
#include <map>
#include <stop_token>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/session/load/load_job.h"
#include "core/session/load/load_source.h"
#include "core/session/load/segment_cache.h"

namespace tv {

// The files of a rank in one folder, else each by itself.
std::vector<std::vector<LoadJob::Source*>> LoadJob::parts() const {
  std::map<std::pair<std::string, std::int64_t>, std::size_t> place;
  std::vector<std::vector<Source*>> parts;
  for (const auto& source : sources_) {
    if (!source->reader || source->kept) continue;
    std::size_t part = parts.size();
    if (source->rank) part = place.try_emplace({std::string(folder_of(source->path)), *source->rank}, part).first->second;
    if (part == parts.size()) parts.emplace_back();
    parts[part].push_back(source.get());
  }
  return parts;
}

CacheKey LoadJob::key_of(const std::vector<Source*>& part) const {
  CacheKey key;
  key.choice = cache_key().choice;
  for (const Source* const source : part) {
    const SourceInfo info = source->draft.info();
    key.files.push_back({source->path, {info.bytes, info.modified_ns}, 0});
  }
  return key;
}

// Not of logs, which tell of each other, nor where only a stretch of time is wanted, or runs are moved together.
bool LoadJob::can_read_in_parts() const {
  const bool log = std::ranges::any_of(sources_, [](const auto& source) { return source->reader && source->reader->is_log; });
  return !log && !options_.cache.folder.empty() && archives_.empty() && !options_.choice.window && !by_contents() &&
         options_.align.value_or(Align::Recorded) == Align::Recorded && parts().size() > 1;
}

// What an earlier load has written.
void LoadJob::find_parts(std::stop_token stop) {
  if (options_.again || !options_.cache.believe || options_.cache.folder.empty()) return;
  probe_all(stop);
  if (stop.stop_requested() || !can_read_in_parts()) return;
  for (const std::vector<Source*>& part : parts()) {
    auto found = find_segments(options_.cache, key_of(part), pool_);
    if (found) given_.insert(given_.end(), found->begin(), found->end());
  }
  if (!given_.empty()) settle_kept(stop);
}

// After all of it together turned out to be too much.
void LoadJob::read_in_parts(std::stop_token stop) {
  for (const auto& source : sources_) {
    SourceInfo info = source->draft.info();
    static_cast<void>(source->draft.take());
    if (!source->reader) continue;
    info.state = SourceState::Waiting;
    info.reason.clear();
    info.problems = {};
    source->draft.restart(std::move(info));
    source->progress.bytes = 0;
  }
  too_large_.store(nullptr);
  ran_out_ = false;
  files_done_ = 0;
  items_ = 0;
  for (const std::vector<Source*>& part : parts()) {
    if (stop.stop_requested() || ran_out_) return;
    read_part(part, stop);
  }
  take_kept();
}

void LoadJob::read_part(const std::vector<Source*>& part, std::stop_token stop) {
  std::vector<std::string> paths;
  for (const Source* const source : part) paths.push_back(source->path);
  LoadOptions options = options_;
  options.progressive = false;
  options.cache.folder.clear();
  options.clocks.clear();
  options.closed.clear();
  options.memory_limit = memory_limit_;
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
    for (Source* const source : part) tv::reject(source->draft, Error{reason, {}, {}, {}});
  };
  if (too_large) {
    too_large_.store(too_large);
    return reject_all("does not fit into memory, even alone: " + too_large->amounts());
  }
  if (!loaded) return reject_all("it was not read");
  const bool whole = std::ranges::all_of(segments_of(loaded->trace), is_whole);
  auto kept = whole ? keep_segments(options_.cache, key_of(part), *loaded, pool_, stop) : Result<KeptSegments>(Error{"was not read whole", {}, {}, {}});
  if (!kept) {
    if (!stop.stop_requested()) reject_all(kept.error().text());
    return;
  }
  given_.insert(given_.end(), kept->begin(), kept->end());
  for (Source* const source : part) {
    source->progress.bytes = source->draft.info().bytes;
    ++files_done_;
  }
}

}  // namespace tv
