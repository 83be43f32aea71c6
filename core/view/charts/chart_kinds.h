// The table of charts: functions that make charts from the data of a run and what the user asks. The window's panels, `traceview
// report` and its CSV files all use this table, so they show the same. To add a chart: put its numbers into core/analysis, its
// function into this folder, and a line into the table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/run/run_data.h"
#include "core/analysis/scope/scope.h"
#include "core/view/chart/chart.h"
#include "core/view/chart/chart_controls.h"

namespace tv {

/// What the user asks of the charts. It has indices into the data, not pointers, so it can be stored and compared.
struct ChartQuestion {
  RequestSet requests;                    ///< the selected requests; charts of requests use these
  std::optional<std::uint32_t> step;      ///< charts of one step show it; none: all steps, or see of_selection
  std::optional<std::uint32_t> worker;    ///< index into Rollout::workers
  /// An area or a brush has singled out the requests: charts of one step show these, whatever their steps. If they all have one
  /// step or worker, `step` and `worker` are set to it.
  bool of_selection = false;
  std::optional<Scope> area;              ///< charts that count time count it in this area
  std::string in_area;                    ///< how the area limits the requests, in words; empty: it does not
  std::string only;                       ///< expressions that select the requests, in words; empty: none
  std::optional<RequestIx> request;
  /// The number of the current step of a training log.
  std::optional<std::int64_t> training_step;
  /// Charts of the slices of one name use this name; none: the leading one (durations.h).
  std::optional<LabelId> label;
  bool as_script = false;                 ///< compute as verl's scripts do, where they differ
  ChartSettings settings;                 ///< values of ChartKind::controls
  bool operator==(const ChartQuestion&) const = default;
};

enum class ChartScope : std::uint8_t {
  Run,   ///< one set of charts for all steps
  Step,  ///< for the current step
};

struct ChartKind {
  std::string_view id;     ///< of its panel, and of its files in a report
  std::string_view title;  ///< of the panel
  std::string_view hint;   ///< the question it answers
  ChartScope scope;
  std::vector<Chart> (*make)(const RunData& data, const ChartQuestion& question);  ///< requires data.has(of)
  bool differs_as_script;  ///< verl's script computes it differently, so there are two readings
  bool of_script = false;  ///< one of verl's scripts draws it
  bool of_requests = true; ///< shows the selected requests; else always the whole rollout
  /// The settings of the chart. Null: none.
  std::vector<ChartControl> (*controls)(const RunData& data, const ChartSettings& settings) = nullptr;
  RunPart of = RunPart::Rollout;  ///< its subject
  bool follows_area = true;       ///< else it always shows the whole run, and says so if an area is selected

  /// Whether verl's scripts compute the same thing differently. False if all training logs come from other programs.
  bool has_two_readings(const RunData& data) const;
};

/// Calls kind.make() for the question's area. Each chart's title names the area and the selected requests.
std::vector<Chart> make_charts(const ChartKind& kind, const RunData& data, const ChartQuestion& question);

std::span<const ChartKind> chart_kinds();
/// The controls of all kinds that have data. A control that several kinds share is listed once.
std::vector<ChartControl> all_controls(const RunData& data, const ChartSettings& settings);

}  // namespace tv
