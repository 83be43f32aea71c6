// Arrows (flows) between the slices of a segment or a view, sorted by from, to. They are found by either end. A view has the
// arrows of one segment after the other. A segment stores an arrow as a pair of its own slice numbers.
//
// Columns of a mapped file may hold any numbers (packed_trace.h), so every number returned is clamped to a valid slice.
// Cost: 12 bytes per arrow; O(log arrows) to find one. A view shares the columns of its segments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "core/base/ids.h"
#include "core/base/memory/column.h"

namespace tv {

struct Flow {
  SliceId from, to;
  bool operator==(const Flow&) const = default;
};
/// A flow as a segment stores it.
struct SegmentFlow {
  SegmentSlice from, to;
};
/// The order of flows in a segment.
inline bool flow_less(const SegmentFlow& a, const SegmentFlow& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; }

class FlowTable {
 public:
  FlowTable() = default;
  /// For a segment with this many slices. `by_end`: indices of the flows, sorted by to, from.
  FlowTable(Column<SegmentFlow> flows, Column<std::uint32_t> by_end, std::size_t slices);
  /// Computes `by_end`.
  FlowTable(const std::vector<SegmentFlow>& sorted, std::size_t slices);
  /// Appends the flows of a segment whose slices are numbered from `slices_before` on.
  void append(const FlowTable& of_segment, std::size_t slices_before);

  std::size_t size() const { return pieces_.empty() ? 0 : pieces_.back().first + pieces_.back().columns->flows.size(); }
  bool empty() const { return size() == 0; }
  std::size_t bytes() const { return size() * (sizeof(SegmentFlow) + sizeof(std::uint32_t)); }
  Flow operator[](std::size_t flow) const;

  /// leaving() and entering() call visit(number, Flow) for all flows that leave or enter a slice.
  template <class Visit>
  void leaving(SliceId slice, Visit visit) const {
    const Piece* const piece = piece_of(slice);
    if (!piece) return;
    const Column<SegmentFlow>& flows = piece->columns->flows;
    const std::size_t own = idx(slice) - piece->slices_before;
    if (own >= piece->columns->slices) return;
    const auto from = id_at<SegmentSlice>(own);
    auto flow = std::ranges::lower_bound(flows, from, {}, &SegmentFlow::from);
    for (; flow != flows.end() && flow->from == from; ++flow) {
      const auto n = static_cast<std::size_t>(flow - flows.begin());
      visit(piece->first + n, piece->flow(n));
    }
  }
  template <class Visit>
  void entering(SliceId slice, Visit visit) const {
    const Piece* const piece = piece_of(slice);
    if (!piece) return;
    const Column<std::uint32_t>& by_end = piece->columns->by_end;
    const auto to = [&](std::uint32_t flow) { return piece->flow(flow).to; };
    for (auto flow = std::ranges::lower_bound(by_end, slice, {}, to); flow != by_end.end() && to(*flow) == slice; ++flow) {
      visit(piece->first + *flow, piece->flow(*flow));
    }
  }

  class Iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = Flow;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Flow;

    Iterator() = default;
    Iterator(const FlowTable& table, std::size_t at) : table_(&table), at_(at) {}
    Flow operator*() const { return (*table_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++at_;
      return before;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const FlowTable* table_ = nullptr;
    std::size_t at_ = 0;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }
  friend bool operator==(const FlowTable& a, const FlowTable& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  }

  /// The columns of a segment, to be stored.
  std::span<const SegmentFlow> own_flows() const {
    return pieces_.empty() ? std::span<const SegmentFlow>() : pieces_.front().columns->flows;
  }
  std::span<const std::uint32_t> own_by_end() const {
    return pieces_.empty() ? std::span<const std::uint32_t>() : pieces_.front().columns->by_end;
  }

 private:
  struct Columns {
    Column<SegmentFlow> flows;
    Column<std::uint32_t> by_end;
    std::size_t slices = 0;
  };
  struct Piece {
    std::shared_ptr<const Columns> columns;
    std::size_t slices_before = 0;  ///< number of slices in earlier segments
    std::size_t first = 0;          ///< number of its first flow

    Flow flow(std::size_t n) const;
    SliceId slice(SegmentSlice own) const { return id_at<SliceId>(slices_before + std::min(idx(own), columns->slices - 1)); }
  };
  const Piece* piece_of(SliceId slice) const;

  std::vector<Piece> pieces_;  // one for each segment with flows
};

}  // namespace tv
