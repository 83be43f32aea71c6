#include "core/query/slice_sums.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/query/row_search.h"

namespace tv {
namespace {

template <class Slices>
void count_slice(const Slices& slices, SliceId slice, SliceSums& sums) {
  ++sums.count;
  if (slices.ref_of(slice).is(kUnfinished)) {
    ++sums.unfinished;
    return;
  }
  const Ns duration = slices.duration_of(slice);
  sums.total += duration;
  sums.longest = std::max(sums.longest, duration);
}

}  // namespace

std::optional<SliceStretch> stretch_between(const Trace& trace, SliceId from, SliceId to) {
  const Row &a = trace.row(trace.row_of(from)), &b = trace.row(trace.row_of(to));
  if (a.lane != b.lane || a.kind != RowKind::Slices || b.kind != RowKind::Slices) return std::nullopt;
  const bool in_order = trace.begin_of(from) <= trace.begin_of(to);
  return SliceStretch{a.lane, a.depth, in_order ? from : to, in_order ? to : from};
}

TimeRange begins_of(const Trace& trace, const SliceStretch& stretch) {
  return {trace.begin_of(stretch.first), trace.begin_of(stretch.last)};
}

StretchOfRow part_of_row(const Trace& trace, const SliceStretch& stretch, const Row& row) {
  if (row.lane != stretch.lane || row.depth != stretch.depth || row.kind != RowKind::Slices) return {};
  const RowSlices slices = trace.slices_of(row);
  const TimeRange range = begins_of(trace, stretch);
  return {first_beginning_at(slices, range.begin), first_beginning_after(slices, range.end)};
}

SliceSums sums_of_label(const Trace& trace, LabelId label) {
  SliceSums sums;
  for (const Row& row : trace.rows) {
    for_each_slice(trace, row.first, row.first + row.count, [&](const SegmentSlices& slices, SliceId slice) {
      if (slices.label_of(slice) != label) return;
      if (row.kind == RowKind::Instants) {
        ++sums.instants;
      } else {
        count_slice(slices, slice, sums);
      }
    });
  }
  return sums;
}

SliceSums sums_between(const Trace& trace, const SliceStretch& stretch) {
  SliceSums sums;
  std::vector<std::pair<Ns, Ns>> all;  // begin and end of each slice
  std::size_t rows = 0;
  for (const Row& row : trace.rows_of(trace.lane(stretch.lane))) {
    const StretchOfRow part = part_of_row(trace, stretch, row);
    if (part.empty()) continue;
    ++rows;
    const RowSlices slices = trace.slices_of(row);
    for (std::size_t i = part.first; i < part.end; ++i) {
      count_slice(trace, slices.id(i), sums);
      all.emplace_back(slices.begin(i), slices.end(i));
    }
  }
  if (all.empty()) return sums;
  if (rows > 1) std::ranges::sort(all);
  sums.covered = {all.front().first, all.front().second};
  for (const auto& [begin, end] : all) {
    const Ns idle = begin - sums.covered.end;
    if (idle > 0) {
      ++sums.gaps;
      sums.idle += idle;
      sums.longest_gap = std::max(sums.longest_gap, idle);
    }
    sums.covered.end = std::max(sums.covered.end, end);
  }
  return sums;
}

}  // namespace tv
