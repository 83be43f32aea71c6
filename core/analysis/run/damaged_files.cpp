#include "core/analysis/run/damaged_files.h"

#include <fmt/format.h>

#include <atomic>
#include <span>
#include <unordered_set>

#include "core/base/text/count_text.h"
#include "core/base/text/path_parts.h"

namespace tv {
namespace {

bool is_sound(const Trace& segment, const Row& row) {
  const RowSlices slices = segment.slices_of(row);
  const Ns last = segment.extent.end;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const Ns begin = slices.begin(i), duration = slices.duration(i);
    if (begin < 0 || begin > last || duration < 0 || duration > last - begin) return false;
    if (idx(slices.label(i)) >= segment.labels.size()) return false;
  }
  return row_violation(slices, segment.lane(row.lane)).empty();
}

}  // namespace

std::vector<std::string> damaged_files(const Trace& view, ThreadPool& pool, const Trace* sound_view) {
  std::vector<std::string> damaged;
  std::unordered_set<const Trace*> sound_segments;
  for (const ViewPart& part : sound_view ? std::span(sound_view->parts) : std::span<const ViewPart>())
    sound_segments.insert(part.segment.get());
  for (const ViewPart& part : view.parts) {
    const Trace& segment = *part.segment;
    if (segment.columns_are != ColumnsAre::Unchecked || sound_segments.contains(&segment)) continue;
    std::atomic<bool> sound = true;
    pool.parallel_for(segment.rows.size(), [&](std::size_t r) {
      if (sound && !is_sound(segment, segment.rows[r])) sound = false;
    });
    if (!sound) damaged.push_back(segment.sources.empty() ? std::string() : segment.sources.front().path);
  }
  return damaged;
}

std::string damaged_words(const std::vector<std::string>& files) {
  if (files.empty()) return {};
  const std::string others = files.size() > 1 ? " and " + count_text(files.size() - 1, "more file") : std::string();
  return fmt::format("the packed or cached data of {}{} is damaged, so analysis is off (pack it again, empty the cache, or close it)",
                     last_part(files.front()), others);
}

}  // namespace tv
