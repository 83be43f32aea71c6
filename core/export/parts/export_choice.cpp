#include "core/export/parts/export_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text/count_text.h"
#include "core/query/row_search.h"

namespace tv {

std::function<bool(SliceId)> chosen_records(const Trace& trace, const ExportChoice& choice) {
  if (choice.everything()) return {};
  return [&trace, &choice](SliceId id) { return choice.has(trace, id); };
}

bool ExportChoice::has(const Trace& trace, SliceId id) const {
  if (everything()) return true;
  return touches(trace.begin_of(id), trace.duration_of(id)) &&
         (lanes.empty() || lanes[idx(trace.row(trace.row_of(id)).lane)]);
}

SamplePart chosen_samples(const CounterSeries& series, const ExportChoice& choice) {
  if (!choice.range) return {0, series.time.size()};
  const auto first_from = [&](Ns time) {
    return static_cast<std::size_t>(std::ranges::lower_bound(series.time, time) - series.time.begin());
  };
  const std::size_t first = first_from(choice.range->begin), last = first_from(choice.range->end);
  const bool value_holds = first > 0 && (first == series.time.size() || series.time[first] > choice.range->begin);
  return {first - (value_holds ? 1 : 0), std::max(first, last)};
}

void count_chosen(const Trace& trace, const ExportChoice& choice, ExportTotals& totals) {
  for (const Row& row : trace.rows) {
    if (!choice.has_lane(row.lane)) continue;
    const RowSlices slices = trace.slices_of(row);
    std::uint64_t& count = row.kind == RowKind::Instants ? totals.instants : totals.slices;
    const RowPart part = choice.range ? touching(slices, *choice.range) : RowPart{0, slices.size()};
    count += part.last - part.first;
  }
  for (const CounterSeries& series : trace.counters) {
    if (!choice.has_lane(series.lane)) continue;
    const SamplePart part = chosen_samples(series, choice);
    totals.samples += part.last - part.first;
  }
  for (const Flow flow : trace.flows) totals.flows += choice.has(trace, flow.from) && choice.has(trace, flow.to);
}

void name_left_out(const Trace& trace, ExportTotals& totals, const ExportLimits& limits) {
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) totals.left_out.push_back(fmt::format("{} {}", format_count(count), what));
  };
  if (limits.logs) {
    add(trace.rollout.requests.size(), "requests of rollout logs with the data for charts (their slices are exported)");
    add(trace.metrics.steps.size(), "steps of training logs with their metrics (their slices are exported)");
    add(trace.pipeline.jobs.size(), "jobs of pipeline logs with the data for charts (their slices are exported)");
  }
  const auto has_members = [](const SourceInfo& source) { return source.format == "chrome_json"; };
  if (limits.members && std::ranges::any_of(trace.sources, has_members)) {
    totals.left_out.emplace_back("members of the files other than events (deviceProperties, distributedInfo, versions)");
  }
  if (limits.args) totals.left_out.emplace_back("args of slices and instants");
  if (limits.arrows) add(trace.flows.size(), "arrows");
  if (limits.samples) {
    std::uint64_t samples = 0;
    for (const CounterSeries& series : trace.counters) samples += series.time.size();
    add(samples, "samples of counters");
  }
}

}  // namespace tv
