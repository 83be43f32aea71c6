#include "core/session/load/rank_by_rank.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/session/held/segment_cache.h"
#include "core/session/load/segment_groups.h"

namespace tv {

std::vector<std::vector<LoadSource*>> files_by_rank(const LoadSources& sources) {
  std::map<std::pair<std::string, std::int64_t>, std::size_t> place;
  std::vector<std::vector<LoadSource*>> ranks;
  for (const auto& source : sources) {
    if (!source->reader || source->reused || source->reader->is_log) continue;
    std::size_t rank = ranks.size();
    if (source->rank) rank = place.try_emplace({std::string(folder_of(source->path)), *source->rank}, rank).first->second;
    if (rank == ranks.size()) ranks.emplace_back();
    ranks[rank].push_back(source.get());
  }
  return ranks;
}

LoadOptions options_of_rank(LoadOptions options, std::uint64_t memory_limit) {
  options.progressive = false;
  options.align = Align::Recorded;  // aligned when the view is composed
  options.cache.folder.clear();
  options.store = nullptr;  // not shared with other tabs
  options.clocks.clear();
  options.closed.clear();
  options.memory_limit = memory_limit;
  return options;
}

CachedRank cache_rank(const Snapshot& read, const CacheOptions& cache, const std::string& choice, ThreadPool& pool, std::stop_token stop) {
  const Segments segments = segments_of(read.trace);
  if (!std::ranges::all_of(segments, is_whole)) return {{}, "it was not read to its end"};
  CachedRank out;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const auto written = keep_segment(cache, choice, *segments[s], *read.index->segments()[s], pool, stop);
    auto found = written ? find_segment(cache, choice, segments[s]->sources.front().path, ColumnsAre::Unchecked, pool)
                         : Result<HeldSegment>(written.error());
    if (!found) {
      out.failure = found.error().text();
      break;
    }
    out.segments.push_back(std::move(*found));
  }
  return out;
}

}  // namespace tv
