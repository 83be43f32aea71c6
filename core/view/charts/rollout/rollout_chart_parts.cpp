#include "core/view/charts/rollout/rollout_chart_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/filter/request_filter.h"
#include "core/analysis/rollout/worker_phases.h"
#include "core/base/text/count_text.h"
#include "core/base/text/utf8.h"
#include "core/base/time.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/color/phase_colors.h"

namespace tv {
namespace {

constexpr std::string_view kDurationAxis = "duration_axis", kLogarithmic = "log";
constexpr std::size_t kNamedSteps = 3;  // more steps are only counted

// "step 2", "steps 1, 2 and 5", "steps 1 to 8", "12 steps"; if there are several runs, "run 1, step 2; run 2, step 1" or "5 steps".
std::string steps_text(const Rollout& rollout, const std::vector<std::uint32_t>& steps) {
  if (steps.empty()) return "no step";
  if (steps.size() == 1) return rollout.step_name(steps.front());
  if (rollout.runs.size() > 1) {
    return steps.size() == 2 ? rollout.step_name(steps[0]) + "; " + rollout.step_name(steps[1])
                             : fmt::format("{} steps", steps.size());
  }
  // In 64 bits, because the difference of two numbers of 32 bits may not fit into these.
  const auto number = [&](std::size_t s) -> std::int64_t { return rollout.steps[steps[s]].step; };
  const bool in_a_row = number(steps.size() - 1) - number(0) + 1 == static_cast<std::int64_t>(steps.size());
  if (steps.size() > 2 && in_a_row) return fmt::format("steps {} to {}", number(0), number(steps.size() - 1));
  if (steps.size() > kNamedSteps) return fmt::format("{} steps", steps.size());
  std::string out = "steps ";
  for (std::size_t s = 0; s < steps.size(); ++s) {
    out += fmt::format("{}{}", s == 0 ? "" : s + 1 == steps.size() ? " and " : ", ", number(s));
  }
  return out;
}

bool any_step_in(const Rollout& rollout, const Scope& area) {
  return std::ranges::any_of(rollout.steps, [&](const RolloutStep& s) { return area.touches(s.extent.begin, s.extent.end); });
}

}  // namespace

int phase_color(RequestPhase phase) {
  constexpr std::array kColors = {0, 1, 3, 4, 6, 9};
  static_assert(kColors.size() == kRequestPhases);
  return kColors[static_cast<std::size_t>(phase)];
}

int event_color(std::string_view event) { return color_of_phase(event); }

std::string event_title(std::string_view event) {
  constexpr std::string_view kEnd = "_duration";
  if (event.ends_with(kEnd)) event.remove_suffix(kEnd.size());
  return std::string(event);
}

ChartAxis duration_axis(bool log) {
  ChartAxis axis;
  axis.title = "request duration (s)";
  axis.unit = ChartUnit::Seconds;
  axis.from_zero = !log;
  axis.log = log;
  axis.field = "dur";
  return axis;
}

bool logarithmic_durations(const ChartSettings& settings) { return settings.text(kDurationAxis) == kLogarithmic; }

ChartControl duration_axis_control(const ChartSettings& settings) {
  return choice_control(settings, std::string(kDurationAxis), "durations", "The axis of durations",
                        {{"", "linear"}, {std::string(kLogarithmic), "logarithmic"}});
}

void set_cdf_axes(Chart& chart, bool log_x) {
  chart.x = duration_axis(log_x);
  chart.y.title = "requests done (%)";
  chart.y.unit = ChartUnit::Percent;
  chart.y.least = 0;
  chart.y.most = 100;
}

StepAxis step_axis(const Rollout& rollout) {
  StepAxis out;
  out.axis.title = "step";
  out.axis.unit = ChartUnit::Count;
  const bool several_runs = !rollout.steps.empty() && rollout.steps.front().run != rollout.steps.back().run;
  if (!several_runs) out.axis.field = "step";
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    out.x.push_back(several_runs ? s : rollout.steps[s].step);
    if (several_runs) out.axis.categories.push_back(rollout.step_name(s));
  }
  return out;
}

ChartTarget step_target(std::uint32_t step) { return {ChartTarget::Kind::Step, step}; }
ChartTarget request_target(RequestIx request) { return {ChartTarget::Kind::Request, request}; }
ChartTarget worker_step_target(std::uint32_t worker_step) { return {ChartTarget::Kind::WorkerStep, worker_step}; }

ChartTarget filter_target(Chart& chart, std::string expression) {
  chart.filters.push_back(std::move(expression));
  return {ChartTarget::Kind::Filter, static_cast<std::uint32_t>(chart.filters.size() - 1)};
}

std::string target_filter(const Rollout& rollout, const Chart& chart, const ChartTarget& target) {
  const auto in_range = [&target](const auto& all) { return target.id < all.size(); };
  switch (target.kind) {
    case ChartTarget::Kind::Request:
      return in_range(rollout.row) ? fmt::format("id=={}", quoted_text(rollout.id(target.id))) : std::string();
    case ChartTarget::Kind::Step: return in_range(rollout.steps) ? step_filter(rollout, target.id) : std::string();
    case ChartTarget::Kind::WorkerStep: {
      if (!in_range(rollout.worker_steps)) return {};
      const WorkerStep& file = rollout.worker_steps[target.id];
      return fmt::format("{} && worker=={}", step_filter(rollout, file.step), rollout.workers[file.worker]);
    }
    case ChartTarget::Kind::TrainingStep:
    case ChartTarget::Kind::Setting:
    case ChartTarget::Kind::Place: break;
    case ChartTarget::Kind::Filter:
      return in_range(chart.filters) ? both_filters(chart.within, chart.filters[target.id]) : std::string();
    case ChartTarget::Kind::None: break;
  }
  return {};
}

std::optional<std::uint32_t> step_of_number(const Rollout& rollout, std::int64_t number) {
  const auto found = std::ranges::find(rollout.steps, number, &RolloutStep::step);
  if (found == rollout.steps.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - rollout.steps.begin());
}

std::optional<std::uint32_t> step_in_question(const Rollout& rollout, const ChartQuestion& question) {
  if (question.step && *question.step < rollout.steps.size()) return question.step;
  if (question.of_selection && !question.requests.empty()) {
    // The step with the most selected requests.
    std::vector<std::size_t> requests(rollout.steps.size(), 0);
    for (const RequestIx r : question.requests) ++requests[rollout.step[r]];
    return static_cast<std::uint32_t>(std::ranges::max_element(requests) - requests.begin());
  }
  if (question.request && *question.request < rollout.size()) return rollout.step[*question.request];
  if (rollout.steps.empty()) return std::nullopt;
  const auto longest =
      std::ranges::max_element(rollout.steps, {}, [](const RolloutStep& s) { return s.extent.length(); });
  return static_cast<std::uint32_t>(longest - rollout.steps.begin());
}

std::vector<std::uint32_t> steps_of_requests(const Rollout& rollout, const RequestSet& requests) {
  std::vector<std::uint32_t> out;
  for (const RequestIx r : requests) {
    if (out.empty() || out.back() != rollout.step[r]) out.push_back(rollout.step[r]);
  }
  return out;
}

RequestSet requests_in_question(const Rollout& rollout, const ChartQuestion& question) {
  RequestSet out;
  std::ranges::copy_if(question.requests, std::back_inserter(out), [&](RequestIx r) {
    return (!question.step || rollout.step[r] == *question.step) &&
           (!question.worker || rollout.worker[r] == *question.worker);
  });
  return out;
}

std::string scope_words(const Rollout& rollout, const ChartQuestion& question) {
  std::string out = "all steps";
  if (question.step && *question.step < rollout.steps.size()) {
    out = rollout.step_name(*question.step);
  } else if (question.of_selection) {
    out = steps_text(rollout, steps_of_requests(rollout, question.requests));
  }
  if (question.worker && *question.worker < rollout.workers.size()) {
    out += fmt::format(", worker {}", rollout.workers[*question.worker]);
  }
  return question.in_area.empty() ? out : out + ", " + question.in_area;
}

std::string scope_filter(const Rollout& rollout, const ChartQuestion& question) {
  std::string out = question.step && *question.step < rollout.steps.size() ? step_filter(rollout, *question.step) : "";
  if (question.worker && *question.worker < rollout.workers.size()) {
    out = both_filters(out, fmt::format("worker=={}", rollout.workers[*question.worker]));
  }
  return out;
}

std::vector<bool> steps_in_area(const Rollout& rollout, const ChartQuestion& question) {
  if (!question.area || !any_step_in(rollout, *question.area)) return std::vector<bool>(rollout.steps.size(), true);
  std::vector<bool> in_area;
  for (const RolloutStep& step : rollout.steps) in_area.push_back(question.area->touches(step.extent.begin, step.extent.end));
  return in_area;
}

std::string steps_in_area_words(const Rollout& rollout, const ChartQuestion& question) {
  if (!question.area) return {};
  return (any_step_in(rollout, *question.area) ? "steps that touch " : "all data: no step touches ") + words_of(*question.area);
}

std::string scope_text(const Rollout& rollout, const ChartQuestion& question, std::size_t requests) {
  const std::string out = scope_words(rollout, question);
  std::vector<bool> step_counts(rollout.steps.size(), !question.of_selection || question.step);
  for (const RequestIx r : question.of_selection ? question.requests : RequestSet()) step_counts[rollout.step[r]] = true;
  std::size_t all = 0;
  for (RequestIx r = 0; r < rollout.size(); ++r) {
    all += step_counts[rollout.step[r]] && (!question.step || rollout.step[r] == *question.step) &&
           (!question.worker || rollout.worker[r] == *question.worker);
  }
  const std::string selected = requests == all ? std::string() : format_count(requests) + " of ";
  return out + fmt::format(" ({}{} {})", selected, format_count(all), all == 1 ? "request" : "requests");
}

std::vector<ChartFact> summary_facts(const Summary& summary) {
  return {{"n", count_cell(summary.n)},
          {"mean", seconds_cell(summary.mean)},
          {"median", seconds_cell(summary.median)},
          {"std", seconds_cell(summary.std)},
          {"min", seconds_cell(summary.min)},
          {"max", seconds_cell(summary.max)}};
}

std::string short_id(std::string_view id) { return std::string(utf8_prefix(id, 8)); }

}  // namespace tv
