#include "core/index/segment_index.h"

#include <algorithm>
#include <optional>

namespace tv {

Slots slots_of(const Trace& trace) {
  Slots slots;
  for (const Lane& lane : trace.lanes) {
    slots.first.push_back(static_cast<std::uint32_t>(slots.all.size()));
    for (std::uint32_t r = lane.first_row; r < lane.first_row + lane.row_count; ++r) {
      const Row& row = trace.rows[r];
      if (row.kind != RowKind::Slices) continue;
      const bool same_slot = slots.all.size() > slots.first.back() && slots.all.back().end_row == r &&
                             trace.rows[slots.all.back().first_row].slot == row.slot;
      if (!same_slot) slots.all.push_back({r, r});
      slots.all.back().end_row = r + 1;
    }
  }
  slots.first.push_back(static_cast<std::uint32_t>(slots.all.size()));
  return slots;
}

const SegmentIndex::Union* SegmentIndex::union_at(RowId first_row) const {
  const auto found = std::ranges::lower_bound(rows_of_unions_, first_row);
  if (found == rows_of_unions_.end() || *found != first_row) return nullptr;
  return &unions_[static_cast<std::size_t>(found - rows_of_unions_.begin())];
}

std::size_t SegmentIndex::bytes() const {
  std::size_t sum = nodes_.size() * sizeof(PyramidNode) + first_node_.size() * sizeof(std::size_t) +
                    rows_of_unions_.size() * sizeof(RowId);
  for (const Union& own : unions_) {
    sum += own.pieces.size() * (2 * sizeof(Ns) + sizeof(LabelId)) + own.nodes.size() * sizeof(PyramidNode);
  }
  return sum;
}

std::shared_ptr<const SegmentIndex> index_segment(const Trace& segment, ThreadPool& pool, std::stop_token stop) {
  auto index = std::make_shared<SegmentIndex>();
  index->first_node_.reserve(segment.rows.size() + 1);
  std::size_t nodes = 0;
  for (const Row& row : segment.rows) {
    index->first_node_.push_back(nodes);
    nodes += pyramid_size(row.count);
  }
  index->first_node_.push_back(nodes);
  index->nodes_.resize(nodes);
  const std::vector<Slot> slots = slots_of(segment).all;
  std::vector<std::optional<SegmentIndex::Union>> unions(slots.size());
  const std::size_t rows = segment.rows.size();
  pool.parallel_for(
      rows + slots.size(),
      [&](std::size_t i) {
        if (i < rows) {
          const std::size_t first = index->first_node_[i], last = index->first_node_[i + 1];
          build_row_pyramid(segment.slices_of(segment.rows[i]), std::span(index->nodes_).subspan(first, last - first));
          return;
        }
        const Slot& slot = slots[i - rows];
        const auto of_slot = std::span(segment.rows).subspan(slot.first_row, slot.end_row - slot.first_row);
        if (first_row_covers(segment, of_slot)) return;
        SegmentIndex::Union& own = unions[i - rows].emplace(SegmentIndex::Union{union_of_rows(segment, of_slot), {}});
        own.nodes.resize(pyramid_size(own.pieces.size()));
        build_row_pyramid(own.pieces.row({}), own.nodes);
      },
      stop);
  if (stop.stop_requested()) return nullptr;
  for (std::size_t s = 0; s < slots.size(); ++s) {
    if (!unions[s]) continue;
    index->rows_of_unions_.push_back(id_at<RowId>(slots[s].first_row));
    index->unions_.push_back(std::move(*unions[s]));
  }
  return index;
}

}  // namespace tv
