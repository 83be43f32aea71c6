// The charts of a rollout: a table of functions from the analysed rollout and what is selected to what is drawn. The window's
// panels, `traceview report` and its CSV files all go through it, so they show the same.
// A new chart: its numbers in core/analysis, its function here, a line in the table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/rollout.h"
#include "core/view/chart.h"
#include "core/view/chart_controls.h"

namespace tv {

/// What charts are asked about. Only the rollout's own indices, so a question can be kept and compared.
struct ChartQuestion {
  RequestSet requests;                    ///< what is selected; charts of requests look at these
  std::optional<std::uint32_t> step;      ///< the step that is looked at: charts of one step show it
  std::optional<std::uint32_t> worker;    ///< index into Rollout::workers
  std::optional<RequestIx> request;
  bool as_script = false;                 ///< as verl's scripts compute it, where that differs
  ChartSettings settings;                 ///< by the controls of ChartKind
  bool operator==(const ChartQuestion&) const = default;
};

enum class ChartScope : std::uint8_t {
  Run,   ///< one set of charts for all steps
  Step,  ///< of the step that is looked at
};

struct ChartKind {
  std::string_view id;     ///< of its panel, and of its files in a report
  std::string_view title;  ///< of the panel
  std::string_view hint;   ///< what question it answers
  ChartScope scope;
  std::vector<Chart> (*make)(const Rollout& rollout, const ChartQuestion& question);
  bool differs_as_script;  ///< has two readings
  bool of_script = false;  ///< one of verl's seven scripts draws it
  /// What can be set; null: nothing.
  std::vector<ChartControl> (*controls)(const Rollout& rollout, const ChartSettings& settings) = nullptr;
};

std::span<const ChartKind> rollout_charts();
/// Of all kinds; those that several share once.
std::vector<ChartControl> all_controls(const Rollout& rollout, const ChartSettings& settings);

}  // namespace tv
