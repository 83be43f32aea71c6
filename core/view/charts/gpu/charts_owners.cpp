// Who owns the GPUs' time: operators, modules, marked ranges, functions, or whole paths.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/owners/owner_sums.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/words/chart_text.h"
#include "core/view/words/number_words.h"
#include "core/view/words/short_name.h"

namespace tv {
namespace {

constexpr std::string_view kOwnersNote =
    "Each kernel, copy, memset and graph counts for the innermost owner around the call that launched it; \"with all inside\" adds "
    "what is launched within owners further inside. Work of the backward pass belongs to the module of its forward operator if an "
    "arrow leads there. Work of parallel streams counts in full, so times can add up to more than has passed. All rows of \"own\" "
    "add up to all work, also that without an owner.";
constexpr std::size_t kOwnerBars = 15, kMostOwnerRows = 1000, kOwnerLetters = 60;

struct OwnerWords {
  std::string_view one, many;
};
OwnerWords words_of_owners(OwnerBy by) {
  constexpr std::array<OwnerWords, kOwnerBys> kWords = {
      {{"operator", "operators"}, {"module", "modules"}, {"marked range", "marked ranges"}, {"function", "functions"}, {"path", "paths"}}};
  return kWords[static_cast<std::size_t>(by)];
}

std::string shown_name(const Trace& trace, const OwnerPaths& paths, const OwnerTime& row, OwnerBy by) {
  switch (row.why) {
    case NoOwner::Owned: return chart_one_line(name_of(trace, paths, row, by));
    case NoOwner::NoLaunch: return "(no launch was recorded)";
    case NoOwner::Outside: break;
  }
  return fmt::format("(launched outside {})", by == OwnerBy::Path ? "everything" : words_of_owners(by).many);
}

// The kind of owner that tells most, of those around the launches.
OwnerBy usual_owner(const OwnerPaths& paths) {
  const auto any = [&](OwnerKind kind) { return std::ranges::find(paths.nodes, kind, &OwnerNode::kind) != paths.nodes.end(); };
  if (any(OwnerKind::Operator)) return OwnerBy::Operator;
  return any(OwnerKind::Range) ? OwnerBy::Range : OwnerBy::Function;
}

OwnerBy asked_owner(const OwnerPaths& paths, const ChartSettings& settings) {
  for (std::size_t b = 0; b < kOwnerBys; ++b) {
    if (name(static_cast<OwnerBy>(b)) == settings.text(kOwnersBy)) return static_cast<OwnerBy>(b);
  }
  return usual_owner(paths);
}

std::string title_of(const GpuActivity& activity, const OwnerTimes& times, OwnerBy by) {
  const auto owns = [](const OwnerTime& row) { return row.why == NoOwner::Owned && row.count > 0; };
  const auto n = static_cast<std::size_t>(std::ranges::count_if(times.rows, owns));
  const auto [one, many] = words_of_owners(by);
  return fmt::format("{} time by {}: {} {} {:.1f} % of {}", device_noun(activity), one, count_text(n, one, many), n == 1 ? "owns" : "own",
                     percent_of(times.owned(), times.all), format_duration(times.all));
}

// The first rows, and those without an owner.
std::vector<OwnerTime> rows_shown(const OwnerTimes& times) {
  std::vector<OwnerTime> rows;
  for (const OwnerTime& row : times.rows) {
    if (rows.size() < kMostOwnerRows || row.why != NoOwner::Owned) rows.push_back(row);
  }
  return rows;
}

}  // namespace

std::vector<Chart> owner_charts(const RunData& data, const ChartQuestion& question) {
  ThreadPool pool = background_pool();
  const GpuActivity& activity = *data.gpu;
  const Trace& trace = *activity.trace;
  const OwnerPaths paths = owner_paths(activity, pool);
  const OwnerBy by = asked_owner(paths, question.settings);
  const OwnerTimes times = owner_times(activity, paths, by);
  Chart chart;
  chart.id = fmt::format("owners_{}", name(by));
  chart.title = title_of(activity, times, by);
  chart.note = kOwnersNote;
  const auto is_unlaunched = [](const OwnerTime& row) { return row.why == NoOwner::NoLaunch; };
  if (std::ranges::all_of(times.rows, is_unlaunched)) {
    return {empty_chart(chart.id, "Owners of the time", why_no_launches(trace))};
  }
  const std::vector<OwnerTime> rows = rows_shown(times);
  if (rows.size() < times.rows.size()) {
    chart.note += fmt::format(" The table shows {} of {} rows.", format_count(rows.size()), format_count(times.rows.size()));
  }
  if (activity.scope) chart.scope = "in " + words_of(*activity.scope, activity.on_lanes ? "" : "all streams");
  chart.x.title = "GPU time (s)";
  chart.x.unit = ChartUnit::Seconds;
  ChartTable& table = chart.table.emplace();
  const bool any_backward = std::ranges::any_of(rows, [](const OwnerTime& row) { return row.backward > 0; });
  table.columns = {{std::string(words_of_owners(by).one)}, {"own", true}, {"%", true}, {"with all inside", true}, {"%", true},
                   {"times", true}};
  if (any_backward) table.columns.push_back({"backward", true});
  table.columns.push_back({"longest"});
  std::vector<std::string> names;
  for (const OwnerTime& row : rows) names.push_back(shown_name(trace, paths, row, by));
  const std::vector<std::string> shown = distinct_cuts(names, kOwnerLetters);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const OwnerTime& row = rows[i];
    std::vector<ChartCell>& cells = table.rows.emplace_back(std::vector<ChartCell>{
        name_cell(shown[i], names[i]), duration_cell(row.own), number_cell(percent_of(row.own, times.all), 1),
        duration_cell(row.total), number_cell(percent_of(row.total, times.all), 1), count_cell(row.count)});
    if (any_backward) cells.push_back(duration_cell(row.backward));
    cells.push_back(slice_cell(trace, row.longest, 48));
    table.targets.push_back(slice_target(chart, trace, row.longest));
  }
  const std::size_t bars = std::min(names.size(), kOwnerBars);
  chart.y.full_categories.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(bars));
  add_bars(chart, {shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(bars)},
           {{"", kComputeColor, false, [&](std::size_t i) { return to_seconds(rows[i].own); }}},
           [](double value) { return seconds_text(value); },
           {table.targets.begin(), table.targets.begin() + static_cast<std::ptrdiff_t>(bars)});
  std::vector<Chart> charts;
  charts.push_back(std::move(chart));
  return charts;
}

std::vector<ChartControl> owner_controls(const RunData&, const ChartSettings& settings) {
  std::vector<ChartControl::Choice> choices = {{"", "automatic"}};
  for (std::size_t b = 0; b < kOwnerBys; ++b) {
    const auto by = static_cast<OwnerBy>(b);
    choices.push_back({std::string(name(by)), std::string(meaning(by))});
  }
  return {choice_control(settings, std::string(kOwnersBy), "by", "Whose time is summed up", std::move(choices))};
}

}  // namespace tv
