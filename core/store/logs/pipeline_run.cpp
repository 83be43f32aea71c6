#include "core/store/logs/pipeline_run.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/names/natural_less.h"

namespace tv {
namespace {

int compare_devices(const PipelineLog& log, const PipelineDevice& a, const PipelineDevice& b) {
  if (const int machines = natural_compare(log.text(a.machine), log.text(b.machine)); machines != 0) return machines;
  if (a.number != b.number) return a.number < b.number ? -1 : 1;
  return natural_compare(log.text(a.name), log.text(b.name));
}

struct NaturalOrder {
  bool operator()(std::string_view a, std::string_view b) const { return natural_less(a, b); }
};

}  // namespace

std::vector<PipelineRun> pipeline_runs(const PipelineLog& log) {
  std::vector<bool> has_steps(log.devices.size(), false);
  for (const PipelineStep& step : log.steps) has_steps[step.device] = true;
  std::map<std::string_view, std::vector<std::uint32_t>, NaturalOrder> devices_by_folder;
  for (std::uint32_t d = 0; d < log.devices.size(); ++d) {
    if (has_steps[d]) devices_by_folder[log.text(log.devices[d].folder)].push_back(d);
  }

  std::vector<PipelineRun> runs;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> run_and_stage(log.devices.size());  // by device
  for (auto& [folder, devices] : devices_by_folder) {
    std::ranges::stable_sort(devices, [&](std::uint32_t a, std::uint32_t b) {
      return compare_devices(log, log.devices[a], log.devices[b]) < 0;
    });
    PipelineRun& run = runs.emplace_back();
    for (const std::uint32_t device : devices) {
      const bool same_stage =  // the log of this device was opened twice
          !run.stages.empty() && compare_devices(log, log.devices[run.stages.back()], log.devices[device]) == 0;
      if (!same_stage) run.stages.push_back(device);
      run_and_stage[device] = {static_cast<std::uint32_t>(runs.size() - 1), static_cast<std::uint32_t>(run.stages.size() - 1)};
    }
  }

  std::vector<std::map<std::pair<std::int32_t, std::int64_t>, PipelineRunStep>> steps(runs.size());
  for (std::uint32_t s = 0; s < log.steps.size(); ++s) {
    const PipelineStep& part = log.steps[s];
    const auto [run, stage] = run_and_stage[part.device];
    PipelineRunStep& step = steps[run][{part.attempt, part.number}];
    if (step.parts.empty()) {
      step = {part.number, part.attempt, {part.begin, part.end}, std::vector(runs[run].stages.size(), kNoPart)};
    }
    if (step.parts[stage] != kNoPart) continue;  // the same log was opened twice
    step.parts[stage] = s;
    step.span = {std::min(step.span.begin, part.begin), std::max(step.span.end, part.end)};
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (auto& [key, step] : steps[r]) runs[r].steps.push_back(std::move(step));
  }
  return runs;
}

void share_step_numbers(PipelineLog& log) {
  std::map<std::string_view, std::int64_t> first_steps;  // by folder
  for (const PipelineStep& step : log.steps) {
    const PipelineDevice& device = log.devices[step.device];
    if (!device.numbered || step.attempt > 0) continue;
    std::int64_t& first = first_steps.try_emplace(log.text(device.folder), step.number).first->second;
    first = std::min(first, step.number);
  }
  for (PipelineStep& step : log.steps) {
    const PipelineDevice& device = log.devices[step.device];
    const auto first = first_steps.find(log.text(device.folder));
    if (!device.numbered && step.attempt == 0 && first != first_steps.end()) step.number += first->second;
  }
}

std::vector<TimeRange> steps_one_after_the_other(const PipelineRun& run) {
  std::vector<TimeRange> spans;
  for (const PipelineRunStep& step : run.steps) {
    TimeRange span = step.span;
    if (!spans.empty()) span.begin = std::max(span.begin, spans.back().end);
    span.end = std::max(span.end, span.begin);
    spans.push_back(span);
  }
  return spans;
}

PipelineLog crop(const PipelineLog& log, TimeRange window) {
  std::vector<bool> wanted(log.steps.size(), false);
  for (const PipelineRun& run : pipeline_runs(log)) {
    for (const PipelineRunStep& step : run.steps) {
      if (step.span.begin >= window.end || step.span.end <= window.begin) continue;
      for (const std::uint32_t part : step.parts) {
        if (part != kNoPart) wanted[part] = true;
      }
    }
  }
  PipelineLog cropped{StringTable(log.texts, log.texts.size()), log.devices, {}, {}};
  for (std::size_t s = 0; s < log.steps.size(); ++s) {
    if (!wanted[s]) continue;
    const auto jobs = log.jobs_of(log.steps[s]);
    cropped.steps.push_back(log.steps[s]);
    cropped.steps.back().first_job = static_cast<std::uint32_t>(cropped.jobs.size());
    cropped.jobs.insert(cropped.jobs.end(), jobs.begin(), jobs.end());
  }
  return cropped;
}

}  // namespace tv
