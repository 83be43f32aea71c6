#include "core/store/columns/flow_table.h"

#include <numeric>
#include <utility>

namespace tv {

FlowTable::FlowTable(Column<SegmentFlow> flows, Column<std::uint32_t> by_end, std::size_t slices) {
  if (flows.empty() || slices == 0) return;
  pieces_.push_back({std::make_shared<const Columns>(Columns{std::move(flows), std::move(by_end), slices}), 0, 0});
}

FlowTable::FlowTable(const std::vector<SegmentFlow>& sorted, std::size_t slices) {
  Column<SegmentFlow> flows(sorted.size());
  std::ranges::copy(sorted, flows.begin());
  Column<std::uint32_t> by_end(sorted.size());
  std::iota(by_end.begin(), by_end.end(), 0u);
  std::ranges::stable_sort(by_end, {}, [&](std::uint32_t flow) { return sorted[flow].to; });
  *this = FlowTable(std::move(flows), std::move(by_end), slices);
}

void FlowTable::append(const FlowTable& of_segment, std::size_t slices_before) {
  for (Piece piece : of_segment.pieces_) {
    piece.slices_before += slices_before;
    piece.first = size();
    pieces_.push_back(std::move(piece));
  }
}

Flow FlowTable::operator[](std::size_t flow) const {
  const auto after = std::ranges::upper_bound(pieces_, flow, {}, &Piece::first);
  const Piece& piece = *std::prev(after);
  return piece.flow(flow - piece.first);
}

Flow FlowTable::Piece::flow(std::size_t n) const {
  const SegmentFlow& stored = columns->flows[std::min(n, columns->flows.size() - 1)];
  return {slice(stored.from), slice(stored.to)};
}

const FlowTable::Piece* FlowTable::piece_of(SliceId slice) const {
  const auto after = std::ranges::upper_bound(pieces_, idx(slice), {}, &Piece::slices_before);
  return after == pieces_.begin() ? nullptr : &*std::prev(after);
}

}  // namespace tv
