// Common parts of the charts of a rollout: an axis of steps, the requests in question and their description, colours of phases and
// events. Colours are numbers of the chart palette; a phase has the same colour everywhere. Cost: O(steps + requests in question).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/analysis/statistics/summary.h"
#include "core/view/chart/chart.h"
#include "core/view/charts/chart_kinds.h"
#include "core/view/words/number_words.h"

namespace tv {

int phase_color(RequestPhase phase);
int event_color(std::string_view event);
/// "async_generate_duration" -> "async_generate".
std::string event_title(std::string_view event);

/// Positions of Rollout::steps on an axis. Steps of one run are at their numbers; those of several runs are categories, in order.
struct StepAxis {
  ChartAxis axis;
  std::vector<double> x;  ///< per step
};
StepAxis step_axis(const Rollout& rollout);
/// An axis of request durations in seconds, by which brushing filters. Logarithmic if `log`.
ChartAxis duration_axis(bool log);
/// The axes of a distribution of durations: seconds, and per cent from 0 to 100.
void set_cdf_axes(Chart& chart, bool log_x);
bool logarithmic_durations(const ChartSettings& settings);
ChartControl duration_axis_control(const ChartSettings& settings);
ChartTarget step_target(std::uint32_t step);
ChartTarget request_target(RequestIx request);
ChartTarget worker_step_target(std::uint32_t worker_step);
/// Selects the requests for which the expression holds (request_filter.h); added to Chart::filters.
ChartTarget filter_target(Chart& chart, std::string expression);

/// The requests that a mark stands for, as a filter; empty if it does not stand for requests.
std::string target_filter(const Rollout& rollout, const Chart& chart, const ChartTarget& target);

/// The step with this number (the first one if there are several runs). None if no step has it.
std::optional<std::uint32_t> step_of_number(const Rollout& rollout, std::int64_t number);
/// The step in question: the chosen one, that of most selected requests, that of the chosen request, or the longest. None if
/// there are no steps.
std::optional<std::uint32_t> step_in_question(const Rollout& rollout, const ChartQuestion& question);

/// The steps of the requests, in order. Requests are sorted by step.
std::vector<std::uint32_t> steps_of_requests(const Rollout& rollout, const RequestSet& requests);
/// The question's requests that belong to its step and worker, if it has them.
RequestSet requests_in_question(const Rollout& rollout, const ChartQuestion& question);
/// "step 32, worker 0 (130 requests)", "all steps (40 of 192 requests)", "steps 1 and 2, in 3.03 s of 5 lanes (...)".
std::string scope_text(const Rollout& rollout, const ChartQuestion& question, std::size_t requests);
/// The same without the number of requests.
std::string scope_words(const Rollout& rollout, const ChartQuestion& question);
/// Step and worker of the question as a filter; brushes in its charts are combined with it (Chart::within).
std::string scope_filter(const Rollout& rollout, const ChartQuestion& question);
/// Per step: whether it touches the question's area. True for all steps if there is no area, or if no step touches it.
std::vector<bool> steps_in_area(const Rollout& rollout, const ChartQuestion& question);
/// For charts of whole steps: "steps that touch 3.03 s of 5 lanes", or that no step does. Empty if there is no area.
std::string steps_in_area_words(const Rollout& rollout, const ChartQuestion& question);

/// n, mean, median, std, min, max.
std::vector<ChartFact> summary_facts(const Summary& summary);

/// The first eight bytes, without a character that they would cut: enough to distinguish requests.
std::string short_id(std::string_view id);

inline constexpr std::string_view kNoRequests = "No complete request is selected";

}  // namespace tv
