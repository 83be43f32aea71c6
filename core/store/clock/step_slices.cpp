#include "core/store/clock/step_slices.h"

#include <fmt/format.h>

#include <algorithm>

namespace tv {

namespace {

constexpr Ns kLongestSum = 250LL * 365 * 86'400 * kSecond;  // sums of durations stay below, so that they do not overflow

// Computes the begin of the first step from the last mark with a known time.
void begin_by_marks(MetricLog& log) {
  const StepMark* known = nullptr;
  for (const StepMark& mark : log.marks) {
    if (mark.time != kNoPlace && (!known || mark.steps_before > known->steps_before)) known = &mark;
  }
  if (!known) return;
  Ns at = known->time;
  const auto before = log.steps.begin() + std::min<std::ptrdiff_t>(known->steps_before, std::ssize(log.steps));
  for (auto step = log.steps.begin(); step != before; ++step) {
    if (step->duration < kLongestSum && at > -kLongestSum) at -= step->duration;
  }
  log.steps.front().begin = at;
}

}  // namespace

LaidOut lay_end_to_end(MetricLog& log) {
  const auto lasts = [](const MetricStep& s) { return s.duration > 0; };
  const bool any_lasts = std::ranges::any_of(log.steps, lasts);
  const auto counts = [&](const MetricStep& s) { return !any_lasts || lasts(s) ? 1u : 0u; };
  LaidOut out;
  for (const MetricStep& step : log.steps) out.steps += counts(step);
  const auto is_placed = [](const MetricStep& s) { return s.begin != kNoPlace; };
  if (!log.steps.empty() && std::ranges::none_of(log.steps, is_placed)) {
    begin_by_marks(log);
    if (is_placed(log.steps.front())) out.placed += counts(log.steps.front());
  }
  const auto first_placed = std::ranges::find_if(log.steps, is_placed);
  Ns at = 0;
  if (first_placed != log.steps.end()) {
    at = first_placed->begin;
    for (auto step = log.steps.begin(); step != first_placed && at > -kLongestSum; ++step) at -= step->duration;
  }
  for (MetricStep& step : log.steps) {
    // Steps beyond the range of the clock are shown as instants.
    if (step.duration > kLongestSum || at > kLongestSum - step.duration || at < -kLongestSum) {
      step.duration = 0;
      step.part_count = 0;
    }
    if (step.begin == kNoPlace) {
      step.begin = at;
      out.placed += counts(step);
    }
    at = step.begin + step.duration;
  }
  Ns mark_before = kNoPlace;
  for (StepMark& mark : log.marks) {
    const std::size_t before = std::min<std::size_t>(mark.steps_before, log.steps.size());
    if (mark.time == kNoPlace && before > 0) mark.time = log.steps[before - 1].begin + log.steps[before - 1].duration;
    if (mark.time == kNoPlace) mark.time = log.steps.empty() ? mark_before : log.steps.front().begin;
    mark_before = mark.time;
  }
  // Without any step or earlier known time, the time of a mark is unknown.
  std::erase_if(log.marks, [](const StepMark& mark) { return mark.time == kNoPlace; });
  return out;
}

std::string step_title(const MetricLog& log, const MetricStep& step) {
  const std::string& unit = log.files[step.file].unit;
  return step.first_step == step.step ? fmt::format("{} {}", unit, step.step)
                                      : fmt::format("{}..{} ({} {}s)", step.first_step, step.step, step.step - step.first_step + 1, unit);
}

EventBatch step_batch(const MetricLog& log) {
  EventBatch batch;
  const auto track = static_cast<std::uint32_t>(batch.tracks.intern(kStepTrack));
  SliceColumns slices;
  for (const MetricStep& step : log.steps) {
    const LabelId label = batch.labels.intern("step", step_title(log, step));
    if (step.duration <= 0) {
      batch.instants.push_back({track, label, step.begin, step.offset});
      continue;
    }
    slices.add(track, step.begin, step.duration, label, kNoGroup, step.offset, 0);
    Ns at = step.begin;
    for (std::uint32_t p = 0; p < step.part_count; ++p) {
      const MetricPart& part = log.parts[step.first_part + p];
      slices.add(track, at, part.duration, batch.labels.intern("training", log.name(part.name)), kNoGroup, step.offset, 0);
      at += part.duration;
    }
  }
  for (const StepMark& mark : log.marks) {
    batch.instants.push_back({track, batch.labels.intern("mark", log.name(mark.name)), mark.time, mark.offset});
  }
  batch.slices = SliceBlock(slices);
  return batch;
}

}  // namespace tv
