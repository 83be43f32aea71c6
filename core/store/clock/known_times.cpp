#include "core/store/clock/known_times.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace tv {
namespace {

std::vector<std::vector<TimeRange>> steps_in(const SourceView& view, Ns base) {
  std::map<std::uint32_t, std::vector<TimeRange>> by_track;
  for (const StoredBatch& batch : view.batches) {
    const auto is_step = [&](LabelId label) { return marks_step(view.names->labels, label); };
    if (std::ranges::none_of(batch.ids->label, is_step)) continue;
    const SliceBlock& slices = *batch.slices;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      if (slices.duration[i] < 0 || !is_step(batch.ids->label[idx(slices.label[i])])) continue;
      const Ns begin = slices.begin[i] + base;
      by_track[batch.ids->track[slices.track[i]]].push_back({begin, begin + slices.duration[i]});
    }
  }
  std::vector<std::vector<TimeRange>> steps;
  for (auto& [track, ranges] : by_track) steps.push_back(outermost(std::move(ranges)));
  return steps;
}

}  // namespace

bool marks_step(const LabelTable& labels, LabelId label) {
  return labels.name(label) == "step" && labels.category(label) == "nvtx";
}

std::vector<TimeRange> outermost(std::vector<TimeRange> ranges) {
  // With equal begins, the longest range comes first, because it contains the others.
  const auto comes_first = [](const TimeRange& a, const TimeRange& b) {
    return std::tie(a.begin, b.end) < std::tie(b.begin, a.end);
  };
  std::ranges::sort(ranges, comes_first);
  std::vector<TimeRange> outer;
  for (const TimeRange& range : ranges) {
    if (outer.empty() || range.begin >= outer.back().end) outer.push_back(range);
  }
  return outer;
}

TimeRange recorded_extent(const SourceView& view) {
  TimeRange all = BatchRest::kNever;
  const auto include = [&](Ns begin, Ns end) { all.include(begin, end); };
  for (const StoredBatch& batch : view.batches) {
    if (batch.slices->size() > 0) include(batch.slices->first, batch.slices->last);
    for (const TimeRange& range : {batch.rest->work_extent, batch.rest->instants_extent}) include(range.begin, range.end);
  }
  if (view.metrics) {
    for (const MetricStep& step : view.metrics->steps) {
      if (step.begin != kNoPlace) include(step.begin, step.begin + step.duration);
    }
    for (const StepMark& mark : view.metrics->marks) {
      if (mark.time != kNoPlace) include(mark.time, mark.time);
    }
  }
  return all.begin <= all.end ? all : TimeRange{};
}

bool was_measured(const SourceInfo& source) {
  return source.clock_fit.evidence == ClockEvidence::Zone || source.clock_fit.evidence == ClockEvidence::NoZone;
}

TimedFile timed_file(const SourceInfo& source) {
  return {source.path, source.pid, source.rank, source.step, source.phase, source.zone_east, {}, {}};
}

std::vector<TimedFile> timed_files(const std::vector<SourceView>& views, bool steps) {
  std::vector<TimedFile> files;
  for (const SourceView& view : views) {
    if (view.info.local_time && !was_measured(view.info)) continue;
    const TimeRange extent = recorded_extent(view);
    const Ns base = view.clock_base + view.info.clock_offset;
    const bool timed = extent != TimeRange{} && extent.begin + base >= kYear2001;
    TimedFile file = timed_file(view.info);
    if (steps) file.steps = steps_in(view, base);
    if (timed) file.extent = {extent.begin + base, extent.end + base};
    if (timed || !file.steps.empty()) files.push_back(std::move(file));
  }
  sort_by_path(files);
  return files;
}

void sort_by_path(std::vector<TimedFile>& files) { std::ranges::stable_sort(files, {}, &TimedFile::path); }

}  // namespace tv
