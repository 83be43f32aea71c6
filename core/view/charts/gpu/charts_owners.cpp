// Who owns the GPUs' time: operators, modules, marked ranges, functions, or whole paths.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/owners/owner_sums.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/words/number_words.h"

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

std::string name_of(const OwnerTime& row, OwnerBy by) {
  switch (row.why) {
    case NoOwner::Owned: return row.name;
    case NoOwner::NoLaunch: return "(no launch was recorded)";
    case NoOwner::Outside: break;
  }
  return fmt::format("(launched outside {})", by == OwnerBy::Path ? "everything" : words_of_owners(by).many);
}

// The kind of owner that the trace is most likely to have.
OwnerBy usual_owner(const Trace& trace) {
  std::array<bool, kOwnerKinds> any{};
  for (std::size_t l = 0; l < trace.labels.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    if (const auto kind = owner_kind(trace.labels.category(label), trace.labels.name(label))) any[static_cast<std::size_t>(*kind)] = true;
  }
  if (any[static_cast<std::size_t>(OwnerKind::Operator)]) return OwnerBy::Operator;
  return any[static_cast<std::size_t>(OwnerKind::Range)] ? OwnerBy::Range : OwnerBy::Function;
}

OwnerBy asked_owner(const Trace& trace, const ChartSettings& settings) {
  for (std::size_t b = 0; b < kOwnerBys; ++b) {
    if (name(static_cast<OwnerBy>(b)) == settings.text(kOwnersBy)) return static_cast<OwnerBy>(b);
  }
  return usual_owner(trace);
}

std::string title_of(const OwnerTimes& times, OwnerBy by) {
  const auto n = static_cast<std::size_t>(std::ranges::count(times.rows, NoOwner::Owned, &OwnerTime::why));
  const auto [one, many] = words_of_owners(by);
  return fmt::format("GPU time by {}: {} own {:.1f} % of {}", one, count_text(n, one, many), percent_of(times.owned(), times.all),
                     format_duration(times.all));
}

}  // namespace

std::vector<Chart> owner_charts(const RunData& data, const ChartQuestion& question) {
  ThreadPool pool = background_pool();
  const GpuActivity& activity = *data.gpu;
  const Trace& trace = *activity.trace;
  const OwnerBy by = asked_owner(trace, question.settings);
  const OwnerTimes times = owner_times(activity, owner_paths(activity, pool), by);
  Chart chart;
  chart.id = fmt::format("owners_{}", name(by));
  chart.title = title_of(times, by);
  chart.note = kOwnersNote;
  if (activity.scope) chart.scope = "in " + words_of(*activity.scope, activity.on_lanes ? "" : "all streams");
  chart.x.title = "GPU time (s)";
  chart.x.unit = ChartUnit::Seconds;
  ChartTable& table = chart.table.emplace();
  const bool any_backward = std::ranges::any_of(times.rows, [](const OwnerTime& row) { return row.backward > 0; });
  table.columns = {{std::string(words_of_owners(by).one)}, {"own", true}, {"%", true}, {"with all inside", true}, {"%", true},
                   {"times", true}};
  if (any_backward) table.columns.push_back({"backward", true});
  table.columns.push_back({"longest"});
  std::vector<std::string> names;
  for (const OwnerTime& row : times.rows) {
    if (names.size() == kMostOwnerRows) break;
    names.push_back(name_of(row, by));
  }
  const std::vector<std::string> shown = short_kernels(names, kOwnerLetters);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const OwnerTime& row = times.rows[i];
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
           {{"", kComputeColor, false, [&](std::size_t i) { return to_seconds(times.rows[i].own); }}},
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
