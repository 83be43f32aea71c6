#include "core/export/export_choice.h"

#include <algorithm>

#include "core/query/row_search.h"

namespace tv {

bool ExportChoice::has(const Trace& trace, SliceId id) const {
  if (everything()) return true;
  return touches(trace.slices.begin[idx(id)], trace.slices.duration[idx(id)]) &&
         (lanes.empty() || lanes[idx(trace.row(trace.row_of(id)).lane)]);
}

SamplePart chosen_samples(const CounterSeries& series, const ExportChoice& choice) {
  if (!choice.range) return {0, series.time.size()};
  const auto at = [&](Ns time) {
    return static_cast<std::size_t>(std::ranges::lower_bound(series.time, time) - series.time.begin());
  };
  const std::size_t first = at(choice.range->begin), last = at(choice.range->end);
  const bool holds = first > 0 && (first == series.time.size() || series.time[first] > choice.range->begin);
  return {first - (holds ? 1 : 0), std::max(first, last)};
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
  for (const Flow& flow : trace.flows) totals.flows += choice.has(trace, flow.from) && choice.has(trace, flow.to);
}

}  // namespace tv
