#include "core/session/load/reused_segments.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/read/registry.h"
#include "core/session/held/segment_cache.h"
#include "core/session/packed/known_damage.h"

namespace tv {

// Closed files and clock offsets do not change a segment. But the position of a time window depends on all files, so the choice
// then names all of them.
std::string segment_choice(const LoadOptions& options, const LoadSources& sources) {
  const auto& [chosen, closed, clocks, place_by, align] = static_cast<const ReadSettings&>(options);  // fails to compile with a new setting
  std::string choice = chosen.text();
  if (!chosen.window) return choice;
  if (place_by == PlaceBy::Recorded) choice += "; clocks as recorded";
  if (align != Align::Recorded) choice += fmt::format("; align {}", align ? name(*align) : "auto");
  CacheKey all;
  for (const auto& source : sources) all.files.push_back(source->key());
  const std::string files = all.text({});
  return fmt::format("{}; of {:016x}", choice, XXH3_64bits(files.data(), files.size()));
}

void ReusedSegments::add_shown(HeldSegments shown) {
  std::set<const Trace*> known_traces;
  for (const HeldSegment& known : known_) known_traces.insert(known.segment.get());
  for (HeldSegment& segment : shown) {
    if (!known_traces.contains(segment.segment.get())) known_.push_back(std::move(segment));
  }
}

void ReusedSegments::add_cached(const CacheOptions& cache, const std::string& choice, const LoadSources& sources, std::uint64_t memory,
                                ThreadPool& pool) {
  constexpr std::uint64_t kMuchOfMemory = 4;  // a divisor: a quarter of the memory
  if (!cache.believe || cache.folder.empty()) return;
  std::uint64_t bytes = 0;
  for (const auto& source : sources) bytes += source->reused ? 0 : segment_bytes(cache, choice, source->path);
  if (bytes == 0) return;
  const ColumnsAre columns = bytes > memory / kMuchOfMemory ? ColumnsAre::Unchecked : ColumnsAre::Mapped;
  for (const auto& source : sources) {
    if (source->reused) continue;
    auto found = find_segment(cache, choice, source->path, columns, pool);
    if (found) known_.push_back(std::move(*found));
  }
}

std::map<std::string_view, const HeldSegment*> ReusedSegments::packed() const {
  std::map<std::string_view, const HeldSegment*> by_path;
  for (const HeldSegment& known : known_) {
    if (known.key.choice == kPackedChoice) by_path[known.key.files.front().path] = &known;
  }
  return by_path;
}

std::uint64_t ReusedSegments::bytes() const {
  std::uint64_t bytes = 0;
  for (const HeldSegment& known : known_) {
    if (known.segment->columns_are == ColumnsAre::Own) bytes += known.segment->bytes() + known.index->bytes();
  }
  return bytes;
}

void ReusedSegments::take(const std::string& choice, const LoadSources& sources) {
  std::map<std::string_view, LoadSource*> files;
  for (const auto& source : sources) files[source->path] = source.get();
  for (const HeldSegment& known : known_) {
    if (known.key.choice != choice) continue;
    if (!known.part.empty() && is_known_damaged(known.part)) continue;
    std::optional<Ns> manual_offset;  // must be the same for all files of the segment
    const auto is_asked_for = [&](const CacheKey::File& file) {
      const auto found = files.find(file.path);
      if (found == files.end() || found->second->reused || found->second->replaced) return false;
      const CacheKey::File now = found->second->key();
      const Ns moved = now.clock_offset - file.clock_offset;
      return now.identity == file.identity && moved == manual_offset.value_or(moved) && (manual_offset = moved, true);
    };
    if (!std::ranges::all_of(known.key.files, is_asked_for)) continue;
    for (const SourceInfo& source : known.segment->sources) {
      files[source.path]->reused = true;
      files[source.path]->reader = source.state == SourceState::Ready ? find_reader(source.format) : nullptr;
    }
    taken_.push_back({known, manual_offset.value_or(0)});
  }
}

void ReusedSegments::give_up(std::size_t from, const LoadSources& sources) {
  std::set<std::string_view> given_up;
  for (std::size_t s = from; s < taken_.size(); ++s) {
    for (const CacheKey::File& file : taken_[s].key.files) given_up.insert(file.path);
  }
  for (const auto& source : sources) {
    if (!given_up.contains(source->path)) continue;
    source->reused = false;
    if (source->head.empty() && !source->reused_log) source->reader = nullptr;  // so that it is probed
  }
  taken_.resize(from);
}

void ReusedSegments::leave_out(const std::set<std::string_view>& paths) {
  const auto is_left_out = [&](const CacheKey::File& file) { return paths.contains(file.path); };
  std::erase_if(taken_, [&](const ReusedSegment& reused) { return std::ranges::any_of(reused.key.files, is_left_out); });
}

}  // namespace tv
