#include "core/export/formats/paddle_run.h"

#include <algorithm>
#include <charconv>

namespace tv {
namespace {

constexpr std::string_view kStepCategory = "step", kStepName = "step ", kMachine = "machine";

// Lanes hold jobs or steps, never both.
bool has_steps(const Trace& trace, const Lane& lane) {
  const auto rows = trace.rows_of(lane);
  return !rows.empty() && trace.labels.category(trace.slices_of(rows.front()).label(0)) == kStepCategory;
}

std::string without(std::string_view prefix, std::string_view name) {
  return std::string(name.substr(name.starts_with(prefix) ? prefix.size() : 0));
}

}  // namespace

bool is_paddle_run(const Trace& trace) {
  const auto of_a_log = [](const SourceInfo& source) { return source.format == "paddle_log"; };
  const auto empty = [](const SourceInfo& source) { return source.slices + source.instants + source.samples == 0; };
  const auto runs = std::ranges::count(trace.lanes, std::uint16_t{0}, &Lane::depth);
  return runs == 1 && std::ranges::any_of(trace.sources, of_a_log) &&
         std::ranges::all_of(trace.sources,
                             [&](const SourceInfo& source) { return of_a_log(source) || empty(source); });
}

bool is_dygraph_run(const Trace& trace) {
  for (std::size_t l = 0; l < trace.labels.size(); ++l) {
    const std::string_view category = trace.labels.category(id_at<LabelId>(l));
    if (category != "pipeline timeline" && category != "virtual pipeline timeline") return false;
  }
  return trace.labels.size() > 0;
}

std::map<LaneId, PaddleDeviceName> paddle_devices(const Trace& trace) {
  std::map<LaneId, PaddleDeviceName> devices;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    if (lane.row_count == 0 || has_steps(trace, lane)) continue;
    PaddleDeviceName& name = devices[id_at<LaneId>(l)];
    name.number = lane.name;
    const auto source = idx(trace.ref_of(trace.slices_of(trace.rows_of(lane).front()).id(0)).source());
    const auto device = std::ranges::find(trace.pipeline.devices, source, &PipelineDevice::source);
    if (device == trace.pipeline.devices.end()) continue;
    if (device->number >= 0) name.number = std::to_string(device->number);
    name.machine = without(kMachine, trace.pipeline.text(device->machine));
  }
  return devices;
}

std::vector<PaddleRunStep> paddle_run_steps(const Trace& trace) {
  // A restarted run repeats step numbers: a device's second step 7 belongs to the second attempt.
  std::map<std::pair<std::size_t, std::int64_t>, PaddleRunStep> steps;
  for (const Lane& lane : trace.lanes) {
    if (!has_steps(trace, lane)) continue;
    std::map<std::int64_t, std::size_t> attempts;
    for (const Row& row : trace.rows_of(lane)) {
      const RowSlices slices = trace.slices_of(row);
      for (std::size_t i = 0; i < slices.size(); ++i) {
        const std::string number = without(kStepName, trace.labels.name(slices.label(i)));
        PaddleRunStep step{0, slices.begin(i), slices.end(i)};
        std::from_chars(number.data(), number.data() + number.size(), step.number);
        PaddleRunStep& known = steps.try_emplace({attempts[step.number]++, step.number}, step).first->second;
        known.begin = std::min(known.begin, step.begin);
        known.end = std::max(known.end, step.end);
      }
    }
  }
  std::vector<PaddleRunStep> out;
  for (auto [attempt, step] : steps) {
    if (!out.empty()) step.begin = std::max(step.begin, out.back().end);
    step.end = std::max(step.end, step.begin);
    out.push_back(step);
  }
  return out;
}

}  // namespace tv
