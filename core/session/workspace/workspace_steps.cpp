// Going to a step of any kind: of a rollout, a training log, a pipeline, or marks in a trace.
#include "core/session/workspace/workspace.h"

#include <algorithm>
#include <string>

#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/training/charts_pipeline.h"
#include "core/view/charts/training/charts_training.h"

namespace tv {
void Workspace::on(const command::GoToStep& c) {
  const Rollout* const rollout = run_.rollout();
  if (!rollout || c.step >= rollout->steps.size()) return;
  run_.look_at_step(c.step);
  if (run_.training()) run_.look_at_training_step(rollout->steps[c.step].step);
  fit_step(rollout->steps[c.step].extent);
}

// Also selects the rollout step that has the same number and overlaps in time.
void Workspace::on(const command::GoToTrainingStep& c) {
  const Training* const training = run_.training();
  if (!training || c.line >= training->log().steps.size()) return;
  const MetricStep& step = training->log().steps[c.line];
  run_.look_at_training_step(step.step);
  if (const Rollout* const rollout = run_.rollout()) {
    const auto same = std::ranges::find_if(rollout->steps, [&](const RolloutStep& other) {
      return other.step == step.step && other.extent.begin < step.begin + step.duration && step.begin < other.extent.end;
    });
    if (same != rollout->steps.end()) run_.look_at_step(static_cast<std::uint32_t>(same - rollout->steps.begin()));
  }
  if (step.duration > 0) fit_step({step.begin, step.begin + step.duration});
}

const StepSource* Workspace::step_source() const {
  const RunData& data = run_.data();
  if (data.rollout || data.training || !data.steps) return nullptr;
  if (state_.selection.has_slice()) {
    LaneId process = trace().row(trace().row_of(state_.selection.slice)).lane;
    while (trace().lane(process).parent != kNone<LaneId>) process = trace().lane(process).parent;
    const auto own = std::ranges::find_if(*data.steps, [&](const StepSource& s) {
      return s.kind == StepsOf::Marked && s.process == process && s.steps.size() > 1;
    });
    if (own != data.steps->end()) return &*own;
  }
  const auto several = std::ranges::find_if(*data.steps, [](const StepSource& s) { return s.steps.size() > 1; });
  return several == data.steps->end() ? &data.steps->front() : &*several;
}

std::optional<std::uint32_t> Workspace::marked_step() const {
  const StepSource* const source = step_source();
  if (!source || state_.motion.fitted) return std::nullopt;
  const double middle = state_.motion.view.target.begin + state_.motion.view.target.span / 2;
  const auto after = std::ranges::partition_point(
      source->steps, [&](const StepRange& s) { return static_cast<double>(s.range.begin) <= middle; });
  if (after == source->steps.begin()) return std::nullopt;
  return static_cast<std::uint32_t>(after - source->steps.begin() - 1);
}

void Workspace::on(const command::GoToMarkedStep& c) {
  const StepSource* const source = step_source();
  if (!source || c.step >= source->steps.size()) return;
  const StepRange& wanted = source->steps[c.step];
  if (source->kind == StepsOf::Pipeline) run_.set_chart(std::string(kPipelineStep), std::to_string(wanted.number));
  fit_step(wanted.range);
}

// Counts from the current step. If there is none, counts from before the first or after the last; marked steps have none while
// everything is in sight.
void Workspace::next_step(bool forward) {
  if (next_step_of_halves(forward)) return;
  const auto step_from = [&](std::optional<std::uint32_t> at, std::size_t count) -> std::optional<std::uint32_t> {
    if (!at) return forward ? 0u : static_cast<std::uint32_t>(count - 1);
    if (forward ? *at + 1 >= count : *at == 0) return std::nullopt;
    return forward ? *at + 1 : *at - 1;
  };
  if (run_.rollout()) {
    const std::optional<std::uint32_t> step = run_.question().step;
    if (!step) return;
    if (const auto next = step_from(step, run_.rollout()->steps.size())) on(command::GoToStep{*next});
  } else if (const Training* const training = run_.training()) {
    const TrainingRun& run = run_in_question(*training, run_.question().settings);
    const auto& number = run_.question().training_step;
    // Steps without duration (a validation before the first step) have no place on the timeline.
    const auto takes_time = [&](std::uint32_t s) { return training->log().steps[run.records[s]].duration > 0; };
    auto next = step_from(number ? run.index_of(*number) : std::nullopt, run.steps.size());
    while (next && !takes_time(*next)) next = step_from(next, run.steps.size());
    if (next) on(command::GoToTrainingStep{run.records[*next]});
  } else if (const StepSource* const source = step_source()) {
    if (const auto next = step_from(marked_step(), source->steps.size())) on(command::GoToMarkedStep{*next});
  }
}

void Workspace::last_step() {
  if (const Rollout* const rollout = run_.rollout(); rollout && !rollout->steps.empty()) {
    return on(command::GoToStep{static_cast<std::uint32_t>(rollout->steps.size() - 1)});
  }
  if (const Training* const training = run_.training()) {
    const TrainingRun& run = run_in_question(*training, run_.question().settings);
    const auto in_time = std::ranges::find_if(run.records.rbegin(), run.records.rend(), [&](std::uint32_t record) {
      return training->log().steps[record].duration > 0;
    });
    if (in_time != run.records.rend()) return on(command::GoToTrainingStep{*in_time});
  }
  if (const StepSource* const source = step_source()) {
    return on(command::GoToMarkedStep{static_cast<std::uint32_t>(source->steps.size() - 1)});
  }
  const TimeRange all = reach();
  go(clamp({static_cast<double>(all.end) - state_.motion.view.target.span, state_.motion.view.target.span}, all));
}

// Choosing a step in the pipeline chart also brings it into view on the timeline.
void Workspace::on(const command::SetChart& c) {
  run_.set_chart(c.setting, c.value);
  if (c.setting == kCommunicationRules) {
    color_anew();  // colours distinguish communication from computing
    ++state_.halves.layout_version;  // drawings have the old colours
    return;
  }
  if (c.setting != kPipelineStep || !run_.data().pipelines) return;
  const std::int64_t number = run_.question().settings.whole_number(kPipelineStep).value_or(-1);
  for (const PipelineSummary& run : *run_.data().pipelines) {
    const auto step = std::ranges::find(run.steps, number, &PipelineStepSummary::number);
    if (step != run.steps.end()) return fit_step(step->span);
  }
}

void Workspace::on(const command::GoToWorkerStep& c) {
  const Rollout* const rollout = run_.rollout();
  if (!rollout || c.worker_step >= rollout->worker_steps.size()) return;
  const WorkerStep& part = rollout->worker_steps[c.worker_step];
  on(command::GoToStep{part.step});
  run_.look_at_worker_step(c.worker_step);
  if (part.first == part.end || rollout->trace != snapshot_->trace) return;
  // Scroll to the top of the lane, where its name is visible. At one of hundreds of requests the name might be out of sight.
  const SliceId slice = rollout->slice[part.first];
  if (slice != kNone<SliceId>) show_lane(trace().row(trace().row_of(slice)).lane);
}

void Workspace::on(const command::RemoveFilter& c) { run_.remove_chip(c.index), visit(); }
void Workspace::on(const command::BrushRequests& c) { run_.set_brush(c.expression, c.chart); }
void Workspace::on(const command::SelectRequest& c) { select_request(c.request, c.fit); }
void Workspace::on(const command::NextStep& c) { c.last ? last_step() : next_step(c.forward); }
void Workspace::on(const command::ToggleScriptReading&) { run_.toggle_script_reading(); }

void Workspace::on(const command::FilterRequests& c) {
  run_.add_chip(c.expression);
  visit();
}

}  // namespace tv
