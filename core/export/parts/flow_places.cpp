#include "core/export/parts/flow_places.h"

#include <algorithm>

#include "core/query/row_search.h"

namespace tv {
namespace {

constexpr int kMostMoments = 64;  // timestamps tried per slice, to bound the cost of densely covered slices

// The first moment from `earliest` on at which an arrow binds to the slice.
std::optional<Ns> moment_of(const Trace& trace, SliceId id, Ns earliest) {
  const RowId own_row = trace.row_of(id);
  const Ns begin = trace.begin_of(id), end = trace.end_of(id);
  const auto rows = trace.rows_of(trace.lane(trace.row(own_row).lane));
  Ns t = std::max(begin, earliest);
  for (int tries = 0; tries < kMostMoments && (t < end || t == begin); ++tries) {
    Ns next = t;
    for (const Row& row : rows) {
      if (row.kind != RowKind::Slices) continue;
      const RowSlices slices = trace.slices_of(row);
      const std::size_t after = first_beginning_after(slices, t);
      if (after == 0) continue;
      const bool deeper = &row > &trace.row(own_row);
      if (&row == &trace.row(own_row)) {
        if (slices.id(after - 1) != id) return std::nullopt;  // the next slice of the row has begun already (kRoundingSlack)
        continue;
      }
      // Viewers bind to the innermost slice that begins at t, else to the innermost that covers t.
      const bool begins = slices.begin(after - 1) == t && (deeper || t != begin);
      const bool covers = deeper && t != begin && slices.end(after - 1) > t;
      if (begins || covers) next = std::max({next, slices.end(after - 1), t + 1});
    }
    if (next == t) return t;
    t = next;
  }
  return std::nullopt;
}

}  // namespace

FlowPlace place_flow(const Trace& trace, const Flow& flow) {
  const Ns from_begin = trace.begin_of(flow.from), to_begin = trace.begin_of(flow.to);
  const std::optional<Ns> from = moment_of(trace, flow.from, from_begin);
  std::optional<Ns> to = moment_of(trace, flow.to, from.value_or(from_begin));
  // The arrow then points backward in the file.
  if (!to && to_begin < from.value_or(from_begin)) to = moment_of(trace, flow.to, to_begin);
  return {from.value_or(from_begin), to.value_or(std::max(from_begin, to_begin)), from && to};
}

}  // namespace tv
