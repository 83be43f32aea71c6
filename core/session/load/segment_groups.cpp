#include "core/session/load/segment_groups.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/read/registry.h"
#include "core/store/clock/known_times.h"
#include "core/store/trace/lane_tree.h"
#include "core/store/trace/process_lanes.h"

namespace tv {
namespace {

bool shows_something(const SourceView& file) { return !file.batches.empty() || file.rollout || file.metrics || file.pipeline; }

// Which belong to each other: of each the first of its group.
class Together {
 public:
  explicit Together(std::size_t n) : first_(n) { std::iota(first_.begin(), first_.end(), std::size_t{0}); }
  std::size_t first_of(std::size_t i) {
    while (first_[i] != i) i = first_[i] = first_[first_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t of_a = first_of(a), of_b = first_of(b);
    first_[std::max(of_a, of_b)] = std::min(of_a, of_b);
  }

 private:
  std::vector<std::size_t> first_;
};

void join_processes(const std::vector<SourceView>& files, Together& together) {
  std::map<std::tuple<std::int64_t, std::string, std::string>, std::vector<std::size_t>> alike;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const SourceInfo& info = files[f].info;
    if (info.pid) alike[{*info.pid, info.host, std::string(info.host.empty() ? folder_of(info.path) : std::string_view())}].push_back(f);
  }
  for (const auto& [process, of_it] : alike) {
    // Where one rank is there twice, others of the same number have a say, too.
    std::map<std::optional<std::int64_t>, std::size_t> ranks;
    for (const std::size_t f : of_it) ++ranks[files[f].info.rank];
    const bool twice = std::ranges::any_of(ranks, [](const auto& rank) { return rank.second > 1; });
    for (const std::size_t f : of_it) {
      if (twice || may_be_of_one_process(files[of_it.front()].info, files[f].info)) together.join(of_it.front(), f);
    }
  }
}

void join_lanes(const std::vector<SourceView>& files, Together& together) {
  std::unordered_map<std::string, std::size_t> of_lane;
  for (std::size_t f = 0; f < files.size(); ++f) {
    for (const auto& [track, spec] : files[f].lanes) {
      const auto [lane, is_new] = of_lane.try_emplace(lane_identity(spec), f);
      if (!is_new) together.join(lane->second, f);
    }
  }
}

// Rollouts of one run are on the lanes of its workers, and a pipeline's steps are of all its devices.
void join_logs(const std::vector<SourceView>& files, Together& together) {
  std::map<std::string, std::size_t, std::less<>> of_run;
  const auto join = [&](std::string run, std::size_t f) {
    together.join(of_run.try_emplace(std::move(run), f).first->second, f);
  };
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (files[f].rollout) join("rollout " + std::string(rollout_run_folder(files[f].info.path)), f);
    if (files[f].pipeline) join("pipeline", f);
  }
}

using Recorded = std::vector<RecordedSource>;

// About what measure() finds: few marks beyond are no work.
std::optional<RecordedSource> recorded(const SourceView& file) {
  TimeRange work = BatchRest::kNever;
  for (const StoredBatch& batch : file.batches) {
    if (batch.slices->lasting > 0) work.include(batch.slices->work_first, batch.slices->work_last);
    work.include(batch.rest->of_work.begin, batch.rest->of_work.end);
  }
  TimeRange all = work;
  if (const TimeRange marks = recorded_extent(file); marks != TimeRange{}) all.include(marks.begin, marks.end);
  if (all.begin > all.end) return std::nullopt;
  if (work.begin >= work.end) work = all;
  const Ns base = file.clock_base + file.info.clock_offset;
  const auto placed = [&](TimeRange range) { return TimeRange{range.begin + base, range.end + base}; };
  return recorded_source(file.info, placed(all), placed(work));
}

Recorded recorded_in(const std::vector<SourceView>& files, const std::vector<std::size_t>& group) {
  Recorded all;
  const auto add = [&](const SourceView& file) {
    if (auto one = recorded(file)) all.push_back(std::move(*one));
  };
  const auto is_of_process = [&](std::size_t f) { return files[f].info.pid.has_value(); };
  if (group.size() == 1 || std::ranges::none_of(group, is_of_process)) {
    for (const std::size_t f : group) add(files[f]);
    return all;
  }
  std::vector<SourceView> of_group;
  for (const std::size_t f : group) of_group.push_back(files[f]);
  unite_processes(of_group);  // whose windows they are
  std::ranges::for_each(of_group, add);
  return all;
}

bool is_wall(const RecordedSource& source) { return source.extent.begin >= kYear2001; }

std::optional<Ns> wall_begin(const std::vector<Recorded>& groups) {
  std::optional<Ns> begin;
  for (const Recorded& group : groups) {
    for (const RecordedSource& source : group) {
      if (is_wall(source)) begin = std::min(begin.value_or(source.extent.begin), source.extent.begin);
    }
  }
  return begin;
}

bool has_both_clocks(const Trace& segment) {
  bool wall = false, other = false;
  for (const SourceInfo& source : segment.sources) {
    if (source.extent) (source.wall_clock ? wall : other) = true;
  }
  return wall && other;
}

bool stay(std::vector<Recorded> groups, AlignChoice align) {
  const std::optional<Ns> begin = wall_begin(groups);
  for (Recorded& group : groups) {
    const bool moves = begin && !std::ranges::all_of(group, is_wall);
    if (moves && group.size() > 1) return false;
    if (!moves) continue;
    RecordedSource& source = group[0];
    const Ns by = *begin - source.extent.begin;
    source.extent = {source.extent.begin + by, source.extent.end + by};
    source.work = {source.work.begin + by, source.work.end + by};
  }
  return !align_groups(groups, align).apart;
}

}  // namespace

bool is_log(const SourceInfo& source) {
  const Reader* const reader = find_reader(source.format);
  return reader && reader->is_log;
}

SegmentGroups one_group(std::size_t files) {
  SegmentGroups all(1, std::vector<std::size_t>(files));
  std::iota(all[0].begin(), all[0].end(), std::size_t{0});
  return all;
}

SegmentGroups segment_groups(const std::vector<SourceView>& files, AlignChoice align) {
  if (files.empty()) return one_group(0);
  if (std::ranges::any_of(files, [](const SourceView& file) { return file.window.has_value(); })) return one_group(files.size());
  Together together(files.size());
  join_processes(files, together);
  join_logs(files, together);
  join_lanes(files, together);
  const auto shows = std::ranges::find_if(files, shows_something);
  std::size_t before = shows == files.end() ? 0 : static_cast<std::size_t>(shows - files.begin());
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (shows_something(files[f])) before = f;
    together.join(before, f);
  }
  SegmentGroups groups;
  std::map<std::size_t, std::size_t> of_first;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const auto [group, is_new] = of_first.try_emplace(together.first_of(f), groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(f);
  }
  if (!places_stay({}, {}, files, groups, align)) return one_group(files.size());
  return groups;
}

bool places_stay(const Segments& segments, const std::vector<Ns>& by_hand, const std::vector<SourceView>& files,
                 const SegmentGroups& groups, AlignChoice align) {
  std::vector<Recorded> all;
  for (std::size_t s = 0; s < segments.size(); ++s) all.push_back(recorded_in(*segments[s], segments[s]->origin_ns + by_hand[s]));
  for (const auto& group : groups) all.push_back(recorded_in(files, group));
  // What is not on the wall clock was put at the beginning of its own segment: not when another begins earlier.
  const std::optional<Ns> begins = wall_begin(all);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    if (has_both_clocks(*segments[s]) && begins != wall_begin({all[s]})) return false;
  }
  return stay(std::move(all), align);
}

bool is_aligned_alone(const std::vector<RecordedSource>& sources, AlignChoice align) {
  const AlignedGroups aligned = align_groups({sources}, align);
  return !aligned.apart && aligned.shift.front() == 0;
}

}  // namespace tv
