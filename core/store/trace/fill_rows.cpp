#include "core/store/trace/fill_rows.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "core/store/trace/row_layout.h"

namespace tv {
namespace {

// Where the slices of a piece go: one cursor for each lane of its tracks.
struct Cursors {
  std::vector<std::uint32_t> of_track;  // index into lanes and next
  std::vector<LaneId> lanes;
  std::vector<std::uint32_t> next;      // first a count of slices, then the next position
};

// Layouts for reuse: at most one for each thread that lays out lanes.
class SpareLayouts {
 public:
  std::unique_ptr<RowLayout> take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return std::make_unique<RowLayout>();
    std::unique_ptr<RowLayout> layout = std::move(spare_.back());
    spare_.pop_back();
    return layout;
  }
  void give_back(std::unique_ptr<RowLayout> layout) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(layout));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<RowLayout>> spare_;
};

class RowFill {
 public:
  RowFill(Trace& trace, std::vector<SlicePiece> pieces, std::vector<LaneContent> content, ThreadPool& pool,
          std::stop_token stop)
      : trace_(trace), pieces_(std::move(pieces)), content_(std::move(content)), pool_(pool), stop_(std::move(stop)) {}

  std::vector<LaneOverlap> run() {
    reserve_places();
    pool_.parallel_for(pieces_.size(), [&](std::size_t p) { scatter(p); }, stop_);
    if (stop_.stop_requested()) return {};
    trace_.slices.self = Column<Ns>(total_);
    rows_.resize(trace_.lanes.size());
    overlaps_.resize(trace_.lanes.size());
    // Largest lanes first, so that the last one to finish is small.
    std::vector<std::size_t> lanes(trace_.lanes.size());
    std::iota(lanes.begin(), lanes.end(), std::size_t{0});
    std::ranges::stable_sort(lanes, std::greater<>(), [&](std::size_t l) { return slices_[l]; });
    pool_.parallel_for(lanes.size(), [&](std::size_t i) { lay_out(lanes[i]); }, stop_);
    if (stop_.stop_requested()) return {};
    return list_rows();
  }

 private:
  // Counts the slices by lane and turns the counts into positions: lanes in order, within a lane pieces in order, and a lane's
  // instants after its slices.
  void reserve_places() {
    cursors_.resize(pieces_.size());
    pool_.parallel_for(pieces_.size(), [&](std::size_t p) { count(pieces_[p], cursors_[p]); }, stop_);
    const std::size_t lanes = trace_.lanes.size();
    first_.assign(lanes + 1, 0);
    slices_.assign(lanes, 0);
    out_of_order_.assign(lanes, false);
    unfinished_.assign(lanes, 0);
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const Cursors& cursors = cursors_[p];
      for (std::size_t c = 0; c < cursors.lanes.size(); ++c) {
        slices_[idx(cursors.lanes[c])] += cursors.next[c];
        if (!pieces_[p].in_file_order && cursors.next[c] > 0) out_of_order_[idx(cursors.lanes[c])] = true;
      }
    }
    for (std::size_t l = 0; l < lanes; ++l) {
      first_[l] = total_;
      total_ += slices_[l] + content_[l].instants.size();
    }
    first_[lanes] = total_;
    std::vector<std::uint32_t> next(first_.begin(), first_.end());
    for (Cursors& cursors : cursors_) {
      for (std::size_t c = 0; c < cursors.lanes.size(); ++c) {
        std::uint32_t& at = next[idx(cursors.lanes[c])];
        at += std::exchange(cursors.next[c], at);
      }
    }
    trace_.slices.begin = Column<Ns>(total_);
    trace_.slices.duration = Column<Ns>(total_);
    trace_.slices.label = Column<LabelId>(total_);
    trace_.slices.ref = Column<ItemRef>(total_);
    const bool packs = std::ranges::any_of(content_, [](const LaneContent& c) { return c.rule == RowRule::Pack; });
    if (packs) group_ = Column<std::uint32_t>(total_);
  }

  // Tracks of one lane share a cursor, so that the lane's slices stay in file order.
  static void count(const SlicePiece& piece, Cursors& cursors) {
    std::vector<std::pair<LaneId, std::uint32_t>> by_lane;
    for (std::size_t t = 0; t < piece.lane.size(); ++t) by_lane.emplace_back(piece.lane[t], static_cast<std::uint32_t>(t));
    std::ranges::sort(by_lane);
    cursors.of_track.resize(piece.lane.size());
    for (const auto& [lane, track] : by_lane) {
      if (cursors.lanes.empty() || cursors.lanes.back() != lane) cursors.lanes.push_back(lane);
      cursors.of_track[track] = static_cast<std::uint32_t>(cursors.lanes.size() - 1);
    }
    cursors.next.assign(cursors.lanes.size(), 0);
    for (const std::uint32_t track : piece.slices->track) ++cursors.next[cursors.of_track[track]];
  }

  void scatter(std::size_t p) {
    SlicePiece& piece = pieces_[p];
    Cursors& cursors = cursors_[p];
    const SliceBlock& from = *piece.slices;
    SliceTable& slices = trace_.slices;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::uint32_t to = cursors.next[cursors.of_track[from.track[i]]]++;
      const Ns begin = from.begin[i] + piece.shift;
      slices.begin[to] = begin;
      slices.duration[to] = from.duration[i] == kOpenEnd ? piece.open_end - begin : from.duration[i];
      slices.label[to] = piece.label.empty() ? from.label[i] : piece.label[idx(from.label[i])];
      const std::uint8_t flags = from.flags_of(i);
      slices.ref[to] = ItemRef(piece.source, flags, from.offset[i]);
      if ((flags & kUnfinished) != 0) mark_unfinished(piece.lane[from.track[i]]);
      if (group_.empty()) continue;
      const std::uint32_t group = from.group_of(i);
      group_[to] = group == kNoGroup || piece.group.empty() ? group : piece.group[group];
    }
    piece = {};
    cursors = {};
  }

  // Atomic, because several pieces may have such slices on one lane.
  void mark_unfinished(LaneId lane) {
    std::atomic_ref(unfinished_[idx(lane)]).store(1, std::memory_order_relaxed);
  }

  void lay_out(std::size_t l) {
    const LaneContent& content = content_[l];
    const std::size_t first = first_[l], n = slices_[l];
    if (n > 0) {
      const auto part = [&](const auto& column) { return std::span(column.data() + first, n); };
      const LaneItems items{part(trace_.slices.begin), part(trace_.slices.duration),
                            content.rule == RowRule::Pack ? part(std::as_const(group_)) : std::span<const std::uint32_t>(),
                            out_of_order_[l] ? part(std::as_const(trace_.slices.ref)) : std::span<const ItemRef>()};
      std::unique_ptr<RowLayout> layout = layouts_.take();
      const std::span<Ns> self(trace_.slices.self.data() + first, n);
      lay_out_rows(items, content.rule, trace_.lanes[l].nest_tolerance, self, *layout, pool_);
      add_rows(l, *layout);
      permute(first, *layout, rows_[l]);
      layouts_.give_back(std::move(layout));
    }
    place_instants(l);
  }

  void add_rows(std::size_t l, const RowLayout& layout) {
    std::vector<std::uint32_t> per_row(layout.rows.size(), 0);
    for (const std::uint32_t row : layout.row) ++per_row[row];
    std::uint64_t next = first_[l];
    for (std::size_t r = 0; r < layout.rows.size(); ++r) {
      rows_[l].push_back({id_at<LaneId>(l), RowKind::Slices, static_cast<std::uint16_t>(layout.rows[r].depth),
                          layout.rows[r].slot, per_row[r], next});
      next += per_row[r];
    }
    Lane& lane = trace_.lanes[l];
    lane.slices = layout.row.size();
    lane.busy = unfinished_[l] ? busy_of_finished(l, layout) : layout.busy;
    lane.overlaps = layout.overlaps;
    if (layout.overlaps == 0) return;
    const std::size_t example = first_[l] + layout.first_overlap;
    lane.first_overlap_in = trace_.slices.ref[example].source();
    overlaps_[l] = {id_at<LaneId>(l), layout.overlaps, trace_.slices.ref[example], trace_.slices.label[example]};
  }

  // Slices that never ended do not count: their real duration is unknown.
  Ns busy_of_finished(std::size_t l, const RowLayout& layout) const {
    Ns busy = 0, until = std::numeric_limits<Ns>::min();
    for (const std::uint32_t item : layout.order) {
      const std::size_t i = first_[l] + item;
      if (trace_.slices.ref[i].is(kUnfinished)) continue;
      const Ns begin = trace_.slices.begin[i], end = begin + trace_.slices.duration[i];
      busy += std::max<Ns>(end - std::max(begin, until), 0);
      until = std::max(until, end);
    }
    return busy;
  }

  // Moves the slices of a lane, which begin at `first`, to their rows; each row is sorted by begin.
  void permute(std::size_t first, RowLayout& layout, const std::vector<Row>& rows) {
    const std::span<std::uint32_t> from(layout.spare);
    std::vector<std::uint32_t> next;
    for (const Row& row : rows) next.push_back(static_cast<std::uint32_t>(row.first - first));
    for (const std::uint32_t item : layout.order) from[next[layout.row[item]]++] = item;
    if (std::ranges::is_sorted(from)) return;
    SliceTable& slices = trace_.slices;
    permute(slices.begin.data() + first, from, layout);
    permute(slices.duration.data() + first, from, layout);
    permute(slices.self.data() + first, from, layout);
    permute(slices.label.data() + first, from, layout);
    permute(slices.ref.data() + first, from, layout);
  }

  // The layout's order and rows are no longer needed, so their memory holds the values that are moved. All threads move one lane,
  // because one lane of a trace is often larger than all others together.
  template <class T>
  void permute(T* values, std::span<const std::uint32_t> from, RowLayout& layout) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    std::uint32_t* const low = layout.order.data();
    std::uint32_t* const high = layout.row.data();
    in_parts(from.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if constexpr (sizeof(T) == 4) {
          low[i] = std::bit_cast<std::uint32_t>(values[from[i]]);
        } else {
          const auto bits = std::bit_cast<std::uint64_t>(values[from[i]]);
          low[i] = static_cast<std::uint32_t>(bits);
          high[i] = static_cast<std::uint32_t>(bits >> 32);
        }
      }
    });
    in_parts(from.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if constexpr (sizeof(T) == 4) {
          values[i] = std::bit_cast<T>(low[i]);
        } else {
          values[i] = std::bit_cast<T>(std::uint64_t{high[i]} << 32 | low[i]);
        }
      }
    });
  }

  template <class Work>
  void in_parts(std::size_t n, Work work) {
    constexpr std::size_t kPart = 1 << 18;
    if (n <= kPart) return work(0, n);
    pool_.parallel_for((n + kPart - 1) / kPart, [&](std::size_t p) { work(p * kPart, std::min(n, (p + 1) * kPart)); });
  }

  void place_instants(std::size_t l) {
    const std::vector<PlacedInstant>& instants = content_[l].instants;
    trace_.lanes[l].instants = instants.size();
    if (instants.empty()) return;
    std::size_t to = first_[l] + slices_[l];
    rows_[l].push_back({id_at<LaneId>(l), RowKind::Instants, 0, 0, static_cast<std::uint32_t>(instants.size()), to});
    for (const PlacedInstant& instant : instants) {
      trace_.slices.begin[to] = instant.time;
      trace_.slices.duration[to] = 0;
      trace_.slices.self[to] = 0;
      trace_.slices.label[to] = instant.label;
      trace_.slices.ref[to] = instant.ref;
      ++to;
    }
  }

  std::vector<LaneOverlap> list_rows() {
    std::vector<LaneOverlap> overlaps;
    for (std::size_t l = 0; l < trace_.lanes.size(); ++l) {
      Lane& lane = trace_.lanes[l];
      lane.first_row = static_cast<std::uint32_t>(trace_.rows.size());
      lane.row_count = static_cast<std::uint32_t>(rows_[l].size());
      trace_.rows.insert(trace_.rows.end(), rows_[l].begin(), rows_[l].end());
      trace_.slice_count += lane.slices;
      trace_.instant_count += lane.instants;
      if (overlaps_[l]) overlaps.push_back(*overlaps_[l]);
    }
    return overlaps;
  }

  Trace& trace_;
  std::vector<SlicePiece> pieces_;
  std::vector<LaneContent> content_;
  ThreadPool& pool_;
  const std::stop_token stop_;

  std::vector<Cursors> cursors_;            // by piece
  std::vector<std::size_t> first_, slices_;  // by lane: its part of the columns, and the number of slices in it
  std::vector<bool> out_of_order_;          // by lane: its slices are not in the order of their records
  std::vector<std::uint8_t> unfinished_;    // by lane: whether any of its slices never ended
  std::size_t total_ = 0;
  Column<std::uint32_t> group_;  // group of each slice; empty if no lane is packed
  SpareLayouts layouts_;
  std::vector<std::vector<Row>> rows_;                // by lane
  std::vector<std::optional<LaneOverlap>> overlaps_;  // by lane
};

}  // namespace

std::vector<LaneOverlap> fill_rows(Trace& trace, std::vector<SlicePiece> pieces, std::vector<LaneContent> content,
                                   ThreadPool& pool, std::stop_token stop) {
  return RowFill(trace, std::move(pieces), std::move(content), pool, std::move(stop)).run();
}

}  // namespace tv
