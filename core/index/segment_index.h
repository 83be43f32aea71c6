// The data about a segment's slices that drawing and queries need: pyramids of all rows and union rows of all lanes, in the
// segment's own time, slices and labels. All views with the segment share it, whatever their time offset. It is built once, in
// parallel over rows and lanes. Immutable; belongs to exactly the Trace it was built from and holds no pointers into it. Cost:
// about 5.4 bytes and a few nanoseconds per slice.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/memory/column.h"
#include "core/base/threads/thread_pool.h"
#include "core/index/row_pyramid.h"
#include "core/index/union_row.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The rows of one slot of a lane that belong to one segment, outermost first.
struct Slot {
  std::uint32_t first_row = 0, end_row = 0;
};

/// The slots of all lanes of a trace; `first`: by lane, the index of its first slot, and one past the last.
struct Slots {
  std::vector<Slot> all;
  std::vector<std::uint32_t> first;
};
Slots slots_of(const Trace& trace);

/// The unions of rows, one for each slot whose first row does not cover the others.
struct SlotUnions {
  struct Slot {
    RowId first_row{};
    std::uint32_t pieces = 0;
  };
  std::vector<Slot> slots;  ///< sorted
  Column<Ns> begin, duration;  ///< of all pieces, one slot after the other
  Column<LabelId> label;
  Column<PyramidNode> nodes;  ///< in the same order
};

class SegmentIndex {
 public:
  /// `nodes`: those of all rows, one after the other. Null if the sizes do not fit.
  static std::shared_ptr<const SegmentIndex> of(const Trace& segment, Column<PyramidNode> nodes, SlotUnions unions);

  std::span<const PyramidNode> nodes(RowId row) const {
    return std::span(nodes_).subspan(first_node_[idx(row)], first_node_[idx(row) + 1] - first_node_[idx(row)]);
  }
  struct Union {
    std::span<const Ns> begin, duration;
    std::span<const LabelId> label;
    std::span<const PyramidNode> nodes;

    RowSlices row(const SegmentPlace& placed) const { return {begin, duration, label, SegmentSlice{}, placed}; }
  };
  /// The union for the slot that begins with this row. Null: the row is the slot's union_row.
  const Union* union_at(RowId first_row) const;
  std::size_t bytes() const;
  /// For writing to a file.
  const Column<PyramidNode>& all_nodes() const { return nodes_; }
  const SlotUnions& unions() const { return of_slots_; }

 private:
  Column<PyramidNode> nodes_;            ///< for all rows
  std::vector<std::size_t> first_node_;  ///< per row, and one past the last
  SlotUnions of_slots_;
  std::vector<Union> unions_;  ///< by index into of_slots_.slots
};

/// Null if stopped.
std::shared_ptr<const SegmentIndex> index_segment(const Trace& segment, ThreadPool& pool, std::stop_token stop);

}  // namespace tv
