#include "core/query/visible.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tv {
namespace {

// The walk uses the times and ids of the segment, and converts its results to those of the view. Nodes and Slices have the same
// members, so that one loop folds both.
struct Nodes {
  const PyramidNode* node;

  Ns t0(std::size_t i) const { return node[i].t0; }
  Ns t1(std::size_t i) const { return node[i].t1; }
  float busy(std::size_t i) const { return node[i].busy; }
  float longest(std::size_t i) const { return node[i].longest; }
  LabelId label(std::size_t i) const { return node[i].label; }
  SegmentSlice representative(std::size_t i) const { return node[i].representative; }
};

struct Slices {
  const Ns* begin;
  const Ns* duration;
  const LabelId* labels;
  SegmentSlice first;

  Ns t0(std::size_t i) const { return begin[i]; }
  // In a damaged mapped file this addition can overflow.
  Ns t1(std::size_t i) const { return static_cast<Ns>(static_cast<std::uint64_t>(begin[i]) + static_cast<std::uint64_t>(duration[i])); }
  float busy(std::size_t i) const { return static_cast<float>(duration[i]); }
  float longest(std::size_t i) const { return busy(i); }
  LabelId label(std::size_t i) const { return labels[i]; }
  SegmentSlice representative(std::size_t i) const { return id_at<SegmentSlice>(idx(first) + i); }
};

constexpr std::size_t kMostLevels = 17;  // 8 * 4^16 slices
constexpr std::size_t kAhead = 64;       // nodes whose children are fetched before they are needed

// In a damaged mapped file this subtraction can overflow.
Ns wrapping_difference(Ns a, Ns b) { return static_cast<Ns>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)); }

// In a damaged mapped file a node's busy time can be negative, which becomes 0, or NaN, which becomes 1.
float as_coverage(float part) { return std::max(std::min(1.0f, part), 0.0f); }

Ns ceil_ns(double t) { return static_cast<Ns>(std::ceil(t)); }

PixelMap in_own_time(PixelMap map, const SegmentPlace& placed) {
  map.begin -= static_cast<double>(placed.shift);
  return map;
}

class Walk {
 public:
  Walk(const IndexedRow& row, const PixelMap& map, VisibleRow& out)
      : placed_(row.slices.placed()), slices_{row.slices.own_begins().data(), row.slices.own_durations().data(),
                                              row.slices.own_labels().data(), row.slices.own_first()},
        slice_count_(row.slices.size()), top_(row.pyramid.levels()), map_(in_own_time(map, placed_)), lo_(map_.begin),
        hi_(map_.end()), px_per_ns_(1 / map.ns_per_px), first_ns_(ceil_ns(lo_)), end_ns_(ceil_ns(hi_)),
        pixel_ns_(ceil_ns(map.ns_per_px)), out_(out) {
    for (int k = 0; k < top_; ++k) levels_[static_cast<std::size_t>(k)] = row.pyramid.level(k);
  }

  void run() {
    if (top_ == 0) {
      walk_slices(0, slice_count_);
    } else {
      walk_nodes(static_cast<std::size_t>(top_) - 1, 0, levels_[static_cast<std::size_t>(top_) - 1].size());
    }
    flush();
  }

 private:
  // Times are whole nanoseconds, so comparing them with a limit rounded up is exact.
  template <class Items>
  bool narrow(const Items& items, std::size_t i) const {
    return wrapping_difference(items.t1(i), items.t0(i)) < pixel_ns_;
  }

  void fetch_below(std::size_t level, std::size_t first, std::size_t last) const {
    const Nodes nodes{levels_[level].data()};
    for (std::size_t i = first; i < last; ++i) {
      if (narrow(nodes, i)) continue;
      if (level == 0) {
        __builtin_prefetch(slices_.begin + i * kSlicesPerNode);
        __builtin_prefetch(slices_.begin + i * kSlicesPerNode + 7);
        __builtin_prefetch(slices_.duration + i * kSlicesPerNode);
        __builtin_prefetch(slices_.duration + i * kSlicesPerNode + 7);
        __builtin_prefetch(slices_.labels + i * kSlicesPerNode);
      } else {
        __builtin_prefetch(levels_[level - 1].data() + i * kFanout);
        __builtin_prefetch(levels_[level - 1].data() + i * kFanout + 2);
      }
    }
  }

  // Neighbours that must be opened are opened together. Where all nodes are wider than a pixel, as above the level that is drawn,
  // one call goes through the children of a whole block.
  void walk_nodes(std::size_t level, std::size_t first, std::size_t last) {
    out_.visits += last - first;
    const Nodes nodes{levels_[level].data()};
    while (first < last && nodes.t1(first) < first_ns_) ++first;
    while (first < last && nodes.t0(last - 1) >= end_ns_) --last;
    fetch_below(level, first, std::min(first + kAhead, last));
    for (; first < last; first = std::min(first + kAhead, last)) {
      const std::size_t end = std::min(first + kAhead, last);
      fetch_below(level, end, std::min(end + kAhead, last));
      walk_block(level, first, end);
    }
  }

  void walk_block(std::size_t level, std::size_t first, std::size_t last) {
    const Nodes nodes{levels_[level].data()};
    while (first < last) {
      first = fold(nodes, first, last);
      std::size_t wide_end = first;
      while (wide_end < last && !narrow(nodes, wide_end)) ++wide_end;
      if (wide_end == first) continue;
      if (level == 0) {
        walk_slices(first * kSlicesPerNode, std::min(wide_end * kSlicesPerNode, slice_count_));
      } else {
        walk_nodes(level - 1, first * kFanout, std::min(wide_end * kFanout, levels_[level - 1].size()));
      }
      first = wide_end;
    }
  }

  void walk_slices(std::size_t first, std::size_t last) {
    out_.visits += last - first;
    const Slices slices = slices_;
    // An item that ends where the window begins is outside, unless it has zero length.
    const auto before = [&](std::size_t i) {
      const auto t1 = static_cast<double>(slices.t1(i));
      return t1 < lo_ || (t1 == lo_ && slices.t0(i) < slices.t1(i));
    };
    while (first < last && before(first)) ++first;
    while (first < last && slices.t0(last - 1) >= end_ns_) --last;
    while (first < last) {
      first = fold(slices, first, last);
      for (; first < last && !narrow(slices, first); ++first) add_rect(first);
    }
  }

  void add_rect(std::size_t i) {
    const auto t0 = static_cast<double>(slices_.t0(i)), t1 = static_cast<double>(slices_.t1(i));
    const double width = map_.width;
    out_.slices.push_back({static_cast<std::uint32_t>(i), static_cast<float>(std::max(map_.x_of(t0), 0.0)),
                           static_cast<float>(std::min(map_.x_of(t1), width)), t0 < lo_, t1 > hi_});
  }

  // Folds items up to the first that is a pixel wide; returns its index. When zoomed out, nearly all time of a frame is spent in
  // the inner loop: all but one or two items of a pixel lie within that pixel.
  template <class Items>
  std::size_t fold(const Items& items, std::size_t i, std::size_t last) {
    while (i < last && narrow(items, i)) {
      if (items.t1(i) >= column_end_ns_) {
        fold_across(items, i++);
        continue;
      }
      const Ns column_end = column_end_ns_, pixel = pixel_ns_;
      float busy = 0, longest = -1;
      std::size_t best = i;
      do {
        busy += items.busy(i);
        const float item_longest = items.longest(i);
        best = item_longest > longest ? i : best;
        longest = std::max(item_longest, longest);
        ++i;
      } while (i < last && items.t1(i) < column_end && wrapping_difference(items.t1(i), items.t0(i)) < pixel);
      add(items, best, busy, longest);
    }
    return i;
  }

  // Folds an item that does not end before the column does. It begins another column, or it crosses the border; then its busy time
  // is split in proportion.
  template <class Items>
  void fold_across(const Items& items, std::size_t i) {
    const auto t0 = static_cast<double>(items.t0(i)), t1 = static_cast<double>(items.t1(i));
    if (items.t0(i) >= column_end_ns_) {
      // Clamp first: the column of an item a century away does not fit in 64 bits. In a damaged file an item may begin
      // before the current column.
      const double first = static_cast<double>(column_), last = map_.width - 1;
      const auto at = static_cast<std::int64_t>(std::max(std::min(std::floor((t0 - lo_) * px_per_ns_), last), first));
      // Rounding must not lead back to a finished column.
      begin_column(std::max(at, column_ + 1));
    }
    const float busy = items.busy(i), longest = items.longest(i);
    if (t1 <= column_end_ || t0 == t1) {
      add(items, i, busy, longest);
      return;
    }
    const auto left = static_cast<float>(std::max(column_end_ - t0, 0.0) / (t1 - t0));
    add(items, i, busy * left, longest);
    begin_column(column_ + 1);
    add(items, i, busy * (1 - left), longest);
  }

  template <class Items>
  void add(const Items& items, std::size_t i, float busy, float longest) {
    busy_ += busy;
    const LabelId label = items.label(i);
    const SegmentSlice representative = items.representative(i);
    const bool more = longest > best_.longest;
    best_.longest = more ? longest : best_.longest;
    best_.label = more ? label : best_.label;
    own_representative_ = more ? representative : own_representative_;
  }

  // Items come in time order, so a finished column is never revisited.
  void begin_column(std::int64_t column) {
    flush();
    column_ = column;
    column_end_ = map_.time_at(static_cast<double>(column + 1));
    column_end_ns_ = ceil_ns(column_end_);
    busy_ = 0;
    best_ = {};
  }

  void flush() {
    if (best_.empty() || static_cast<std::uint64_t>(column_) >= map_.width) return;
    best_.coverage = as_coverage(busy_ * static_cast<float>(px_per_ns_));
    best_.label = placed_.label_of(best_.label);
    const std::size_t first = idx(slices_.first);
    best_.representative = placed_.id_of(id_at<SegmentSlice>(std::clamp(idx(own_representative_), first, first + slice_count_ - 1)));
    out_.add(static_cast<std::uint32_t>(column_), best_);
  }

  const SegmentPlace placed_;
  const Slices slices_;
  const std::size_t slice_count_;
  std::array<std::span<const PyramidNode>, kMostLevels> levels_;
  const int top_;
  const PixelMap map_;
  const double lo_, hi_, px_per_ns_;
  const Ns first_ns_, end_ns_, pixel_ns_;
  VisibleRow& out_;

  // The column being summed up.
  std::int64_t column_ = -2;
  double column_end_ = 0;
  Ns column_end_ns_ = std::numeric_limits<Ns>::min();
  float busy_ = 0;
  FoldedColumn best_;
  SegmentSlice own_representative_{};  // the slice of the column's label
};

}  // namespace

void VisibleRow::clear(std::uint32_t width) {
  slices.clear();
  if (columns.size() != width) {
    columns.assign(width, {});
    filled_.resize(width);
  } else {
    for (const std::uint32_t x : filled()) columns[x] = {};
  }
  folded_columns = 0;
  visits = 0;
}

void VisibleRow::add_out_of_order(std::uint32_t x, const FoldedColumn& column) {
  FoldedColumn& existing = columns[x];
  if (existing.empty()) {
    existing = column;
    filled_[folded_columns] = filled_[folded_columns - 1];
    filled_[folded_columns++ - 1] = x;
    return;
  }
  const float coverage = std::min(existing.coverage + column.coverage, 1.0f);
  if (column.longest > existing.longest) existing = column;
  existing.coverage = coverage;
}

void add_visible(const IndexedRow& row, const PixelMap& map, VisibleRow& out) {
  out.slices.clear();
  if (map.width > 0) Walk(row, map, out).run();
}

void add_visible(const WholeRow& row, const PixelMap& map, VisibleRow& out) {
  out.slices.clear();
  ++out.visits;
  const auto t0 = static_cast<double>(row.extent.begin), t1 = static_cast<double>(row.extent.end);
  if (row.label == kNone<LabelId> || t1 < map.begin || t0 >= map.end() || (t1 == map.begin && t0 < t1)) return;
  const auto x = static_cast<std::int64_t>(std::floor(map.x_of(t0)));
  const double border = map.time_at(static_cast<double>(x + 1));
  const auto add = [&](std::int64_t column, double part) {
    if (column < 0 || column >= std::int64_t{map.width}) return;
    const auto coverage = static_cast<float>(static_cast<double>(row.busy) * part / map.ns_per_px);
    out.add(static_cast<std::uint32_t>(column), {as_coverage(coverage), row.longest, row.label, row.representative});
  };
  const double part_before = t1 <= border || t0 == t1 ? 1 : std::max(border - t0, 0.0) / (t1 - t0);
  add(x, part_before);
  if (part_before < 1) add(x + 1, 1 - part_before);
}

void visible(const IndexedRow& row, const PixelMap& map, VisibleRow& out) {
  out.clear(map.width);
  add_visible(row, map, out);
}

}  // namespace tv
