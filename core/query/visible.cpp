#include "core/query/visible.h"

#include <algorithm>

namespace tv {
namespace {

class Walk {
 public:
  Walk(const IndexedRow& row, const PixelMap& map, VisibleRow& out)
      : slices_(row.slices), pyramid_(row.pyramid), map_(map), lo_(map.begin), hi_(map.end()),
        px_per_ns_(1 / map.ns_per_px), out_(out) {}

  void run() {
    const int levels = pyramid_.levels();
    if (levels == 0) {
      walk_slices(0, slices_.size());
    } else {
      walk_nodes(levels - 1, 0, pyramid_.level(levels - 1).size());
    }
    flush();
  }

 private:
  struct Folded {
    double t0, t1;
    double busy;
    float longest;
    LabelId label;
    SliceId rep;
  };

  void walk_nodes(int level, std::size_t first, std::size_t last) {
    const std::span<const PyramidNode> nodes = pyramid_.level(level);
    const std::size_t below = level == 0 ? slices_.size() : pyramid_.level(level - 1).size();
    for (std::size_t n = first; n < last; ++n) {
      ++out_.visits;
      const PyramidNode& node = nodes[n];
      const auto t0 = static_cast<double>(node.t0), t1 = static_cast<double>(node.t1);
      if (t1 < lo_) continue;
      if (t0 >= hi_) return;
      if (t1 - t0 < map_.ns_per_px) {
        fold({t0, t1, static_cast<double>(node.busy), node.longest, node.label, node.rep});
      } else if (level == 0) {
        walk_slices(n * kFanout, std::min((n + 1) * kFanout, below));
      } else {
        walk_nodes(level - 1, n * kFanout, std::min((n + 1) * kFanout, below));
      }
    }
  }

  void walk_slices(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      ++out_.visits;
      const auto t0 = static_cast<double>(slices_.begin[i]);
      const auto length = static_cast<double>(slices_.duration[i]);
      const double t1 = t0 + length;
      if (t0 >= hi_) return;
      if (t1 < lo_ || (t1 == lo_ && length > 0)) continue;
      if (length < map_.ns_per_px) {
        fold({t0, t1, length, static_cast<float>(length), slices_.label[i], slices_.id(i)});
      } else {
        add_rect(i, t0, t1);
      }
    }
  }

  void add_rect(std::size_t i, double t0, double t1) {
    const double width = map_.width;
    out_.slices.push_back({static_cast<std::uint32_t>(i), static_cast<float>(std::max(map_.x_of(t0), 0.0)),
                           static_cast<float>(std::min(map_.x_of(t1), width)), t0 < lo_, t1 > hi_});
  }

  // Narrower than a pixel, so in at most two columns; the busy time is split in proportion. Called for every
  // node of a frame that is zoomed out, so it neither divides nor touches memory while the column stays the
  // same.
  void fold(const Folded& folded) {
    const double x0 = (folded.t0 - lo_) * px_per_ns_, x1 = (folded.t1 - lo_) * px_per_ns_;
    const double coverage = folded.busy * px_per_ns_;
    // What is folded touches the window, so x0 > -1, and this is its floor.
    const auto column = static_cast<std::int64_t>(x0 + 1) - 1;
    const auto edge = static_cast<double>(column + 1);
    if (x1 <= edge) {
      add_to(std::min<std::int64_t>(column, map_.width - 1), coverage, folded);
      return;
    }
    const double left = (edge - x0) / (x1 - x0);
    add_to(column, coverage * left, folded);
    add_to(column + 1, coverage * (1 - left), folded);
  }

  void add_to(std::int64_t column, double coverage, const Folded& folded) {
    if (column != at_) {
      flush();
      at_ = column;
      sum_ = {};
    }
    sum_.coverage += static_cast<float>(coverage);
    if (sum_.empty() || folded.longest > sum_.longest) {
      sum_.longest = folded.longest;
      sum_.label = folded.label;
      sum_.rep = folded.rep;
    }
  }

  // Slices come in time order, so a column that has been left is not come back to.
  void flush() {
    if (sum_.empty() || at_ < 0 || at_ >= map_.width) return;
    sum_.coverage = std::min(sum_.coverage, 1.0f);
    out_.columns[static_cast<std::size_t>(at_)] = sum_;
    ++out_.folded_columns;
  }

  const RowSlices& slices_;
  const RowPyramid& pyramid_;
  const PixelMap& map_;
  const double lo_, hi_, px_per_ns_;
  VisibleRow& out_;
  std::int64_t at_ = -1;  // the column that is being summed up
  FoldedColumn sum_;
};

}  // namespace

void visible(const IndexedRow& row, const PixelMap& map, VisibleRow& out) {
  out.slices.clear();
  if (out.folded_columns > 0 || out.columns.size() != map.width) out.columns.assign(map.width, {});
  out.folded_columns = 0;
  out.visits = 0;
  if (map.width > 0) Walk(row, map, out).run();
}

}  // namespace tv
