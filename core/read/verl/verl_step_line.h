// Reads a line of metrics as verl's console logger prints it, "step:3 - timing_s/gen:4.137 - actor/lr:np.float64(1e-06)", and
// computes the parts of a training step from its metrics. Cost: one pass over the line. Source: verl's console, verl's file
// logger.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/store/draft/problem.h"
#include "core/store/logs/metric_log.h"

namespace tv {

/// The line of metrics that begins the text with "step:". It ends at a newline, at a carriage return, or before text that the
/// terminal or Ray appended. Nullopt if no such line begins the text.
std::optional<std::string_view> verl_step_line(std::string_view text);

/// Separates the items of a line of metrics.
inline constexpr std::string_view kBetweenMetrics = " - ";

struct VerlValue {
  double value = 0;
  bool plain = true;  ///< see MetricValue
};
/// A number, nan, inf, True, False, or one of these in np.float64(...).
std::optional<VerlValue> verl_value(std::string_view text);

/// Adds a step with the values of the line, which is at `offset` in its file. `ended`: more text follows the line; if not, the
/// last number may be incomplete and is left out.
void add_verl_line(std::string_view line, std::uint64_t offset, bool ended, MetricLog& log, ProblemLog& problems);

/// Adds a value to the step that was added last.
void add_metric(MetricLog& log, std::string_view name, VerlValue value);
/// Call when the last step has all its values: sets its parts and its length. Lengths that no step can have are left out and
/// reported.
void finish_verl_step(MetricLog& log, ProblemLog& problems);

}  // namespace tv
