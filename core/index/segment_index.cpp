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
      // If the next segment shares the slot, its rows begin with an outermost row again.
      const bool same_slot = slots.all.size() > slots.first.back() && slots.all.back().end_row == r &&
                             trace.rows[r - 1].slot == row.slot && trace.rows[r - 1].depth < row.depth;
      if (!same_slot) slots.all.push_back({r, r});
      slots.all.back().end_row = r + 1;
    }
  }
  slots.first.push_back(static_cast<std::uint32_t>(slots.all.size()));
  return slots;
}

namespace {

std::vector<std::size_t> first_nodes(const Trace& segment) {
  std::vector<std::size_t> first;
  first.reserve(segment.rows.size() + 1);
  std::size_t nodes = 0;
  for (const Row& row : segment.rows) {
    first.push_back(nodes);
    nodes += pyramid_size(row.count);
  }
  first.push_back(nodes);
  return first;
}

RowSlices row_of_pieces(const PieceColumns& pieces) { return {pieces.begin, pieces.duration, pieces.label, SegmentSlice{}}; }

SlotUnions concatenate_unions(const std::vector<Slot>& slots, const std::vector<std::optional<PieceColumns>>& unions,
                              ThreadPool& pool) {
  SlotUnions out;
  std::vector<const PieceColumns*> of_slot;
  std::vector<std::size_t> first_piece{0}, first_node{0};
  for (std::size_t s = 0; s < slots.size(); ++s) {
    if (!unions[s]) continue;
    of_slot.push_back(&*unions[s]);
    out.slots.push_back({id_at<RowId>(slots[s].first_row), static_cast<std::uint32_t>(unions[s]->size())});
    first_piece.push_back(first_piece.back() + unions[s]->size());
    first_node.push_back(first_node.back() + pyramid_size(unions[s]->size()));
  }
  out.begin = Column<Ns>(first_piece.back());
  out.duration = Column<Ns>(first_piece.back());
  out.label = Column<LabelId>(first_piece.back());
  out.nodes = Column<PyramidNode>(first_node.back());
  pool.parallel_for(of_slot.size(), [&](std::size_t u) {
    const PieceColumns& pieces = *of_slot[u];
    std::ranges::copy(pieces.begin, out.begin.begin() + first_piece[u]);
    std::ranges::copy(pieces.duration, out.duration.begin() + first_piece[u]);
    std::ranges::copy(pieces.label, out.label.begin() + first_piece[u]);
    build_row_pyramid(row_of_pieces(pieces), {out.nodes.data() + first_node[u], first_node[u + 1] - first_node[u]});
  });
  return out;
}

}  // namespace

std::shared_ptr<const SegmentIndex> SegmentIndex::of(const Trace& segment, Column<PyramidNode> nodes, SlotUnions unions) {
  auto index = std::make_shared<SegmentIndex>();
  index->first_node_ = first_nodes(segment);
  index->nodes_ = std::move(nodes);
  index->slot_unions_ = std::move(unions);
  const SlotUnions& all = index->slot_unions_;
  if (index->nodes_.size() != index->first_node_.back()) return nullptr;
  std::size_t piece = 0, node = 0;
  for (const SlotUnions::Slot& slot : all.slots) {
    const std::size_t nodes_of_slot = pyramid_size(slot.pieces);
    if (slot.pieces > all.begin.size() - piece || nodes_of_slot > all.nodes.size() - node) return nullptr;
    const auto part = [&](const auto& column) { return std::span(column).subspan(piece, slot.pieces); };
    if (all.duration.size() != all.begin.size() || all.label.size() != all.begin.size()) return nullptr;
    index->unions_.push_back(
        {part(all.begin), part(all.duration), part(all.label), std::span(all.nodes).subspan(node, nodes_of_slot)});
    piece += slot.pieces;
    node += nodes_of_slot;
  }
  if (piece != all.begin.size() || node != all.nodes.size()) return nullptr;
  if (!std::ranges::is_sorted(all.slots, {}, &SlotUnions::Slot::first_row)) return nullptr;
  return index;
}

const SegmentIndex::Union* SegmentIndex::union_at(RowId first_row) const {
  const auto found = std::ranges::lower_bound(slot_unions_.slots, first_row, {}, &SlotUnions::Slot::first_row);
  if (found == slot_unions_.slots.end() || found->first_row != first_row) return nullptr;
  return &unions_[static_cast<std::size_t>(found - slot_unions_.slots.begin())];
}

std::size_t SegmentIndex::bytes() const {
  return (nodes_.size() + slot_unions_.nodes.size()) * sizeof(PyramidNode) + first_node_.size() * sizeof(std::size_t) +
         slot_unions_.begin.size() * (2 * sizeof(Ns) + sizeof(LabelId)) + unions_.size() * sizeof(Union);
}

std::shared_ptr<const SegmentIndex> index_segment(const Trace& segment, ThreadPool& pool, std::stop_token stop) {
  const std::vector<std::size_t> first_node = first_nodes(segment);
  Column<PyramidNode> nodes(first_node.back());
  const std::vector<Slot> slots = slots_of(segment).all;
  std::vector<std::optional<PieceColumns>> unions(slots.size());
  const std::size_t rows = segment.rows.size();
  pool.parallel_for(
      rows + slots.size(),
      [&](std::size_t i) {
        if (i < rows) {
          build_row_pyramid(segment.slices_of(segment.rows[i]), {nodes.data() + first_node[i], first_node[i + 1] - first_node[i]});
          return;
        }
        const Slot& slot = slots[i - rows];
        const auto of_slot = std::span(segment.rows).subspan(slot.first_row, slot.end_row - slot.first_row);
        if (!first_row_covers(segment, of_slot)) unions[i - rows] = union_of_rows(segment, of_slot);
      },
      stop);
  if (stop.stop_requested()) return nullptr;
  return SegmentIndex::of(segment, std::move(nodes), concatenate_unions(slots, unions, pool));
}

}  // namespace tv
