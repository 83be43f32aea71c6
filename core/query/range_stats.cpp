#include "core/query/range_stats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/base/text/ascii.h"
#include "core/base/text/count_text.h"
#include "core/query/lane_set.h"
#include "core/query/neighbours.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

// Slices [first, last) of the trace's columns.
struct Stretch {
  std::size_t first, last;
  LaneId lane;

  IdRange<SliceId> ids() const { return {first, last - first}; }
};

std::vector<Stretch> stretches_of(const Trace& trace, const StatsQuery& query) {
  std::vector<Stretch> stretches;
  for (const LaneId lane : resolve_lanes(trace, query.lanes)) {
    for (const Row& row : trace.rows_of(trace.lane(lane))) {
      if (row.kind != RowKind::Slices) continue;
      const RowPart part = query.range ? touching(trace.slices_of(row), *query.range) : RowPart{0, row.count};
      if (part.size() > 0) stretches.push_back({row.first + part.first, row.first + part.last, lane});
    }
  }
  return stretches;
}

// Cuts the stretches into `shares` lists of about equal length.
std::vector<std::vector<Stretch>> share_out(const std::vector<Stretch>& stretches, std::size_t shares) {
  std::size_t total = 0;
  for (const Stretch& stretch : stretches) total += stretch.last - stretch.first;
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

struct Sums {
  std::uint64_t count = 0, unfinished = 0, cut = 0;
  Ns total = 0, self = 0;  // within the range
  Ns whole = 0, min = std::numeric_limits<Ns>::max(), max = -1;
  SliceId longest{};
};

// A slice that reaches out of the range: what is in it, and how much of that is its own.
void add_clipped(const Trace& trace, SliceId slice, TimeRange range, Sums& sum) {
  const auto [begin, end] = trace.range_of(slice);
  const Ns inside = std::max<Ns>(std::min(end, range.end) - std::max(begin, range.begin), 0);
  ++sum.cut;
  sum.total += inside;
  sum.self += inside - time_of_children(trace, slice, range);
}

double sample_stddev(std::span<const Ns> durations, double mean) {
  if (durations.size() < 2) return 0;
  double squares = 0;
  for (const Ns duration : durations) {
    const double distance = static_cast<double>(duration) - mean;
    squares += distance * distance;
  }
  return std::sqrt(squares / static_cast<double>(durations.size() - 1));
}

constexpr auto kNotCounted = std::numeric_limits<std::size_t>::max();

double interpolate(double low, double high, double t) {
  // As numpy's _lerp, to the last bit.
  return t >= 0.5 ? high - (high - low) * (1 - t) : low + (high - low) * t;
}

// One percentile after the other in rising order; each leaves a smaller part to search.
class Selector {
 public:
  explicit Selector(std::span<Ns> values) : values_(values) {}

  double at(double p) {
    const double h = static_cast<double>(values_.size() - 1) * p;
    const auto low = static_cast<std::size_t>(h);
    std::nth_element(values_.begin() + static_cast<std::ptrdiff_t>(done_),
                     values_.begin() + static_cast<std::ptrdiff_t>(low), values_.end());
    done_ = low;
    const auto above = values_.subspan(low + 1);
    const Ns high = above.empty() ? values_[low] : *std::min_element(above.begin(), above.end());
    return interpolate(static_cast<double>(values_[low]), static_cast<double>(high), h - std::floor(h));
  }

 private:
  std::span<Ns> values_;
  std::size_t done_ = 0;
};

// The index of the label that each one is counted under.
std::vector<std::size_t> counted_labels(const LabelTable& labels, const std::vector<bool>& only) {
  std::vector<std::size_t> counted(labels.size(), kNotCounted);
  std::unordered_map<std::string_view, std::size_t> first;  // of a category's numbered names
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    const bool numbered = is_numbered(labels.category(label), labels.name(label));
    const std::size_t under = numbered ? first.try_emplace(labels.category(label), l).first->second : l;
    if (only.empty() || only[l]) counted[l] = under;
  }
  return counted;
}

// What each slice is counted under.
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

// How long at least one of them lasts; sorts them.
Ns covered_time(std::span<TimeRange> spans) {
  const auto earlier = [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; };
  if (!std::is_sorted(spans.begin(), spans.end(), earlier)) std::sort(spans.begin(), spans.end(), earlier);
  Ns sum = 0, until = std::numeric_limits<Ns>::min();
  for (const TimeRange& span : spans) {
    const Ns from = std::max(span.begin, until);
    if (span.end > from) sum += span.end - from;
    until = std::max(until, span.end);
  }
  return sum;
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
  return interpolate(static_cast<double>(sorted[low]), static_cast<double>(sorted[high]), h - std::floor(h));
}

RangeStats range_stats(const Trace& trace, const StatsQuery& query, ThreadPool& pool, std::stop_token stop) {
  const auto shares = share_out(stretches_of(trace, query), pool.size() + 1);
  const Counted counted(trace, query);
  const std::size_t labels = counted.size();  // or groups

  std::vector<std::vector<Sums>> sums(shares.size());
  pool.parallel_for(
      shares.size(),
      [&](std::size_t s) {
        sums[s].resize(labels);
        for (const Stretch& stretch : shares[s]) {
          const SegmentSlices slices(trace, id_at<SliceId>(stretch.first));
          for (const SliceId slice : stretch.ids()) {
            const std::size_t label = counted(slice, slices.label_of(slice), stretch.lane);
            if (label == kNotCounted) continue;
            Sums& sum = sums[s][label];
            const Ns duration = slices.duration_of(slice);
            ++sum.count;
            if (slices.ref_of(slice).is(kUnfinished)) {
              if (sum.count == 1) sum.longest = slice;
              ++sum.unfinished;
              continue;
            }
            sum.whole += duration;
            const Ns begin = slices.begin_of(slice);
            if (query.range && (begin < query.range->begin || begin + duration > query.range->end)) {
              add_clipped(trace, slice, *query.range, sum);
            } else {
              sum.total += duration;
              sum.self += slices.self_of(slice);
            }
            sum.min = std::min(sum.min, duration);
            if (duration > sum.max) {
              sum.max = duration;
              sum.longest = slice;
            }
          }
        }
      },
      stop);
  RangeStats out;
  out.cancelled = stop.stop_requested();
  if (out.cancelled) return out;

  // Durations grouped by label: `at[s][label]` is where share s writes its next one.
  std::vector<std::vector<std::size_t>> at(shares.size(), std::vector<std::size_t>(labels));
  std::vector<std::size_t> first_of;  // per entry of out.labels
  std::size_t total = 0;
  for (std::size_t l = 0; l < labels; ++l) {
    Sums all;
    const std::size_t first = total;
    for (std::size_t s = 0; s < shares.size(); ++s) {
      const Sums& sum = sums[s][l];
      at[s][l] = total;
      total += sum.count - sum.unfinished;
      if (all.count == 0) all.longest = sum.longest;
      all.count += sum.count;
      all.unfinished += sum.unfinished;
      all.cut += sum.cut;
      all.whole += sum.whole;
      all.total += sum.total;
      all.self += sum.self;
      all.min = std::min(all.min, sum.min);
      if (sum.max > all.max) {
        all.max = sum.max;
        all.longest = sum.longest;
      }
    }
    if (all.count == 0) continue;
    first_of.push_back(first);
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
    }
    out.labels.push_back(stats);
    out.count += all.count;
    out.unfinished += all.unfinished;
    out.cut += all.cut;
    out.total += all.total;
    out.self += all.self;
  }
  std::vector<Ns> durations(total);
  std::vector<TimeRange> spans(query.unions ? total : 0);
  pool.parallel_for(
      shares.size(),
      [&](std::size_t s) {
        for (const Stretch& stretch : shares[s]) {
          const SegmentSlices slices(trace, id_at<SliceId>(stretch.first));
          for (const SliceId slice : stretch.ids()) {
            const std::size_t label = counted(slice, slices.label_of(slice), stretch.lane);
            if (label == kNotCounted || slices.ref_of(slice).is(kUnfinished)) continue;
            const std::size_t to = at[s][label]++;
            durations[to] = slices.duration_of(slice);
            if (!query.unions) continue;
            const TimeRange whole = slices.range_of(slice);
            spans[to] = whole;
            if (query.range) spans[to] = {std::max(whole.begin, query.range->begin), std::min(whole.end, query.range->end)};
          }
        }
      },
      stop);
  pool.parallel_for(
      out.labels.size(),
      [&](std::size_t i) {
        LabelStats& stats = out.labels[i];
        if (stats.finished() == 0) return;
        const auto of_label = std::span(durations).subspan(first_of[i], stats.finished());
        if (query.unions) stats.busy = covered_time(std::span(spans).subspan(first_of[i], stats.finished()));
        stats.stddev = sample_stddev(of_label, stats.mean);
        Selector select{of_label};
        stats.p50 = select.at(0.50);
        stats.p90 = select.at(0.90);
        stats.p95 = select.at(0.95);
        stats.p99 = select.at(0.99);
      },
      stop);
  out.cancelled = stop.stop_requested();
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
  for (const Stretch& stretch : stretches_of(trace, query)) {
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

Ns busy_union(const Snapshot& snapshot, const StatsQuery& query) {
  const Trace& trace = *snapshot.trace;
  std::vector<TimeRange> busy;
  for (const LaneId lane : resolve_lanes(trace, query.lanes)) {
    for (std::size_t s = 0; s < snapshot.index->silhouettes(lane); ++s) {
      const RowSlices row = snapshot.index->silhouette(trace, lane, s).slices;
      const RowPart part = query.range ? touching(row, *query.range) : RowPart{0, row.size()};
      for (std::size_t i = part.first; i < part.last; ++i) {
        TimeRange piece{row.begin(i), row.end(i)};
        if (query.range) {
          piece = {std::max(piece.begin, query.range->begin), std::min(piece.end, query.range->end)};
        }
        // Back-to-back pieces of a row are one.
        if (i > part.first && busy.back().end == piece.begin) {
          busy.back().end = piece.end;
        } else {
          busy.push_back(piece);
        }
      }
    }
  }
  return covered_time(busy);
}

}  // namespace tv
