// The charts: a table of functions from the data of a run and the selection to a chart. The window's panels,
// `traceview report` and its CSV files all go through it, so they show the same.
// A new chart: its numbers in core/analysis, its function here, a line in the table.
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

/// The question that charts answer. It has only indices into the data, so it can be kept and compared.
struct ChartQuestion {
  RequestSet requests;                    ///< the selected requests; charts of requests use these
  std::optional<std::uint32_t> step;      ///< charts of one step show it; none: of all, or see of_selection
  std::optional<std::uint32_t> worker;    ///< index into Rollout::workers
  /// An area or a brush has singled out the requests: charts of one step show these, whatever steps they are of. `step`
  /// and `worker` are then theirs where they have but one.
  bool of_selection = false;
  std::optional<Scope> area;              ///< charts that count time count it there
  std::string in_area;                    ///< how that limits the requests, in words; empty: it does not
  std::string only;                       ///< by which expressions requests were selected, in words; empty: by none
  std::optional<RequestIx> request;
  /// The number of the current step of a training log.
  std::optional<std::int64_t> training_step;
  /// Charts of the slices of one name show those of this one; none: of the leading name (durations.h).
  std::optional<LabelId> label;
  bool as_script = false;                 ///< as verl's scripts compute it, where that differs
  ChartSettings settings;                 ///< by the controls of ChartKind
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
  std::vector<Chart> (*make)(const RunData& data, const ChartQuestion& question);  ///< data.has(of)
  bool differs_as_script;  ///< has two readings
  bool of_script = false;  ///< one of verl's scripts draws it
  bool of_requests = true; ///< looks at those that are selected; else always at the whole rollout
  /// The settings of the chart. Null: none.
  std::vector<ChartControl> (*controls)(const RunData& data, const ChartSettings& settings) = nullptr;
  RunPart of = RunPart::Rollout;  ///< its subject
  bool follows_area = true;       ///< else it is of the whole run, and says so where an area is selected

  /// Whether verl's scripts compute the same in a different way. False if all training logs come from other programs.
  bool has_two_readings(const RunData& data) const;
};

/// kind.make() for the question's area. Each chart's title says the area, and which requests were selected.
std::vector<Chart> make_charts(const ChartKind& kind, const RunData& data, const ChartQuestion& question);

std::span<const ChartKind> chart_kinds();
/// For all kinds that have data. A control that several kinds share is listed once.
std::vector<ChartControl> all_controls(const RunData& data, const ChartSettings& settings);

}  // namespace tv
