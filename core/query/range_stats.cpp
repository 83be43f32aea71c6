#include "core/query/range_stats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <tuple>
#include <utility>

#include "core/base/text/ascii.h"
#include "core/base/text/count_text.h"
#include "core/query/bounded/covered_time.h"
#include "core/query/bounded/rank_search.h"
#include "core/query/lane_set.h"
#include "core/query/neighbours.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

// Whether the query may exclude slices of its lanes, by label, slice or group.
bool leaves_out_slices(const StatsQuery& query) {
  const auto leaves_out = [](const std::vector<std::uint32_t>& group) { return std::ranges::find(group, kInNoGroup) != group.end(); };
  const StatsGroups* const groups = query.groups.get();
  return std::ranges::find(query.labels, false) != query.labels.end() || query.only ||
         (groups && (leaves_out(groups->of_label) || leaves_out(groups->of_lane) || leaves_out(groups->of_slice)));
}

// Slices [first, last) of the trace's columns.
struct Stretch {
  std::size_t first, last;
  LaneId lane;

  IdRange<SliceId> ids() const { return {first, last - first}; }
};

std::vector<Stretch> stretches_of(const Trace& trace, std::span<const LaneId> lanes, const std::optional<TimeRange>& range) {
  std::vector<Stretch> stretches;
  for (const LaneId lane : lanes) {
    for (const Row& row : trace.rows_of(trace.lane(lane))) {
      if (row.kind != RowKind::Slices) continue;
      const RowPart part = range ? touching(trace.slices_of(row), *range) : RowPart{0, row.count};
      if (part.size() > 0) stretches.push_back({row.first + part.first, row.first + part.last, lane});
    }
  }
  return stretches;
}

std::size_t slices_in(std::span<const Stretch> stretches) {
  std::size_t total = 0;
  for (const Stretch& stretch : stretches) total += stretch.last - stretch.first;
  return total;
}

// Splits the stretches into `shares` lists of about equal length.
std::vector<std::vector<Stretch>> share_out(const std::vector<Stretch>& stretches, std::size_t shares) {
  const std::size_t total = slices_in(stretches);
  const std::size_t each = total / shares + 1;
  std::vector<std::vector<Stretch>> out(1);
  std::size_t room = each;
  for (Stretch stretch : stretches) {
    while (stretch.first < stretch.last) {
      if (room == 0) {
        out.emplace_back();
        room = each;
      }
      const std::size_t n = std::min(room, stretch.last - stretch.first);
      out.back().push_back({stretch.first, stretch.first + n, stretch.lane});
      stretch.first += n;
      room -= n;
    }
  }
  return out;
}

bool is_numbered(std::string_view category, std::string_view name) {
  if (category.empty() || name.size() < category.size() + 2 || !name.starts_with(category)) return false;
  const char separator = name[category.size()];
  return (separator == '_' || separator == ' ') && std::ranges::all_of(name.substr(category.size() + 1), is_digit);
}

// A sum of durations has 63 bits, and the sum of their squares is at most the square of that sum.
__extension__ using Squares = unsigned __int128;

struct Sums {
  Squares squares = 0;  // of whole slices
  std::uint64_t count = 0, unfinished = 0, cut = 0;
  Ns total = 0, self = 0;  // within the range
  Ns whole = 0, min = std::numeric_limits<Ns>::max(), max = -1;
  SliceId longest{};

  void add(const Sums& later) {
    if (count == 0 || later.max > max) longest = later.longest;
    squares += later.squares;
    count += later.count;
    unfinished += later.unfinished;
    cut += later.cut;
    total += later.total;
    self += later.self;
    whole += later.whole;
    min = std::min(min, later.min);
    max = std::max(max, later.max);
  }
};

// Most bytes for the sums of all shares. If there are so many names that this does not suffice, there are fewer shares.
constexpr std::size_t kMostForSums = std::size_t{64} << 20;

// Adds a slice that extends beyond the range: its time and self time within the range.
void add_clipped(const Trace& trace, SliceId slice, TimeRange range, Sums& sum) {
  const auto [begin, end] = trace.range_of(slice);
  const Ns inside = std::max<Ns>(std::min(end, range.end) - std::max(begin, range.begin), 0);
  ++sum.cut;
  sum.total += inside;
  sum.self += inside - time_of_children(trace, slice, range);
}

// Computed with integers, so that the order does not matter and only the result is rounded. The sum of squared distances to the
// mean is the sum of squares minus sum * sum / n.
double sample_stddev(const Sums& sums) {
  const std::uint64_t n = sums.count - sums.unfinished;
  if (n < 2) return 0;
  const Squares of_sum = Squares{static_cast<std::uint64_t>(sums.whole)} * static_cast<std::uint64_t>(sums.whole);
  const Squares whole = sums.squares - of_sum / n;
  const auto part = static_cast<double>(static_cast<std::uint64_t>(of_sum % n)) / static_cast<double>(n);
  return std::sqrt((static_cast<double>(whole) - part) / static_cast<double>(n - 1));
}

constexpr auto kNotCounted = std::numeric_limits<std::size_t>::max();

// For each label, the index of the label that it is counted under.
std::vector<std::size_t> counted_labels(const LabelTable& labels, const std::vector<bool>& only) {
  std::vector<std::size_t> counted(labels.size(), kNotCounted);
  std::unordered_map<std::string_view, std::size_t> first;  // by category: its first numbered name
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    const bool numbered = is_numbered(labels.category(label), labels.name(label));
    const std::size_t under = numbered ? first.try_emplace(labels.category(label), l).first->second : l;
    if (only.empty() || only[l]) counted[l] = under;
  }
  return counted;
}

// The label or group that each slice is counted under.
class Counted {
 public:
  Counted(const Trace& trace, const StatsQuery& query)
      : query_(query), labels_(counted_labels(trace.labels, query.labels)) {}

  std::size_t size() const { return query_.groups ? query_.groups->names.size() : labels_.size(); }
  std::size_t operator()(SliceId slice, LabelId of_slice, LaneId lane) const {
    const std::size_t label = idx(of_slice);
    const std::size_t under = labels_[label];
    if (under == kNotCounted || (query_.only && !(*query_.only)[idx(slice)])) return kNotCounted;
    if (!query_.groups) return under;
    const StatsGroups& groups = *query_.groups;
    const std::uint32_t group = !groups.of_slice.empty()   ? groups.of_slice[idx(slice)]
                                : !groups.of_lane.empty()  ? groups.of_lane[idx(lane)]
                                : !groups.of_label.empty() ? groups.of_label[label]
                                                           : kInNoGroup;
    return group == kInNoGroup ? kNotCounted : group;
  }

 private:
  const StatsQuery& query_;
  std::vector<std::size_t> labels_;
};

// The counted slices, in consecutive shares that are the same in every pass.
struct Shares {
  const Trace& trace;
  const Counted& counted;
  StatsProgress& progress;
  std::vector<std::vector<Stretch>> stretches_of_share;

  Shares(const Trace& of_trace, const Counted& of_counted, const std::vector<Stretch>& stretches, unsigned threads,
         StatsProgress& progress_of_pass)
      : trace(of_trace), counted(of_counted), progress(progress_of_pass) {
    const std::size_t fit = std::max<std::size_t>(kMostForSums / (counted.size() * sizeof(Sums) + 1), 2);
    const std::size_t least = slices_in(stretches) / UINT32_MAX + 1;  // counts of a share have 32 bits
    stretches_of_share = share_out(stretches, std::max(std::min<std::size_t>(threads + 1, fit), least));
  }

  std::size_t size() const { return stretches_of_share.size(); }

  // Calls visitor(share)(slices, slice, what it is counted under), on all threads.
  template <class Visitor>
  void for_each(ThreadPool& pool, const std::stop_token& stop, Visitor visitor) const {
    pool.parallel_for(
        size(),
        [&](std::size_t s) {
          auto visit = visitor(s);
          for (const Stretch& stretch : stretches_of_share[s]) {
            if (stop.stop_requested()) return;
            const SegmentSlices slices(trace, id_at<SliceId>(stretch.first));
            for (const SliceId slice : stretch.ids()) {
              const std::size_t under = counted(slice, slices.label_of(slice), stretch.lane);
              if (under != kNotCounted) visit(slices, slice, under);
            }
            progress.saw(stretch.last - stretch.first);
          }
        },
        stop);
  }
};

// A window holds at least this many spans per row, because all rows may be busy all the time.
constexpr std::size_t kSpansOfRow = 4;

// From the first begin to the last end of all counted slices.
TimeRange hull_of(const Trace& trace, std::span<const Stretch> stretches) {
  TimeRange hull = trace.range_of(id_at<SliceId>(stretches.front().first));
  for (const Stretch& stretch : stretches)
    hull.include(trace.begin_of(id_at<SliceId>(stretch.first)), trace.end_of(id_at<SliceId>(stretch.last - 1)));
  return hull;
}

// Adds, for each counted label or group, the time within the window during which at least one of its slices ran. `of_all`:
// receives the same over all slices. `held`: becomes the number of spans in memory, if that is larger.
void add_busy(const Shares& shares, TimeRange window, ThreadPool& pool, const std::stop_token& stop, std::vector<Ns>& busy,
              Ns* of_all, std::size_t& held) {
  const auto inside = [&](const SegmentSlices& slices, SliceId slice) {
    return slices.ref_of(slice).is(kUnfinished) ? TimeRange{} : part_within(slices.range_of(slice), window);
  };
  std::vector<std::vector<std::size_t>> at(shares.size(), std::vector<std::size_t>(busy.size()));
  shares.for_each(pool, stop, [&](std::size_t s) {
    return [&inside, to = at[s].data()](const SegmentSlices& slices, SliceId slice, std::size_t under) {
      if (!inside(slices, slice).empty()) ++to[under];
    };
  });
  std::vector<std::size_t> first(busy.size() + 1);
  for (std::size_t l = 0; l < busy.size(); ++l) {
    std::size_t to = first[l];
    for (std::vector<std::size_t>& of_share : at) to += std::exchange(of_share[l], to);
    first[l + 1] = to;
  }
  if (stop.stop_requested()) return;
  std::vector<TimeRange> spans(first.back());
  held = std::max(held, spans.size());
  shares.for_each(pool, stop, [&](std::size_t s) {
    return [&inside, &spans, to = at[s].data()](const SegmentSlices& slices, SliceId slice, std::size_t under) {
      const TimeRange span = inside(slices, slice);
      if (!span.empty() && to[under] < spans.size()) spans[to[under]++] = span;
    };
  });
  pool.parallel_for(
      busy.size(),
      [&](std::size_t l) {
        if (first[l] < first[l + 1]) busy[l] += covered_time(std::span(spans).subspan(first[l], first[l + 1] - first[l]));
      },
      stop);
  if (of_all && !stop.stop_requested()) *of_all += covered_time(spans);
}

}  // namespace

std::string_view counted_name(const LabelTable& labels, LabelId label) {
  const std::string_view category = labels.category(label), name = labels.name(label);
  return is_numbered(category, name) ? category : name;
}

double percentile(const std::vector<Ns>& sorted, double p) {
  const double h = static_cast<double>(sorted.size() - 1) * p;
  const auto low = static_cast<std::size_t>(h);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return between_ranks(static_cast<double>(sorted[low]), static_cast<double>(sorted[high]), h - std::floor(h));
}

RangeStats range_stats(const Trace& trace, const StatsQuery& query, ThreadPool& pool, std::stop_token stop,
                       const StatsMemory& memory, StatsProgress* progress) {
  const std::vector<LaneId> lanes = resolve_lanes(trace, query.lanes);
  const std::vector<Stretch> stretches = stretches_of(trace, lanes, query.range);
  const Counted counted(trace, query);
  StatsProgress unused;
  StatsProgress& shown_progress = progress ? *progress : unused;
  const std::uint64_t slices_of_pass = slices_in(stretches);
  constexpr std::uint64_t kPasses = 2, kPassesOfUnions = 2;  // at least
  shown_progress.expect(slices_of_pass * (kPasses + (query.unions ? kPassesOfUnions : 0)));
  const Shares shares(trace, counted, stretches, pool.size(), shown_progress);
  const std::size_t labels = counted.size();  // or groups

  std::vector<std::vector<Sums>> sums(shares.size());
  for (std::vector<Sums>& of_share : sums) of_share.resize(labels);
  shares.for_each(pool, stop, [&](std::size_t s) {
    return [&trace, range = query.range, of_share = sums[s].data()](const SegmentSlices& slices, SliceId slice,
                                                                    std::size_t under) {
      Sums& sum = of_share[under];
      const Ns duration = slices.duration_of(slice);
      ++sum.count;
      if (slices.ref_of(slice).is(kUnfinished)) {
        if (sum.count == 1) sum.longest = slice;
        ++sum.unfinished;
        return;
      }
      sum.whole += duration;
      sum.squares += Squares{static_cast<std::uint64_t>(duration)} * static_cast<std::uint64_t>(duration);
      const Ns begin = range ? slices.begin_of(slice) : 0;
      if (range && (begin < range->begin || begin + duration > range->end)) {
        add_clipped(trace, slice, *range, sum);
      } else {
        sum.total += duration;
        sum.self += slices.self_of(slice);
      }
      sum.min = std::min(sum.min, duration);
      if (duration > sum.max) {
        sum.max = duration;
        sum.longest = slice;
      }
    };
  });
  RangeStats out;
  out.cancelled = stop.stop_requested();
  if (out.cancelled) return out;

  std::vector<std::vector<std::uint64_t>> finished(shares.size(), std::vector<std::uint64_t>(labels));
  std::vector<RankSearch::List> lists(labels);
  std::vector<std::uint32_t> labels_of_rows;
  std::vector<bool> some_unfinished(labels);
  for (std::size_t l = 0; l < labels; ++l) {
    Sums all;
    for (std::size_t s = 0; s < shares.size(); ++s) {
      const Sums& sum = sums[s][l];
      finished[s][l] = sum.count - sum.unfinished;
      if (sum.count > 0) all.add(sum);
    }
    if (all.count == 0) continue;
    labels_of_rows.push_back(static_cast<std::uint32_t>(l));
    some_unfinished[l] = all.unfinished > 0;
    LabelStats stats;
    stats.label = query.groups ? trace.label_of(all.longest) : id_at<LabelId>(l);
    if (query.groups) stats.group = static_cast<std::uint32_t>(l);
    stats.count = all.count;
    stats.unfinished = all.unfinished;
    stats.total = all.total;
    stats.self = all.self;
    stats.longest = all.longest;
    if (stats.finished() > 0) {
      stats.min = all.min;
      stats.max = all.max;
      stats.mean = static_cast<double>(all.whole) / static_cast<double>(stats.finished());
      stats.stddev = sample_stddev(all);
      lists[l] = {all.min, all.max, stats.finished()};
    }
    out.labels.push_back(stats);
    out.count += all.count;
    out.unfinished += all.unfinished;
    out.cut += all.cut;
    out.total += all.total;
    out.self += all.self;
  }
  sums = {};
  const bool busy_of_all = query.busy && (out.unfinished > 0 || leaves_out_slices(query));
  if (busy_of_all) out.busy = 0;
  if (busy_of_all && !query.unions) shown_progress.expect(slices_of_pass * kPassesOfUnions);

  {
    std::array<double, kLengthQuantiles.size()> parts{};
    std::ranges::transform(kLengthQuantiles, parts.begin(), &LengthQuantile::part);
    RankSearch ranks(std::move(lists), std::move(finished), parts, {memory.lengths, memory.bins});
    while (!stop.stop_requested() && ranks.next_pass()) {
      if (ranks.passes() + 1 > kPasses) shown_progress.expect(slices_of_pass);
      shares.for_each(pool, stop, [&](std::size_t s) {
        return [&ranks, &some_unfinished, s](const SegmentSlices& slices, SliceId slice, std::size_t under) {
          if (some_unfinished[under] && slices.ref_of(slice).is(kUnfinished)) return;
          ranks.look_at(s, under, slices.duration_of(slice));
        };
      });
      if (!stop.stop_requested()) ranks.end_pass(pool, stop);
    }
    out.held.lengths = ranks.held().values;
    out.held.bins = ranks.held().bins;
    out.passes = ranks.passes();
    for (std::size_t i = 0; i < out.labels.size() && !stop.stop_requested(); ++i) {
      LabelStats& stats = out.labels[i];
      if (stats.finished() == 0) continue;
      for (std::size_t q = 0; q < parts.size(); ++q) stats.*kLengthQuantiles[q].member = ranks.quantile(labels_of_rows[i], q);
    }
  }
  if ((query.unions || busy_of_all) && !stretches.empty()) {
    std::vector<Ns> busy(labels);
    Ns* const of_all = out.busy ? &*out.busy : nullptr;
    const TimeRange hull = hull_of(trace, stretches), all = query.range ? part_within(hull, *query.range) : hull;
    if (slices_in(stretches) <= memory.spans) {
      add_busy(shares, all, pool, stop, busy, of_all, out.held.spans);
    } else {
      std::vector<Stretch> inside;
      for_each_window(
          all, std::max(memory.spans, kSpansOfRow * stretches.size()), stop,
          [&](TimeRange window) {
            inside = stretches_of(trace, lanes, window);
            return slices_in(inside);
          },
          [&](TimeRange window) {
            add_busy({trace, counted, inside, pool.size(), shown_progress}, window, pool, stop, busy, of_all, out.held.spans);
          });
    }
    for (std::size_t i = 0; i < out.labels.size(); ++i) out.labels[i].busy = busy[labels_of_rows[i]];
  }
  out.cancelled = stop.stop_requested();
  if (!out.cancelled) shown_progress.finish();
  std::sort(out.labels.begin(), out.labels.end(), [&](const LabelStats& a, const LabelStats& b) {
    if (a.total != b.total) return a.total > b.total;
    if (query.groups) return a.group < b.group;
    const auto key = [&](const LabelStats& s) {
      return std::pair(counted_name(trace.labels, s.label), trace.labels.category(s.label));
    };
    return key(a) < key(b);
  });
  return out;
}

std::vector<SliceId> counted_slices(const Trace& trace, const StatsQuery& query) {
  const Counted counted(trace, query);
  std::vector<SliceId> out;
  for (const Stretch& stretch : stretches_of(trace, resolve_lanes(trace, query.lanes), query.range)) {
    for (const SliceId slice : stretch.ids()) {
      if (counted(slice, trace.label_of(slice), stretch.lane) != kNotCounted) out.push_back(slice);
    }
  }
  return out;
}

std::string counted_text(const LabelStats& stats) {
  std::string text = format_count(stats.count);
  if (stats.unfinished > 0) text += " (" + format_count(stats.unfinished) + " unfinished)";
  return text;
}

std::vector<std::string> shown_names(const LabelTable& labels, const RangeStats& stats) {
  std::unordered_map<std::string_view, std::size_t> rows_of_name;
  for (const LabelStats& row : stats.labels) ++rows_of_name[counted_name(labels, row.label)];
  std::vector<std::string> out;
  for (const LabelStats& row : stats.labels) {
    const std::string_view name = counted_name(labels, row.label), category = labels.category(row.label);
    out.emplace_back(name);
    if (rows_of_name[name] > 1 && !category.empty()) out.back().append(" [").append(category).append("]");
  }
  return out;
}

Ns busy_union(const Snapshot& snapshot, const StatsQuery& query, std::stop_token stop, std::size_t most_spans) {
  const Trace& trace = *snapshot.trace;
  std::vector<RowSlices> rows;
  for (const LaneId lane : resolve_lanes(trace, query.lanes)) {
    for (std::size_t s = 0; s < snapshot.index->union_rows(lane); ++s) {
      if (const RowSlices row = snapshot.index->union_row(trace, lane, s).slices; row.size() > 0) rows.push_back(row);
    }
  }
  if (rows.empty()) return 0;
  TimeRange all = rows.front().range(0);
  for (const RowSlices& row : rows) all.include(row.begin(0), row.end(row.size() - 1));
  if (query.range) all = part_within(all, *query.range);
  if (all.empty()) return 0;
  const auto count = [&](TimeRange window) {
    std::size_t pieces = 0;
    for (const RowSlices& row : rows) pieces += touching(row, window).size();
    return pieces;
  };
  Ns sum = 0;
  for_each_window(all, std::max(most_spans, kSpansOfRow * rows.size()), stop, count, [&](TimeRange window) {
    std::vector<TimeRange> busy;
    for (const RowSlices& row : rows) {
      const RowPart part = touching(row, window);
      for (std::size_t i = part.first; i < part.last; ++i) {
        const TimeRange piece = part_within(row.range(i), window);
        // Merge adjacent pieces of a row.
        if (i > part.first && busy.back().end == piece.begin) {
          busy.back().end = piece.end;
        } else {
          busy.push_back(piece);
        }
      }
    }
    sum += covered_time(busy);
  });
  return sum;
}

Ns busy_time(const Snapshot& snapshot, const StatsQuery& query, const RangeStats& stats, std::stop_token stop) {
  return stats.busy ? *stats.busy : busy_union(snapshot, query, std::move(stop));
}

}  // namespace tv
