// When GPUs were idle, and why.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/gpu/gpu_gaps.h"
#include "core/base/text/count_text.h"
#include "core/view/chart/chart_cell.h"
#include "core/view/charts/gpu/charts_gpu.h"
#include "core/view/charts/gpu/gpu_chart_parts.h"
#include "core/view/words/number_words.h"

namespace tv {
namespace {

constexpr std::string_view kGapNote =
    "A gap is a time in which no stream of the GPU does any work. The call that launched the next work divides the gap: "
    "the time until the call returned is the CPU's part, the time after that the queue's part. The larger part decides "
    "the cause. CPU had waited: when the gap began, the launching thread was in a call that waits for the GPU, so the "
    "queue was empty when that call returned. Late launch: the launching thread was busy with something else. Queued: "
    "the work was launched, but its stream waited for an event, another GPU or the host, or launching is slow. Launch "
    "unknown: no arrow leads from a launch to the work. \"CPU was in\" names the shortest slice of the launching thread "
    "that covers at least half of the CPU's part.";
constexpr std::size_t kMostGapRows = 500;
constexpr std::array<int, kGapCauses> kCauseColors = {1, 5, 0, 3};

ChartCell cause_text(const Trace& trace, const GpuGap& gap) {
  if (gap.cause != GapCause::after_sync) return meaning(gap.cause);
  return name_cell(fmt::format("{} in {}", meaning(gap.cause), slice_text(trace, gap.sync, 32)),
                   fmt::format("{} in {}", meaning(gap.cause), full_text(slice_cell(trace, gap.sync))));
}

ChartCell doing_cell(const Trace& trace, const GpuGap& gap) {
  if (gap.cause != GapCause::late_launch && gap.cause != GapCause::after_sync) return "-";
  if (gap.doing == kNone<SliceId>) return "nothing recorded";
  const ChartCell slice = slice_cell(trace, gap.doing, 48);
  return in_words(fmt::format("{} ({:.0f} %)", slice.text, percent_of(gap.doing_time, gap.of_cpu)), slice);
}

Chart gap_list(const GpuActivity& activity, const GpuGaps& gaps) {
  const Trace& trace = *activity.trace;
  Chart chart;
  chart.id = "gpu_gaps";
  chart.title = "The longest gaps";
  chart.note = kGapNote;
  ChartTable& table = chart.table.emplace();
  table.columns = {{"length", true}, {"GPU"},          {"cause"},     {"CPU was in"},
                   {"began after"},  {"ended before"}, {"from", true}};
  for (std::size_t i = 0; i < std::min(gaps.gaps.size(), kMostGapRows); ++i) {
    const GpuGap& gap = gaps.gaps[i];
    table.rows.push_back({duration_cell(gap.time.length()), activity.gpus[gap.gpu].name, cause_text(trace, gap),
                          doing_cell(trace, gap), slice_cell(trace, gap.before, 40), slice_cell(trace, gap.after, 40),
                          time_cell(gap.time.begin)});
    table.targets.push_back(stretch_target(chart, gap.time, gap.after));
  }
  return chart;
}

// Makes a row for each GPU, with its idle time by cause.
ChartTable cause_table(const GpuActivity& activity, const GpuGaps& gaps) {
  ChartTable table;
  table.columns = {{"GPU"}, {"idle", true}, {"gaps", true}};
  std::vector<std::size_t> causes;
  for (std::size_t c = 0; c < kGapCauses; ++c) {
    if (std::ranges::all_of(gaps.sums, [c](const GapSums& sums) { return sums.by_cause[c] == 0; })) continue;
    causes.push_back(c);
    table.columns.push_back({std::string(meaning(static_cast<GapCause>(c))), true});
  }
  table.columns.push_back({"other idle time", true});  // in gaps that are too short or not listed
  for (std::size_t g = 0; g < activity.gpus.size(); ++g) {
    const GapSums& sums = gaps.sums[g];
    std::vector<ChartCell>& row = table.rows.emplace_back(std::vector<ChartCell>{
        activity.gpus[g].name, duration_cell(activity.gpus[g].idle()), count_cell(sums.count)});
    for (const std::size_t c : causes) row.push_back(duration_cell(sums.by_cause[c]));
    row.push_back(duration_cell(sums.unlisted));
  }
  return table;
}

// Bars begin at lengths of 1, 2, 5, 10, 20, 50 ... ns. Returns the last of these edges that is not above `length`. It divides,
// because the edge after the longest gap may not fit into Ns.
Ns edge_below(Ns length) {
  Ns unit = 1;
  while (unit <= length / 10) unit *= 10;
  return length >= 5 * unit ? 5 * unit : length >= 2 * unit ? 2 * unit : unit;
}

// Returns the next of these edges, for an edge below that of the longest gap. All edges but 1 and 5 are even.
Ns next_edge(Ns edge) { return edge_below(2 * edge) > edge ? edge_below(2 * edge) : edge_below(edge / 2 * 5); }

Chart gap_lengths(const GpuActivity& activity, const GpuGaps& gaps, Ns least) {
  Chart chart;
  std::uint64_t count = 0;
  Ns total = 0;
  for (const GapSums& sums : gaps.sums) {
    count += sums.count;
    total += sums.total;
  }
  chart.id = "gpu_gap_causes";
  chart.title = fmt::format("Idle time by gap length and cause: {} of at least {}, {} in all", count_text(count, "gap"),
                            format_duration(least), format_duration(total));
  chart.note =
      "Each bar adds up the gaps in one range of lengths, on all GPUs. Many short gaps call for fewer, larger kernels or for "
      "CUDA graphs. For a few long gaps, look up their causes in the list of gaps.";
  if (gaps.gaps.size() < count) {
    chart.note += fmt::format(" The bars and causes cover only {} of the {} gaps, the longest of each GPU.",
                              format_count(gaps.gaps.size()), format_count(count));
  }
  chart.table = cause_table(activity, gaps);
  if (gaps.gaps.empty()) return chart;
  std::vector<Ns> edges = {edge_below(gaps.gaps.back().time.length())};  // starts with the edge of the shortest gap
  while (edges.back() < edge_below(gaps.gaps.front().time.length())) edges.push_back(next_edge(edges.back()));
  for (const Ns edge : edges) {
    chart.x.categories.push_back(format_duration(edge) + " +");
    chart.x.full_categories.push_back(std::to_string(edge));
  }
  chart.x.title = "length of the gap, from";
  chart.x.full_title = "length of the gap, from (ns)";
  chart.y.title = "idle time (s)";
  chart.y.unit = ChartUnit::Seconds;
  chart.y.from_zero = true;
  for (std::size_t c = 0; c < kGapCauses; ++c) {
    ChartSeries series;
    series.name = meaning(static_cast<GapCause>(c));
    series.mark = ChartSeries::Mark::Bars;
    series.color = kCauseColors[c];
    series.y.resize(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) series.x.push_back(static_cast<double>(e));
    for (const GpuGap& gap : gaps.gaps) {
      if (gap.cause != static_cast<GapCause>(c)) continue;
      const auto edge = std::ranges::lower_bound(edges, edge_below(gap.time.length()));
      series.y[static_cast<std::size_t>(edge - edges.begin())] += to_seconds(gap.time.length());
    }
    if (std::ranges::any_of(series.y, [](double y) { return y > 0; })) chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

Ns least_gap(const ChartSettings& settings) {
  const double us = settings.number(kLeastGap, static_cast<double>(kUsualGap / kMicrosecond));
  return static_cast<Ns>(std::clamp(us, 0.001, 1e12) * 1e3);
}

std::vector<Chart> gpu_gap_charts(const RunData& data, const ChartQuestion& question) {
  ThreadPool pool = background_pool();
  const Ns least = least_gap(question.settings);
  const GpuGaps gaps = find_gaps(*data.gpu, least, pool);
  std::vector<Chart> charts;
  charts.push_back(gap_lengths(*data.gpu, gaps, least));
  charts.push_back(gaps.gaps.empty() ? empty_chart("gpu_gaps", "The longest gaps", "No gap is that long")
                                     : gap_list(*data.gpu, gaps));
  return charts;
}

std::vector<ChartControl> gpu_gap_controls(const RunData&, const ChartSettings& settings) {
  ChartControl control =
      number_control(settings, std::string(kLeastGap), "at least", "Shorter idle times do not count as gaps",
                     static_cast<double>(kUsualGap / kMicrosecond), 1, 1e6, "\u00b5s");
  control.logarithmic = true;
  return {std::move(control)};
}

}  // namespace tv
