#include "core/index/trace_index.h"

#include <algorithm>

namespace tv {

IndexedRow TraceIndex::row(const Trace& trace, RowId id) const {
  const std::size_t first = first_node_[idx(id)], last = first_node_[idx(id) + 1];
  const RowSlices slices = trace.slices_of(trace.row(id));
  return {slices, RowPyramid(std::span(nodes_).subspan(first, last - first), slices.size())};
}

IndexedRow TraceIndex::silhouette(const Trace& trace, LaneId lane, std::size_t i) const {
  const Silhouette& silhouette = silhouettes_[first_silhouette_[idx(lane)] + i];
  if (silhouette.row != kNone<RowId>) return row(trace, silhouette.row);
  const OwnPieces& own = pieces_[silhouette.own];
  return {own.pieces.row(), RowPyramid(own.nodes, own.pieces.size())};
}

std::size_t TraceIndex::bytes() const {
  std::size_t sum = nodes_.size() * sizeof(PyramidNode) + first_node_.size() * sizeof(std::size_t) +
                    silhouettes_.size() * sizeof(Silhouette) + overviews_.size() * sizeof(Overview) +
                    overview_of_.size() * sizeof(std::uint32_t);
  for (const OwnPieces& own : pieces_) {
    sum += own.pieces.size() * (2 * sizeof(Ns) + sizeof(LabelId)) + own.nodes.size() * sizeof(PyramidNode);
  }
  for (const ValuePyramid& values : values_) sum += values.bytes();
  return sum;
}

class IndexBuilder {
 public:
  IndexBuilder(const Trace& trace, ThreadPool& pool, std::stop_token stop)
      : trace_(trace), pool_(pool), stop_(std::move(stop)), index_(std::make_shared<TraceIndex>()) {}

  std::shared_ptr<const TraceIndex> run() {
    build_pyramids();
    build_silhouettes();
    if (stop_.stop_requested()) return nullptr;
    build_overviews();
    if (stop_.stop_requested()) return nullptr;
    return index_;
  }

 private:
  void build_pyramids() {
    TraceIndex& index = *index_;
    index.first_node_.reserve(trace_.rows.size() + 1);
    std::size_t nodes = 0;
    for (const Row& row : trace_.rows) {
      index.first_node_.push_back(nodes);
      nodes += pyramid_size(row.count);
    }
    index.first_node_.push_back(nodes);
    index.nodes_.resize(nodes);
    index.values_.resize(trace_.counters.size());
    const std::size_t rows = trace_.rows.size();
    pool_.parallel_for(
        rows + trace_.counters.size(),
        [&](std::size_t i) {
          if (i < rows) {
            const std::size_t first = index.first_node_[i], last = index.first_node_[i + 1];
            build_row_pyramid(trace_.slices_of(trace_.rows[i]),
                              std::span(index.nodes_).subspan(first, last - first));
          } else {
            index.values_[i - rows] = ValuePyramid::build(trace_.counters[i - rows].value);
          }
        },
        stop_);
  }

  // One silhouette per slot of a lane: its outermost row where that covers the others, else pieces of its
  // own.
  void build_silhouettes() {
    struct Slot {
      std::size_t first_row, last_row;
    };
    TraceIndex& index = *index_;
    std::vector<Slot> slots;
    for (const Lane& lane : trace_.lanes) {
      index.first_silhouette_.push_back(static_cast<std::uint32_t>(slots.size()));
      for (std::size_t r = lane.first_row; r < std::size_t{lane.first_row} + lane.row_count; ++r) {
        const Row& row = trace_.rows[r];
        if (row.kind != RowKind::Slices) continue;
        const bool same_slot = slots.size() > index.first_silhouette_.back() && slots.back().last_row == r &&
                               trace_.rows[slots.back().first_row].slot == row.slot;
        if (!same_slot) slots.push_back({r, r});
        slots.back().last_row = r + 1;
      }
    }
    index.first_silhouette_.push_back(static_cast<std::uint32_t>(slots.size()));

    std::vector<std::unique_ptr<PieceColumns>> own(slots.size());
    pool_.parallel_for(
        slots.size(),
        [&](std::size_t s) {
          const auto rows = std::span(trace_.rows).subspan(slots[s].first_row,
                                                            slots[s].last_row - slots[s].first_row);
          if (!first_row_covers(trace_, rows)) {
            own[s] = std::make_unique<PieceColumns>(union_of_rows(trace_, rows));
          }
        },
        stop_);
    for (std::size_t s = 0; s < slots.size(); ++s) {
      if (!own[s]) {
        index.silhouettes_.push_back({id_at<RowId>(slots[s].first_row), 0});
        continue;
      }
      index.silhouettes_.push_back({kNone<RowId>, static_cast<std::uint32_t>(index.pieces_.size())});
      index.pieces_.push_back({std::move(*own[s]), {}});
    }
    pool_.parallel_for(
        index.pieces_.size(),
        [&](std::size_t p) {
          TraceIndex::OwnPieces& pieces = index.pieces_[p];
          pieces.nodes.resize(pyramid_size(pieces.pieces.size()));
          build_row_pyramid(pieces.pieces.row(), pieces.nodes);
        },
        stop_);
  }

  void build_overviews() {
    TraceIndex& index = *index_;
    std::vector<std::size_t> lanes, groups;  // that have one
    for (std::size_t l = 0; l < trace_.lanes.size(); ++l) {
      const Lane& lane = trace_.lanes[l];
      const bool group = idx(lane.subtree_end) > l + 1;
      const bool large = index.silhouettes(id_at<LaneId>(l)) > 0 && lane.slices > kOverviewBuckets;
      if (group || large) (group ? groups : lanes).push_back(l);
    }
    index.overview_of_.assign(trace_.lanes.size(), TraceIndex::kNoOverview);
    index.overviews_.resize(lanes.size() + groups.size());
    pool_.parallel_for(
        lanes.size(),
        [&](std::size_t i) {
          OverviewBuilder sum(trace_.shown());
          add_rows(lanes[i], 1, sum);
          index.overviews_[i] = sum.finish(index.silhouettes(id_at<LaneId>(lanes[i])));
        },
        stop_);
    for (std::size_t i = 0; i < lanes.size(); ++i) index.overview_of_[lanes[i]] = static_cast<std::uint32_t>(i);
    // Groups read those of lanes alone: they are listed only when all are made.
    pool_.parallel_for(
        groups.size() + 1,
        [&](std::size_t g) {
          if (g == groups.size()) {
            index.whole_ = mean_over(0, trace_.lanes.size());
          } else {
            index.overviews_[lanes.size() + g] = mean_over(groups[g], idx(trace_.lanes[groups[g]].subtree_end));
          }
        },
        stop_);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      index.overview_of_[groups[g]] = static_cast<std::uint32_t>(lanes.size() + g);
    }
  }

  Overview mean_over(std::size_t first, std::size_t last) const {
    OverviewBuilder sum(trace_.shown());
    std::size_t parts = 0;
    for (std::size_t l = first; l < last; ++l) {
      const auto lane = id_at<LaneId>(l);
      const std::size_t slots = index_->silhouettes(lane);
      if (slots == 0) continue;
      ++parts;
      if (const Overview* overview = index_->overview(lane)) {
        sum.add_overview(*overview);
      } else {
        add_rows(l, 1 / static_cast<double>(slots), sum);
      }
    }
    return sum.finish(parts);
  }

  void add_rows(std::size_t lane, double weight, OverviewBuilder& sum) const {
    const std::size_t slots = index_->silhouettes(id_at<LaneId>(lane));
    for (std::size_t s = 0; s < slots; ++s) {
      sum.add_row(index_->silhouette(trace_, id_at<LaneId>(lane), s).slices, weight);
    }
  }

  const Trace& trace_;
  ThreadPool& pool_;
  const std::stop_token stop_;
  std::shared_ptr<TraceIndex> index_;
};

std::shared_ptr<const TraceIndex> build_index(const Trace& trace, ThreadPool& pool, std::stop_token stop) {
  return IndexBuilder(trace, pool, std::move(stop)).run();
}

}  // namespace tv
