#include "core/store/clock/align_runs.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "core/base/disjoint_sets.h"

namespace tv {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Align::kCount)> kAlignNames = {"recorded", "zero", "fold"};
static_assert(!kAlignNames.back().empty());

struct Run {
  std::vector<std::uint32_t> sources;
  CommonRange extent, work;
};

void add_to(Run& run, std::uint32_t source, const RecordedSource& recorded) {
  const bool first = run.sources.empty();
  run.extent = first ? recorded.extent : run.extent;
  run.work = first ? recorded.work : run.work;
  run.extent.include(recorded.extent);
  run.work.include(recorded.work);
  run.sources.push_back(source);
}

// Joins sources that share a run key, or a process key if `by_process`.
std::vector<Run> named_runs(std::span<const RecordedSource> sources, bool by_process) {
  DisjointSets sets(sources.size());
  std::map<std::pair<bool, std::string>, std::uint32_t> first_of;  // by key, and whether it is a process key: the first source
  for (std::uint32_t s = 0; s < sources.size(); ++s) {
    if (!sources[s].run.empty()) sets.join(s, first_of.emplace(std::pair(false, sources[s].run), s).first->second);
    if (by_process && !sources[s].process.empty()) sets.join(s, first_of.emplace(std::pair(true, sources[s].process), s).first->second);
  }
  std::map<std::size_t, Run> runs;
  for (std::uint32_t s = 0; s < sources.size(); ++s) add_to(runs[sets.first_of(s)], s, sources[s]);
  std::vector<Run> out;
  for (auto& [_, run] : runs) out.push_back(std::move(run));
  return out;
}

// Joins named runs whose work overlaps in time. The runs are sorted by the begin of their work.
std::vector<Run> runs_of(std::span<const RecordedSource> sources, bool by_process) {
  std::vector<Run> named = named_runs(sources, by_process);
  std::ranges::stable_sort(named, [](const Run& a, const Run& b) {
    return a.work.begin != b.work.begin ? a.work.begin < b.work.begin : a.work.end < b.work.end;
  });
  std::vector<Run> runs;
  for (const Run& run : named) {
    const bool overlaps = !runs.empty() && run.work.begin < runs.back().work.end;
    if (!overlaps) runs.emplace_back();
    for (const std::uint32_t s : run.sources) add_to(runs.back(), s, sources[s]);
  }
  return runs;
}

// Together, the gaps are a twentieth as long as the work of the runs.
Ns gap_between(const std::vector<Run>& runs) {
  Ns filled = 0;
  for (const Run& run : runs) {
    if (__builtin_add_overflow(filled, run.work.length(), &filled)) filled = std::numeric_limits<Ns>::max();
  }
  return std::max(filled / static_cast<Ns>(20 * (runs.size() - 1)), kMicrosecond);
}

// Shortens the time in which no run works. A late mark ("Record Window End") may lie over the next run: if marks counted as work,
// they would keep a long empty interval in a view of two files. Runs are sorted by the begin of their work.
std::vector<RunShift> folded(const std::vector<Run>& runs) {
  const Ns gap = gap_between(runs);
  CommonTime end = runs.front().work.begin;
  RunShift moved;
  AlignedTime earliest{std::numeric_limits<Ns>::max()};
  std::vector<RunShift> shift;
  for (const Run& run : runs) {
    moved += -std::max<Ns>(run.work.begin - end - gap, 0);
    shift.push_back(moved);
    earliest = std::min(earliest, moved(run.extent.begin));
    end = std::max(end, run.work.end);
  }
  for (RunShift& each : shift) each += -earliest.ns;  // the earliest event goes to 0
  return shift;
}

std::vector<RunShift> from_zero(const std::vector<Run>& runs) {
  Ns lead = 0;  // the longest time from a run's first mark to its work
  for (const Run& run : runs) lead = std::max(lead, run.work.begin - run.extent.begin);
  std::vector<RunShift> shift;
  for (const Run& run : runs) shift.push_back({lead - run.work.begin.ns});
  return shift;
}

// The shift of each group. Nullopt if the sources of some group have different shifts.
std::optional<std::vector<RunShift>> shift_of_each(const std::vector<std::vector<RecordedSource>>& groups,
                                                   const std::vector<RunShift>& shift) {
  std::vector<RunShift> of_each;
  std::size_t first = 0;
  for (const auto& group : groups) {
    const std::span<const RunShift> of_group(shift.data() + first, group.size());
    first += group.size();
    of_each.push_back(of_group.empty() ? RunShift{} : of_group.front());
    if (std::ranges::any_of(of_group, [&](RunShift by) { return by != of_each.back(); })) return std::nullopt;
  }
  return of_each;
}

RecordedSource as_one_source(const std::vector<RecordedSource>& group) {
  RecordedSource one = group.front();
  for (const RecordedSource& source : group) {
    one.extent.include(source.extent);
    one.work.include(source.work);
    if (one.run.empty()) one.run = source.run;
    if (one.process.empty()) one.process = source.process;
  }
  return one;
}

}  // namespace

std::string_view name(Align align) { return kAlignNames[static_cast<std::size_t>(align)]; }

std::optional<Align> align_named(std::string_view name) {
  const auto found = std::ranges::find(kAlignNames, name);
  if (found == kAlignNames.end()) return std::nullopt;
  return static_cast<Align>(found - kAlignNames.begin());
}

double filled(const AlignedRuns& runs) {
  if (runs.work.empty()) return 1;
  CommonRange all = runs.work.front();
  Ns sum = 0;
  for (const CommonRange& work : runs.work) {
    all.include(work);
    sum += work.length();
  }
  return all.empty() ? 1 : static_cast<double>(sum) / static_cast<double>(all.length());
}

bool is_mostly_empty(const AlignedRuns& runs) {
  constexpr double kMostlyEmpty = 0.2;
  return runs.work.size() > 1 && filled(runs) < kMostlyEmpty;
}

AlignedRuns align_runs(std::span<const RecordedSource> sources, Align align) {
  AlignedRuns out;
  out.shift.assign(sources.size(), {});
  out.run.assign(sources.size(), 0);
  const std::vector<Run> runs = runs_of(sources, align == Align::Zero);
  const bool moves = align != Align::Recorded && runs.size() > 1;
  const std::vector<RunShift> shift = !moves                ? std::vector<RunShift>(runs.size())
                                      : align == Align::Zero ? from_zero(runs)
                                                             : folded(runs);
  for (std::uint32_t r = 0; r < runs.size(); ++r) {
    out.work.push_back(runs[r].work);
    for (const std::uint32_t s : runs[r].sources) {
      out.shift[s] = shift[r];
      out.run[s] = r;
    }
  }
  return out;
}

AlignedRuns align_as_chosen(std::span<const RecordedSource> sources, AlignChoice align) {
  AlignedRuns runs = align_runs(sources, align.value_or(Align::Recorded));
  if (!align && is_mostly_empty(runs)) runs = align_runs(sources, Align::Fold);
  return runs;
}

std::vector<RunShift> align_groups(const std::vector<std::vector<RecordedSource>>& groups, AlignChoice align) {
  std::vector<RecordedSource> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  if (auto shift = shift_of_each(groups, align_as_chosen(all, align).shift)) return std::move(*shift);
  all.clear();
  for (const auto& group : groups) {
    if (!group.empty()) all.push_back(as_one_source(group));
  }
  const std::vector<RunShift> moved = align_as_chosen(all, align).shift;
  std::vector<RunShift> shift;
  std::size_t next = 0;
  for (const auto& group : groups) shift.push_back(group.empty() ? RunShift{} : moved[next++]);
  return shift;
}

}  // namespace tv
