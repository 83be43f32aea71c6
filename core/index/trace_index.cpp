#include "core/index/trace_index.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/base/memory/pages.h"
#include "core/index/same_lanes.h"
#include "core/index/snapshot.h"

namespace tv {

IndexedRow TraceIndex::row(const Trace& trace, RowId id) const {
  const RowSlices slices = trace.slices_of(trace.row(id));
  return {slices, RowPyramid(nodes_[idx(id)], slices.size())};
}

IndexedRow TraceIndex::union_row(const Trace& trace, LaneId lane, std::size_t i) const {
  const auto& [row_id, united, part] = union_rows_[first_union_row_[idx(lane)] + i];
  if (!united) return row(trace, row_id);
  const SegmentPlace placed = trace.parts.empty() ? SegmentPlace{} : trace.parts[part].placed();
  return {united->row(placed), RowPyramid(united->nodes, united->begin.size())};
}

std::size_t TraceIndex::bytes() const {
  std::size_t sum = nodes_.size() * sizeof(nodes_[0]) + union_rows_.size() * sizeof(UnionRow) +
                    slots_.size() * sizeof(slots_[0]) +
                    overviews_.size() * sizeof(Overview) + overview_of_.size() * sizeof(std::uint32_t);
  for (const auto& segment : segments_) sum += segment->bytes();
  for (const ValuePyramid& values : values_) sum += values.bytes();
  return sum + scales_.size() * sizeof(CounterScale);
}

class IndexBuilder {
 public:
  IndexBuilder(const Trace& trace, ThreadPool& pool, std::stop_token stop, const IndexedSegments& known, const Snapshot* earlier)
      : trace_(trace), pool_(pool), stop_(std::move(stop)), known_(known), earlier_(earlier), index_(std::make_shared<TraceIndex>()) {}

  std::shared_ptr<const TraceIndex> run() {
    index_segments();
    build_values();
    if (stop_.stop_requested()) return nullptr;
    list_rows();
    list_union_rows();
    find_same_lanes();
    build_overviews();
    index_->scales_ = counter_scales(trace_);
    if (stop_.stop_requested()) return nullptr;
    return index_;
  }

 private:
  void index_segments() {
    if (trace_.parts.empty()) {
      index_->segments_.push_back(index_segment(trace_, pool_, stop_));
      return;
    }
    index_->segments_.resize(trace_.parts.size());
    pool_.parallel_for(
        trace_.parts.size(),
        [&](std::size_t p) {
          const std::shared_ptr<const Trace>& segment = trace_.parts[p].segment;
          const auto found = known_.find(segment);
          index_->segments_[p] = found != known_.end() ? found->second : index_segment(*segment, pool_, stop_);
        },
        stop_);
  }

  void build_values() {
    std::unordered_map<const double*, std::size_t> before;  // by the address of the first value
    if (earlier_) {
      const std::vector<CounterSeries>& counters = earlier_->trace->counters;
      for (std::size_t c = 0; c < counters.size(); ++c) {
        if (!counters[c].value.empty()) before.emplace(&counters[c].value.front(), c);
      }
    }
    index_->values_.resize(trace_.counters.size());
    pool_.parallel_for(
        trace_.counters.size(),
        [&](std::size_t c) {
          const AppendList<double>& values = trace_.counters[c].value;
          const auto was = values.empty() ? before.end() : before.find(&values.front());
          if (was == before.end()) {
            index_->values_[c] = ValuePyramid::build(values);
          } else {
            const std::size_t same = values.same_memory(earlier_->trace->counters[was->second].value);
            index_->values_[c] = ValuePyramid::build(values, &earlier_->index->values_[was->second], same);
          }
        },
        stop_);
  }

  // Maps each row of the view to its row in a segment.
  void list_rows() {
    index_->nodes_.resize(trace_.rows.size());
    own_rows_.resize(trace_.rows.size());
    if (trace_.parts.empty()) {
      for (std::size_t r = 0; r < trace_.rows.size(); ++r) set_row(0, id_at<RowId>(r), id_at<RowId>(r));
    }
    for (std::size_t p = 0; p < trace_.parts.size(); ++p) {
      const std::vector<RowId>& rows = trace_.parts[p].row;
      for (std::size_t r = 0; r < rows.size(); ++r) set_row(static_cast<std::uint32_t>(p), id_at<RowId>(r), rows[r]);
    }
  }

  void set_row(std::uint32_t part, RowId own, RowId row) {
    own_rows_[idx(row)] = {part, own};
    index_->nodes_[idx(row)] = index_->segments_[part]->nodes(own);
  }

  void list_union_rows() {
    Slots slots = slots_of(trace_);
    for (const Slot& slot : slots.all) {
      const OwnRow& own = own_rows_[slot.first_row];
      index_->union_rows_.push_back(
          {id_at<RowId>(slot.first_row), index_->segments_[own.part]->union_at(own.row), own.part});
    }
    std::vector<std::uint32_t> of_lane;
    for (std::size_t l = 0; l < trace_.lanes.size(); ++l) {
      of_lane.clear();
      const std::span<const Slot> all = std::span(slots.all).subspan(slots.first[l], slots.first[l + 1] - slots.first[l]);
      for (const Slot& slot : all) of_lane.push_back(trace_.rows[slot.first_row].slot);
      std::ranges::sort(of_lane);
      index_->slots_.push_back(static_cast<std::uint32_t>(std::unique(of_lane.begin(), of_lane.end()) - of_lane.begin()));
    }
    index_->first_union_row_ = std::move(slots.first);
  }

  // Finds lanes that are drawn as before: over the same time, with the same labels.
  void find_same_lanes() {
    same_.assign(trace_.lanes.size(), kNone<LaneId>);
    if (!earlier_ || earlier_->trace->shown() != trace_.shown()) return;
    const Trace& before = *earlier_->trace;
    const std::vector<SameLane> lanes = same_lanes(trace_, before);
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      const SameLane& was = lanes[l];
      if (was.lane == kNone<LaneId> || was.moved != 0 || !was.same_labels) continue;
      if (is_group(trace_, l) == is_group(before, idx(was.lane))) same_[l] = was.lane;
    }
  }

  static bool is_group(const Trace& trace, std::size_t lane) { return idx(trace.lanes[lane].subtree_end) > lane + 1; }

  void build_overviews() {
    TraceIndex& index = *index_;
    std::vector<std::size_t> lanes, groups;  // those that need a new overview
    index.overview_of_.assign(trace_.lanes.size(), TraceIndex::kNoOverview);
    for (std::size_t l = 0; l < trace_.lanes.size(); ++l) {
      const Lane& lane = trace_.lanes[l];
      const bool group = is_group(trace_, l);
      const bool large = index.union_rows(id_at<LaneId>(l)) > 0 && lane.slices > kOverviewBuckets;
      if (!group && !large) continue;
      index.overview_of_[l] = static_cast<std::uint32_t>(index.overviews_.size());
      index.overviews_.push_back(earlier_overview(l, group));
      if (!index.overviews_.back()) (group ? groups : lanes).push_back(l);
    }
    for (std::size_t l = 0; l < trace_.lanes.size(); ++l) {
      if (trace_.lanes[l].slices <= kOverviewBuckets) prefetch(l);
    }
    for (std::size_t i = 0; i < std::min(lanes.size(), kReadAhead); ++i) prefetch(lanes[i]);
    pool_.parallel_for(
        lanes.size(),
        [&](std::size_t i) {
          if (i + kReadAhead < lanes.size()) prefetch(lanes[i + kReadAhead]);
          OverviewBuilder sum(trace_.shown());
          add_rows(lanes[i], 1, sum);
          set_overview(lanes[i], sum.finish(index.slots(id_at<LaneId>(lanes[i]))));
        },
        stop_);
    if (stop_.stop_requested()) return;
    // Groups read the overviews of lanes, never those of other groups.
    pool_.parallel_for(
        groups.size() + 1,
        [&](std::size_t g) {
          if (g == groups.size()) {
            index.whole_ = mean_over(0, trace_.lanes.size());
          } else {
            set_overview(groups[g], mean_over(groups[g], idx(trace_.lanes[groups[g]].subtree_end)));
          }
        },
        stop_);
  }

  void set_overview(std::size_t lane, const Overview& overview) {
    index_->overviews_[index_->overview_of_[lane]] = std::make_shared<const Overview>(overview);
  }

  // The earlier overview to reuse; null if there is none.
  std::shared_ptr<const Overview> earlier_overview(std::size_t lane, bool group) const {
    if (!earlier_) return nullptr;
    const LaneId was = group ? same_group(lane) : same_[lane];
    const TraceIndex& index = *earlier_->index;
    const std::uint32_t at = was == kNone<LaneId> ? TraceIndex::kNoOverview : index.overview_of_[idx(was)];
    return at == TraceIndex::kNoOverview ? nullptr : index.overviews_[at];
  }

  // The group of the earlier snapshot with exactly the same lanes in the same order, apart from lanes without slices.
  LaneId same_group(std::size_t group) const {
    const Trace& before = *earlier_->trace;
    LaneId found = kNone<LaneId>, last = kNone<LaneId>;
    std::size_t lanes = 0;
    for (std::size_t l = group; l < idx(trace_.lanes[group].subtree_end); ++l) {
      if (index_->union_rows(id_at<LaneId>(l)) == 0) continue;
      LaneId was = same_[l];
      if (was == kNone<LaneId> || (last != kNone<LaneId> && was <= last)) return kNone<LaneId>;
      last = was;
      while (before.lane(was).depth > trace_.lanes[group].depth) was = before.lane(was).parent;
      if (found == kNone<LaneId>) found = was;
      if (was != found) return kNone<LaneId>;
      ++lanes;
    }
    if (found == kNone<LaneId> || !is_group(before, idx(found))) return kNone<LaneId>;
    for (std::size_t l = idx(found); l < idx(before.lane(found).subtree_end); ++l) {
      if (earlier_->index->union_rows(id_at<LaneId>(l)) > 0) --lanes;
    }
    return lanes == 0 ? found : kNone<LaneId>;
  }

  // Starts to read the data that overviews need, of columns that were never read. On a disk with high latency, many pages take
  // about as long as one.
  void prefetch(std::size_t lane) const {
    const std::size_t slots = std::min(index_->union_rows(id_at<LaneId>(lane)), kMostReadSlots);
    for (std::size_t s = 0; s < slots; ++s) {
      const std::uint32_t part = index_->union_rows_[index_->first_union_row_[lane] + s].part;
      if (trace_.parts.empty() || trace_.parts[part].segment->columns_are != ColumnsAre::Unchecked) continue;
      const auto [slices, pyramid] = index_->union_row(trace_, id_at<LaneId>(lane), s);
      const int levels = pyramid.levels();
      if (levels == 0) {
        will_need(std::as_bytes(slices.own_begins()));
        will_need(std::as_bytes(slices.own_durations()));
        will_need(std::as_bytes(slices.own_labels()));
      }
      for (int k = levels; k-- > 0 && pyramid.level(k).size() <= kMostReadNodes;) will_need(std::as_bytes(pyramid.level(k)));
    }
  }

  Overview mean_over(std::size_t first, std::size_t last) const {
    OverviewBuilder sum(trace_.shown());
    std::size_t parts = 0;
    for (std::size_t l = first; l < last; ++l) {
      const auto lane = id_at<LaneId>(l);
      const std::size_t slots = index_->slots(lane);
      if (slots == 0) continue;
      ++parts;
      const Overview* const overview = is_group(trace_, l) ? nullptr : index_->overview(lane);
      if (overview) {
        sum.add_overview(*overview);
      } else {
        add_rows(l, 1 / static_cast<double>(slots), sum);
      }
    }
    return sum.finish(parts);
  }

  void add_rows(std::size_t lane, double weight, OverviewBuilder& sum) const {
    const std::size_t union_rows = index_->union_rows(id_at<LaneId>(lane));
    for (std::size_t s = 0; s < union_rows; ++s) {
      sum.add_row(index_->union_row(trace_, id_at<LaneId>(lane), s), weight);
    }
  }

  static constexpr std::size_t kReadAhead = 64;           // lanes
  static constexpr std::size_t kMostReadSlots = 256;      // of a lane
  static constexpr std::size_t kMostReadNodes = 1 << 14;  // per level: the most that the overview of a row reads

  // A row of the view in its segment.
  struct OwnRow {
    std::uint32_t part = 0;
    RowId row{};
  };

  const Trace& trace_;
  ThreadPool& pool_;
  const std::stop_token stop_;
  const IndexedSegments& known_;
  const Snapshot* const earlier_;
  std::shared_ptr<TraceIndex> index_;
  std::vector<OwnRow> own_rows_;  // by row
  std::vector<LaneId> same_;      // by lane: its id in the earlier snapshot
};

std::shared_ptr<const TraceIndex> build_index(const Trace& trace, ThreadPool& pool, std::stop_token stop,
                                              const IndexedSegments& known, const Snapshot* earlier) {
  return IndexBuilder(trace, pool, std::move(stop), known, earlier).run();
}

}  // namespace tv
