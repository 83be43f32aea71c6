// The pace of repeated ranges, compared between ranks.
#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/statistics/summary.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"

namespace tv {
namespace {

constexpr std::string_view kPaceNote =
    "An iteration has the number in the name of its range. If the names have no numbers or these do not rise, iterations are "
    "counted from 0. A rank's line is from the thread, or the stream of its GPU, with the most time in the range.";
constexpr std::string_view kDeltaNote =
    "From the start of one iteration to the start of the next: what an iteration costs, including the time between them.";
constexpr std::size_t kMostPaceNames = 100;

std::vector<double> lengths_in_seconds(const PaceLine& line) {
  std::vector<double> out;
  for (const PaceTurn& turn : line.turns) out.push_back(to_seconds(turn.duration));
  return out;
}

ChartTable pace_table(Chart& chart, const Trace& trace, const std::vector<PaceLine>& lines) {
  ChartTable table;
  table.columns = {{"rank"},      {"turns", true}, {"mean", true},    {"median", true},    {"std", true},
                   {"min", true}, {"max", true},   {"longest", true}, {"mean delta", true}};
  for (const PaceLine& line : lines) {
    const Summary summary = summarize(lengths_in_seconds(line));
    const PaceTurn& longest = *std::ranges::max_element(line.turns, {}, &PaceTurn::duration);
    const Ns between = line.turns.back().begin - line.turns.front().begin;
    table.rows.push_back({line.name, count_cell(summary.n), seconds_cell(summary.mean), seconds_cell(summary.median),
                          seconds_cell(summary.std), seconds_cell(summary.min), seconds_cell(summary.max),
                          std::to_string(longest.number),
                          seconds_cell(line.turns.size() < 2
                                           ? kNotMeasured
                                           : to_seconds(between) / static_cast<double>(line.turns.size() - 1))});
    table.targets.push_back(slice_target(chart, trace, longest.slice));
  }
  return table;
}

Chart pace_chart(const Trace& trace, const std::vector<PaceLine>& lines, bool deltas) {
  Chart chart;
  chart.x.title = "turn";
  chart.x.unit = ChartUnit::Count;
  chart.y.unit = ChartUnit::Seconds;
  chart.y.from_zero = true;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    ChartSeries series;
    series.name = lines[l].name;
    series.mark = ChartSeries::Mark::LineAndDots;
    series.color = static_cast<int>(l);
    for (const PaceTurn& turn : lines[l].turns) {
      if (deltas && !turn.delta) continue;
      series.x.push_back(static_cast<double>(turn.number));
      series.y.push_back(to_seconds(deltas ? *turn.delta : turn.duration));
      series.targets.push_back(slice_target(chart, trace, turn.slice));
    }
    if (!series.x.empty()) chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) chart.empty = "No thread has two iterations here";
  return chart;
}

// The first name; none if it is only a part of a step, which users must ask for.
const PaceName* default_pace(const std::vector<PaceName>& names) {
  return names.empty() || names.front().mark >= IterationMark::Part ? nullptr : &names.front();
}

}  // namespace

const PaceName* chosen_pace(const std::vector<PaceName>& names, const ChartSettings& settings) {
  const auto chosen = std::ranges::find(names, settings.text(kPaceOf), &PaceName::text);
  if (chosen != names.end()) return &*chosen;
  return default_pace(names);
}

std::vector<Chart> pace_charts(const RunData& data, const ChartQuestion& question) {
  const PaceName* const name = chosen_pace(*data.paces, question.settings);
  if (!name) {
    return {empty_chart("pace", "Pace",
                        data.paces->empty() ? "No range marked by the program occurs three times on a thread"
                                            : "No range that marks an iteration repeats, only parts of iterations, "
                                              "which libraries mark. Choose one of these above")};
  }
  const Trace& trace = *data.gpu->trace;
  const std::optional<TimeRange> within = question.area ? std::optional(question.area->range) : std::nullopt;
  std::vector<PaceLine> lines = pace(trace, *name, within);
  std::string scope = within ? "iterations that touch " + words_of({*within, {}, question.area->step}) : std::string();
  if (within && lines.empty()) {
    scope = "all data: no iteration touches " + words_of({*within, {}, question.area->step});
    lines = pace(trace, *name);
  }
  std::vector<Chart> charts;
  Chart& length = charts.emplace_back(pace_chart(trace, lines, false));
  length.id = "pace";
  length.title = within ? fmt::format("Iterations of {}", name->text())
                        : fmt::format("Iterations of {}: {} of them, {}", name->text(), format_count(name->count),
                                      format_duration(name->total));
  length.note = kPaceNote;
  length.y.title = "length of an iteration (s)";
  length.table = pace_table(length, trace, lines);
  Chart& delta = charts.emplace_back(pace_chart(trace, lines, true));
  delta.id = "pace_delta";
  delta.title = fmt::format("From one {} to the next", name->text());
  delta.note = kDeltaNote;
  delta.y.title = "begin to begin (s)";
  for (Chart& chart : charts) chart.scope = scope;
  return charts;
}

std::vector<ChartControl> pace_controls(const RunData& data, const ChartSettings& settings) {
  std::vector<ChartControl::Choice> choices;
  if (!data.paces->empty() && !default_pace(*data.paces)) choices.push_back({"", "nothing chosen"});
  for (const PaceName& name : *data.paces) {
    if (choices.size() == kMostPaceNames) break;
    choices.push_back(
        {choices.empty() ? std::string() : name.text(),
         fmt::format("{}, {} times, {}", name.text(), format_count(name.count), format_duration(name.total))});
  }
  if (choices.size() < 2) return {};
  return {choice_control(settings, std::string(kPaceOf), "of", "The range that repeats: steps first, then those with the most time",
                         std::move(choices))};
}

}  // namespace tv
