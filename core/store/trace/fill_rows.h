// Turns batches of slices in file order into the rows of a Trace: slices are grouped by lane, laid out, and moved to their rows.
//
//   batches    │a b a c│b b a│c a ...        in file order, freed one after the other
//   scatter    │a a a a ...│b b b ...│c c    in the final columns, by lane, still in file order
//   lay out    which row each has, its self time                              row_layout.h
//   permute    │a row 0│a row 1│b row 0│...  within the lane's part of the columns
//
// The columns are written twice, but never held twice: the additional memory is a layout per thread, 12 bytes per slice of its
// largest lane, and 4 bytes per slice if a lane is packed. Lanes are processed in parallel. The result does not depend on the
// threads.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/draft/event_batch.h"
#include "core/store/draft/lane_spec.h"
#include "core/store/trace/trace.h"

namespace tv {

/// Slices of one batch, and the maps from its ids to the trace's.
struct SlicePiece {
  std::shared_ptr<const SliceBlock> slices;
  std::vector<LaneId> lane;           ///< by track
  std::vector<LabelId> label;         ///< by label; empty = the trace's own ids
  std::vector<std::uint32_t> group;   ///< by group; empty = the trace's own ids
  SourceId source{};
  Ns shift = 0;     ///< added to every begin
  Ns open_end = 0;  ///< where slices without an end are drawn to
  bool in_file_order = true;  ///< false: paired from begins and ends; after the file's other slices
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

/// A lane with partially overlapping slices.
struct LaneOverlap {
  LaneId lane;
  std::uint64_t count;
  ItemRef example;
  LabelId example_label;
};

/// Fills trace.slices, trace.rows and the lanes' rows and sums; the rest of trace.lanes must be complete. After a stop the result
/// is invalid.
std::vector<LaneOverlap> fill_rows(Trace& trace, std::vector<SlicePiece> pieces, std::vector<LaneContent> content,
                                   ThreadPool& pool, std::stop_token stop);

}  // namespace tv
