#include "core/session/load/segment_groups.h"

#include <algorithm>
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

// About what measure() finds: few marks beyond are no work.
std::optional<ClockedSource> clocked(const SourceView& file) {
  TimeRange work = BatchRest::kNever;
  for (const StoredBatch& batch : file.batches) {
    if (batch.slices->lasting > 0) work.include(batch.slices->work_first, batch.slices->work_last);
    work.include(batch.rest->of_work.begin, batch.rest->of_work.end);
  }
  TimeRange all = work;
  if (const TimeRange marks = recorded_extent(file); marks != TimeRange{}) all.include(marks.begin, marks.end);
  if (all.begin > all.end) return std::nullopt;
  if (work.begin >= work.end) work = all;
  const Ns base = file.clock_base;
  const auto placed = [&](TimeRange range) { return TimeRange{range.begin + base, range.end + base}; };
  const auto& [extent, of_work, run, process] = recorded_source(file.info, placed(all), placed(work));
  return ClockedSource{extent, of_work, extent.begin >= kYear2001, file.info.clock_offset, 0, run, process};
}

ClockedSegment clocked(const std::vector<SourceView>& files, const std::vector<std::size_t>& group) {
  ClockedSegment all;
  const auto add = [&](const SourceView& file) {
    if (auto one = clocked(file)) all.push_back(std::move(*one));
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
  std::vector<ClockedSegment> all;
  for (std::size_t s = 0; s < segments.size(); ++s) all.push_back(tv::clocked(*segments[s], by_hand[s]));
  for (const auto& group : groups) all.push_back(clocked(files, group));
  return !view_clock(all, align).apart;
}

bool is_aligned_alone(const ClockedSegment& segment, AlignChoice align) {
  const ViewClock clock = view_clock({segment}, align);
  return !clock.apart && clock.of_segment.front().aligned == 0;
}

}  // namespace tv
