#include "tests/support/oracles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/query/lane_set.h"
#include "core/query/neighbours.h"

namespace tv::test::oracle {

Ns union_length(std::vector<TimeRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
  Ns sum = 0;
  for (std::size_t i = 0; i < ranges.size();) {
    TimeRange run = ranges[i];
    for (++i; i < ranges.size() && ranges[i].begin <= run.end; ++i)
      run.end = std::max(run.end, ranges[i].end);
    sum += run.length();
  }
  return sum;
}

std::size_t max_concurrency(const std::vector<TimeRange>& ranges) {
  std::size_t most = 0;
  for (const TimeRange& at : ranges) {  // the maximum is reached at the start of one
    std::size_t open = 0;
    for (const TimeRange& other : ranges) {
      open += other.begin <= at.begin && at.begin < std::max(other.end, other.begin + 1);
    }
    most = std::max(most, open);
  }
  return most;
}

std::vector<std::optional<std::size_t>> parents(const LaneItems& items) {
  const std::size_t n = items.begin.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return items.begin[a] != items.begin[b] ? items.begin[a] < items.begin[b]
                                            : items.duration[a] > items.duration[b];
  });
  std::vector<std::optional<std::size_t>> parent(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t child = order[k];
    for (std::size_t j = k; j-- > 0 && !parent[child];) {
      const std::size_t p = order[j];
      const Ns end = items.begin[p] + items.duration[p];
      const bool open = end > items.begin[child] || items.begin[p] == items.begin[child];
      if (open && end >= items.begin[child] + items.duration[child]) parent[child] = p;
    }
  }
  return parent;
}

std::vector<Ns> self_times(const LaneItems& items) {
  const auto parent = parents(items);
  std::vector<std::vector<TimeRange>> children(parent.size());
  for (std::size_t i = 0; i < parent.size(); ++i) {
    if (parent[i]) children[*parent[i]].push_back({items.begin[i], items.begin[i] + items.duration[i]});
  }
  std::vector<Ns> self(parent.size());
  for (std::size_t i = 0; i < self.size(); ++i) self[i] = items.duration[i] - union_length(children[i]);
  return self;
}

std::vector<std::size_t> depths(const LaneItems& items) {
  const auto parent = parents(items);
  std::vector<std::size_t> depth(parent.size(), 0);
  for (std::size_t i = 0; i < depth.size(); ++i) {
    for (auto up = parent[i]; up; up = parent[*up]) ++depth[i];
  }
  return depth;
}

LaneSlices slices_of(const Trace& trace, const Lane& lane, std::optional<std::uint32_t> slot) {
  LaneSlices out;
  for (const Row& row : trace.rows_of(lane)) {
    if (row.kind != RowKind::Slices || (slot && row.slot != *slot)) continue;
    const RowSlices slices = trace.slices_of(row);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      out.begin.push_back(slices.begin(i));
      out.duration.push_back(slices.duration(i));
      out.ids.push_back(slices.id(i));
    }
  }
  return out;
}

std::optional<SliceId> hit_test(const RowSlices& row, Ns t, Ns tolerance) {
  std::optional<std::size_t> best;
  Ns best_distance = tolerance + 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Ns last_ns = std::max(row.end(i) - 1, row.begin(i));
    const Ns distance = t < row.begin(i) ? row.begin(i) - t : t > last_ns ? t - last_ns : 0;
    if (distance < best_distance) {
      best = i;
      best_distance = distance;
    }
  }
  if (!best) return std::nullopt;
  return row.id(*best);
}

std::vector<LabelStats> range_stats(const Trace& trace, const StatsQuery& query) {
  struct Samples {
    std::vector<Ns> durations;
    std::vector<SliceId> ids, unfinished;
    std::vector<TimeRange> spans;  // within the range, as what follows
    Ns total = 0, self = 0;
  };
  std::map<LabelId, Samples> samples;
  for (const LaneId lane : resolve_lanes(trace, query.lanes)) {
    const LaneSlices slices = slices_of(trace, trace.lane(lane));
    std::map<SliceId, std::vector<std::size_t>> children_of;
    for (std::size_t c = 0; c < slices.ids.size(); ++c) {
      if (const auto parent = parent_of(trace, slices.ids[c])) children_of[*parent].push_back(c);
    }
    for (std::size_t i = 0; i < slices.ids.size(); ++i) {
      const Ns begin = slices.begin[i], end = begin + slices.duration[i];
      if (query.range) {
        const bool touches =
            begin < query.range->end && (end > query.range->begin || begin == query.range->begin);
        if (!touches || (end == begin && begin < query.range->begin)) continue;
      }
      const LabelId label = trace.label_of(slices.ids[i]);
      if (!query.labels.empty() && !query.labels[idx(label)]) continue;
      Samples& of = samples[label];
      if (trace.ref_of(slices.ids[i]).is(kUnfinished)) {
        of.unfinished.push_back(slices.ids[i]);
        continue;
      }
      of.ids.push_back(slices.ids[i]);
      of.durations.push_back(slices.duration[i]);
      const TimeRange range = query.range.value_or(TimeRange{begin, end});
      const TimeRange inside{std::max(begin, range.begin), std::min(end, range.end)};
      if (!inside.empty()) of.spans.push_back(inside);
      of.total += std::max<Ns>(inside.length(), 0);
      std::vector<TimeRange> children;
      for (const std::size_t c : children_of[slices.ids[i]]) {
        const TimeRange child{std::max(slices.begin[c], inside.begin),
                              std::min(slices.begin[c] + slices.duration[c], inside.end)};
        if (!child.empty()) children.push_back(child);
      }
      of.self += std::max<Ns>(inside.length(), 0) - union_length(children);
    }
  }
  std::vector<LabelStats> out;
  for (auto& [label, of] : samples) {
    std::sort(of.durations.begin(), of.durations.end());
    LabelStats stats;
    stats.label = label;
    stats.count = of.durations.size() + of.unfinished.size();
    stats.unfinished = of.unfinished.size();
    if (of.durations.empty()) {
      stats.longest = std::ranges::min(of.unfinished);
      out.push_back(stats);
      continue;
    }
    const Ns whole = std::accumulate(of.durations.begin(), of.durations.end(), Ns{0});
    stats.total = of.total;
    stats.self = of.self;
    stats.busy = union_length(of.spans);
    stats.min = of.durations.front();
    stats.max = of.durations.back();
    const auto finished = static_cast<double>(of.durations.size());
    stats.mean = static_cast<double>(whole) / finished;
    for (const Ns duration : of.durations) stats.stddev += std::pow(static_cast<double>(duration) - stats.mean, 2);
    stats.stddev = finished > 1 ? std::sqrt(stats.stddev / (finished - 1)) : 0;
    stats.longest = kNone<SliceId>;
    for (const SliceId id : of.ids) {
      if (trace.duration_of(id) == stats.max) stats.longest = std::min(stats.longest, id);
    }
    for (const LengthQuantile& quantile : kLengthQuantiles) stats.*quantile.member = percentile(of.durations, quantile.part);
    out.push_back(stats);
  }
  std::stable_sort(out.begin(), out.end(), [&](const LabelStats& a, const LabelStats& b) {
    return a.total != b.total ? a.total > b.total : trace.labels.name(a.label) < trace.labels.name(b.label);
  });
  return out;
}

std::string check_folding(const RowSlices& row, const PixelMap& map, const VisibleRow& shown, int levels) {
  const double width = map.width;
  struct Folded {
    double x0, x1;
    std::size_t at;
  };
  std::vector<Folded> folded;
  std::size_t rect = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto begin = static_cast<double>(row.begin(i)), end = static_cast<double>(row.end(i));
    const bool touches = begin < map.end() && (end > map.begin || (begin == end && begin >= map.begin));
    if (!touches) continue;
    if (end - begin < map.ns_per_px) {
      folded.push_back({map.x_of(begin), map.x_of(end), i});
      continue;
    }
    if (rect == shown.slices.size() || shown.slices[rect].at != i)
      return fmt::format("C1: slice {} has no rectangle", i);
    const VisibleSlice& slice = shown.slices[rect++];
    const double x0 = std::max(map.x_of(begin), 0.0), x1 = std::min(map.x_of(end), width);
    if (std::abs(static_cast<double>(slice.x0) - x0) > 0.01 ||
        std::abs(static_cast<double>(slice.x1) - x1) > 0.01) {
      return fmt::format("C2: rectangle of slice {} is elsewhere", i);
    }
    if (slice.clipped_left != (begin < map.begin) || slice.clipped_right != (end > map.end())) {
      return fmt::format("clipping of slice {} is not marked", i);
    }
  }
  if (rect != shown.slices.size()) return "C2: a rectangle is no slice of the window";

  std::uint32_t filled = 0;
  for (std::size_t x = 0; x < shown.columns.size(); ++x) filled += !shown.columns[x].empty();
  if (filled != shown.folded_columns) return "the number of folded columns is wrong";

  for (const Folded& slice : folded) {
    bool seen = false;
    for (double x = std::floor(slice.x0) - 1; x <= std::floor(slice.x1) + 1 && !seen; ++x) {
      seen = x >= 0 && x < width && !shown.columns[static_cast<std::size_t>(x)].empty();
    }
    if (!seen) return fmt::format("C1: slice {} vanished", slice.at);
  }
  // Slices are in time order: those within a pixel of a column are neighbours in `folded`. One that ends
  // where the window begins may be there too: nodes are taken whole.
  std::size_t near = 0;
  for (std::size_t x = 0; x < shown.columns.size(); ++x) {
    const FoldedColumn& column = shown.columns[x];
    if (column.empty()) continue;
    if (column.coverage > 1.0001f) return fmt::format("C3: column {} is more than full", x);
    const auto left = static_cast<double>(x) - 1.001, right = static_cast<double>(x) + 2.001;
    const std::size_t representative = row.position_of(column.representative);
    if (representative >= row.size() || row.label(representative) != column.label)
      return fmt::format("C4: column {}: not its label", x);
    const auto its_begin = static_cast<double>(row.begin(representative)), its_end = static_cast<double>(row.end(representative));
    if (map.x_of(its_begin) > right || map.x_of(its_end) < left)
      return fmt::format("C4: column {} is far off", x);
    while (near < folded.size() && folded[near].x1 < left) ++near;
    const bool edge = x == 0 || x + 1 == shown.columns.size();
    if (!edge && (near == folded.size() || folded[near].x0 > right))
      return fmt::format("C2: column {} is invented", x);
  }

  // C3, for the window and for parts of it: sums agree to one pixel at each end.
  for (const auto& [from, to] : {std::pair{0.0, width}, {std::floor(width / 3), std::floor(width / 2)}}) {
    double expected = 0, found = 0;
    for (const Folded& slice : folded) {
      expected += std::max(std::min(slice.x1, to) - std::max(slice.x0, from), 0.0);
    }
    for (double x = from; x < to; ++x)
      found += static_cast<double>(shown.columns[static_cast<std::size_t>(x)].coverage);
    if (std::abs(expected - found) > 2 + 1e-4 * expected) {
      return fmt::format("C3: {} px busy in [{}, {}), {} found", expected, from, to, found);
    }
  }

  const double most_visits = 16 * (width + 2) * (levels + 1);
  if (static_cast<double>(shown.visits) > most_visits) return fmt::format("C5: {} visits", shown.visits);
  if (static_cast<double>(shown.slices.size()) > width + 2) return "C5: too many rectangles";
  return {};
}

}  // namespace tv::test::oracle
