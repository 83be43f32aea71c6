#include "core/store/trace/pipeline_lanes.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/store/logs/pipeline_links.h"

namespace tv {
namespace {

// By job of the log: its slice, or kNone.
std::vector<SegmentSlice> slices_of_jobs(const Trace& trace, const std::vector<LaneId>& lanes) {
  const PipelineLog& log = trace.pipeline;
  std::vector<SegmentSlice> of_job(log.jobs.size(), kNone<SegmentSlice>);
  std::unordered_map<std::uint64_t, SegmentSlice> at_record;
  for (std::size_t d = 0; d < log.devices.size(); ++d) {
    if (lanes[d] == kNone<LaneId>) continue;
    at_record.clear();
    for (const Row& row : trace.rows_of(trace.lane(lanes[d]))) {
      for (const SliceId slice : trace.ids_of(row)) {
        const ItemRef ref = trace.ref_of(slice);
        if (idx(ref.source()) == log.devices[d].source) at_record.emplace(ref.offset(), id_at<SegmentSlice>(idx(slice)));
      }
    }
    const auto first = std::ranges::lower_bound(log.steps, d, {}, &PipelineStep::device);
    for (auto at = first; at != log.steps.end() && at->device == d; ++at) {
      const PipelineStep& step = *at;
      for (std::uint32_t j = step.first_job; j < step.first_job + step.job_count; ++j) {
        const auto found = at_record.find(log.jobs[j].offset);
        if (found != at_record.end()) of_job[j] = found->second;
      }
    }
  }
  return of_job;
}

std::uint32_t first_part(const PipelineRunStep& step) {
  return *std::ranges::find_if(step.parts, [](std::uint32_t part) { return part != kNoPart; });
}

}  // namespace

LaneSpec pipeline_steps_lane(const PipelineLog& log, const PipelineRun& run) {
  const PipelineDevice& device = log.devices[run.stages.front()];
  LaneSpec lane;
  // The lane is above all devices, so that a hit in the record of a step and its first job belongs to the job (record_index.h).
  const std::string name(log.text(device.run));
  lane.path.push_back({name, 0, std::string(log.text(device.folder)), {.run = name}});
  lane.path.push_back({std::string(kPipelineSteps), -1});
  lane.kind = LaneKind::Annotation;
  return lane;
}

std::vector<PipelineStepSlice> pipeline_step_slices(const PipelineLog& log, const PipelineRun& run) {
  std::vector<PipelineStepSlice> slices;
  const std::vector<TimeRange> spans = steps_one_after_the_other(run);
  for (std::size_t s = 0; s < run.steps.size(); ++s) {
    const PipelineStep& first = log.steps[first_part(run.steps[s])];
    slices.push_back({log.devices[first.device].source, spans[s], run.steps[s].number, first.offset});
  }
  return slices;
}

PipelineArrows pipeline_arrows(const Trace& trace, const std::vector<PipelineRun>& runs,
                               const std::vector<LaneId>& jobs) {
  const std::vector<SegmentSlice> slices = slices_of_jobs(trace, jobs);
  PipelineArrows arrows;
  for (const PipelineRun& run : runs) {
    for (const PipelineRunStep& step : run.steps) {
      const std::vector<PipelineLink> links = pipeline_links(trace.pipeline, step);
      const bool contradicted = 2 * count_too_early(trace.pipeline, links) > links.size();
      if (contradicted || !forward_in_order(trace.pipeline, step)) {
        arrows.doubtful.push_back(first_part(step));
        continue;
      }
      for (const PipelineLink& link : links) {
        const std::vector<PipelineJob>& all = trace.pipeline.jobs;
        if (all[link.to].begin < all[link.from].begin) continue;  // no job waits for a later one
        const SegmentSlice from = slices[link.from], to = slices[link.to];
        if (from != kNone<SegmentSlice> && to != kNone<SegmentSlice>) arrows.flows.push_back({from, to});
      }
    }
  }
  std::ranges::sort(arrows.flows, flow_less);
  return arrows;
}

bool is_pipeline_job(const Trace& trace, SliceId slice) {
  const std::size_t source = idx(trace.ref_of(slice).source());
  return std::ranges::any_of(trace.pipeline.devices, [&](const PipelineDevice& d) { return d.source == source; });
}

}  // namespace tv
