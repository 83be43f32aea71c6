// The index of a segment for drawing and queries: pyramids of all rows, and union rows of all lanes. Its times, slice ids and
// label ids are those of the segment, so all views with the segment share the index, wherever they place the segment. It is
// built once, in parallel over rows and slots. It is immutable, belongs to exactly the Trace that it was built from, and holds
// no pointers into that Trace. Cost: about 5.4 bytes per slice, 25 per piece of a union row (union_row.h), and a few
// nanoseconds per slice to build.
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

/// Rows of one segment in one slot of a lane, outermost first.
struct Slot {
  std::uint32_t first_row = 0, end_row = 0;
};

/// The slots of all lanes of a trace.
struct Slots {
  std::vector<Slot> all;
  std::vector<std::uint32_t> first;  ///< by lane, and one past the last: the index of its first slot
};
Slots slots_of(const Trace& trace);

/// The unions of rows: one for each slot whose first row does not cover the others.
struct SlotUnions {
  struct Slot {
    RowId first_row{};
    std::uint32_t pieces = 0;
  };
  std::vector<Slot> slots;     ///< sorted by first_row
  Column<Ns> begin, duration;  ///< of the pieces of all slots, one slot after the other
  Column<LabelId> label;       ///< in the same order
  Column<PyramidNode> nodes;   ///< pyramids over the pieces, one slot after the other
};

class SegmentIndex {
 public:
  /// `nodes`: the pyramids of all rows, one after the other. Null if the numbers of nodes or pieces do not add up, or if the slots
  /// are not sorted.
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
  /// The union of the slot that begins with this row. Null: the row covers all rows of the slot, and is its own union row.
  const Union* union_at(RowId first_row) const;
  std::size_t bytes() const;
  /// For writing the index to a file.
  const Column<PyramidNode>& all_nodes() const { return nodes_; }
  const SlotUnions& unions() const { return slot_unions_; }

 private:
  Column<PyramidNode> nodes_;            ///< of all rows
  std::vector<std::size_t> first_node_;  ///< by row, and one past the last: the index of its first node
  SlotUnions slot_unions_;
  std::vector<Union> unions_;  ///< by index into slot_unions_.slots
};

/// Null if stopped.
std::shared_ptr<const SegmentIndex> index_segment(const Trace& segment, ThreadPool& pool, std::stop_token stop);

}  // namespace tv
