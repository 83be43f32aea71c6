// Makes the rows of a Trace from batches of slices in file order: slices are grouped by lane, laid out, and moved to their rows.
//
//   batches    │a b a c│b b a│c a ...        in file order; each is freed after it was scattered
//   scatter    │a a a a ...│b b b ...│c c    into the final columns, by lane, still in file order
//   lay out    find the row and the self time of each slice (row_layout.h)
//   permute    │a row 0│a row 1│b row 0│...  within the lane's part of the columns
//
// The columns are written twice, but exist only once. The additional memory is a layout for each thread, with 12 bytes per slice
// of the largest lane that it lays out, and 4 bytes for each slice of the trace if any lane is packed. Lanes are processed in
// parallel. The result does not depend on the number of threads.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/draft/event_batch.h"
#include "core/store/draft/lane_spec.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The slices of one batch, with translations of its ids to those of the trace.
struct SlicePiece {
  std::shared_ptr<const SliceBlock> slices;
  std::vector<LaneId> lane;          ///< by track of the batch
  std::vector<LabelId> label;        ///< by label of the batch; empty: the slices have the trace's labels
  std::vector<std::uint32_t> group;  ///< by group of the batch; empty: the slices have the trace's groups
  SourceId source{};
  Ns shift = 0;               ///< to be added to every begin
  Ns open_end = 0;            ///< where slices without an end are drawn to, in the trace's time
  bool in_file_order = true;  ///< false: slices joined from begin and end events, which come after the other slices of the file
};

struct PlacedInstant {
  Ns time;
  LabelId label;
  ItemRef ref;
};

/// A lane's instants, and how its slices are laid out.
struct LaneContent {
  RowRule rule = RowRule::Nest;
  std::vector<PlacedInstant> instants;  ///< by time
};

/// A lane with slices that overlap only in part.
struct LaneOverlap {
  LaneId lane;
  std::uint64_t count;
  ItemRef example;
  LabelId example_label;
};

/// Fills trace.slices, trace.rows, and the rows and sums of trace.lanes; all other members of the lanes must be set already.
/// After a stop the trace is invalid. Returns the lanes with overlaps.
std::vector<LaneOverlap> fill_rows(Trace& trace, std::vector<SlicePiece> pieces, std::vector<LaneContent> content,
                                   ThreadPool& pool, std::stop_token stop);

}  // namespace tv
