#include "core/session/load/segment_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/base/disjoint_sets.h"
#include "core/read/registry.h"
#include "core/session/files/given_sources.h"
#include "core/store/clock/known_times.h"
#include "core/store/trace/lane_tree.h"

namespace tv {
namespace {

// Times without a wall clock count from boot, and cannot be compared with the times of other files.
bool has_wall_clock(const SourceView& file) {
  const FileRange extent = extent_in_file(file);
  return extent == FileRange{} || file.has_wall_clock(extent.begin);
}

// Rollouts of one run share the lanes of its workers, and a pipeline's steps involve all its devices.
void join_logs(const std::vector<SourceView>& files, DisjointSets& together) {
  std::map<std::pair<bool, std::string>, std::size_t> first_of_run;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const SourceView& file = files[f];
    if (!is_log(file.info)) continue;
    const bool wall = has_wall_clock(file);
    const auto join = [&](std::string run) { together.join(first_of_run.try_emplace({wall, std::move(run)}, f).first->second, f); };
    if (file.rollout) join("rollout " + file.info.run);
    if (file.pipeline) {
      for (const PipelineDevice& device : file.pipeline->devices) join(fmt::format("pipeline {}", file.pipeline->text(device.folder)));
    }
    for (const auto& [track, spec] : file.lanes) join("lane " + lane_identity(spec));
  }
}

}  // namespace

bool is_log(const SourceInfo& source) {
  const Reader* const reader = find_reader(source.format);
  return reader && reader->is_log;
}

Segments segments_of(const std::shared_ptr<const Trace>& trace) {
  if (!trace) return {};
  if (trace->parts.empty()) return {trace};
  Segments segments;
  for (const ViewPart& part : trace->parts) segments.push_back(part.segment);
  return segments;
}

bool is_whole(const std::shared_ptr<const Trace>& segment) { return std::ranges::all_of(segment->sources, is_complete); }

bool is_independent(const Trace& segment) { return std::ranges::none_of(segment.sources, is_log); }

SegmentGroups segment_groups(const std::vector<SourceView>& files) {
  DisjointSets together(files.size());
  join_logs(files, together);
  SegmentGroups groups;
  std::map<std::size_t, std::size_t> group_of_first;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const auto [group, is_new] = group_of_first.try_emplace(together.first_of(f), groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(f);
  }
  return groups;
}

}  // namespace tv
