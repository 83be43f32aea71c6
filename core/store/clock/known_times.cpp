#include "core/store/clock/known_times.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace tv {
namespace {

std::vector<std::vector<RecordedRange>> steps_in(const SourceView& view) {
  const ClockShift<FileTime, RecordedTime> to_recorded = view.to_recorded();
  std::map<std::uint32_t, std::vector<RecordedRange>> by_track;
  for (const StoredBatch& batch : view.batches) {
    const auto is_step = [&](LabelId label) { return marks_step(view.names->labels, label); };
    if (std::ranges::none_of(batch.ids->label, is_step)) continue;
    const SliceBlock& slices = *batch.slices;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      if (slices.duration[i] < 0 || !is_step(batch.ids->label[idx(slices.label[i])])) continue;
      const RecordedTime begin = to_recorded(FileTime{slices.begin[i]});
      by_track[batch.ids->track[slices.track[i]]].push_back({begin, begin + slices.duration[i]});
    }
  }
  std::vector<std::vector<RecordedRange>> steps;
  for (auto& [track, ranges] : by_track) steps.push_back(outermost(std::move(ranges)));
  return steps;
}

}  // namespace

bool marks_step(const LabelTable& labels, LabelId label) {
  return labels.name(label) == "step" && labels.category(label) == "nvtx";
}

std::vector<RecordedRange> outermost(std::vector<RecordedRange> ranges) {
  // With equal begins, the longest range comes first, because it contains the others.
  const auto comes_first = [](const RecordedRange& a, const RecordedRange& b) {
    return std::tie(a.begin, b.end) < std::tie(b.begin, a.end);
  };
  std::ranges::sort(ranges, comes_first);
  std::vector<RecordedRange> outer;
  for (const RecordedRange& range : ranges) {
    if (outer.empty() || range.begin >= outer.back().end) outer.push_back(range);
  }
  return outer;
}

FileRange extent_in_file(const SourceView& view) {
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
  return all.begin <= all.end ? FileRange::of(all) : FileRange{};
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
    const FileRange in_file = extent_in_file(view);
    const RecordedRange extent = view.to_recorded()(in_file);
    const bool timed = in_file != FileRange{} && extent.begin >= RecordedTime{kYear2001};
    TimedFile file = timed_file(view.info);
    if (steps) file.steps = steps_in(view);
    if (timed) file.extent = extent;
    if (timed || !file.steps.empty()) files.push_back(std::move(file));
  }
  sort_by_path(files);
  return files;
}

void sort_by_path(std::vector<TimedFile>& files) { std::ranges::stable_sort(files, {}, &TimedFile::path); }

}  // namespace tv
