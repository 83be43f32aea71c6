// The immutable result of reading: columns of slices grouped by row, rows grouped by lane, lanes in display order.
//
//   lane tree      rows                      slices (columns)
//   rank 0         (group)
//    └ thread 1    row 0  depth 0   ──────►  begin  duration  self  label  ref
//                  row 1  depth 1   ──────►  ...
//                  row 2  instants  ──────►  ...
//
// Row invariant: the begins and the ends of a row are both sorted, because its slices do not overlap, except for rounding on
// lanes with a nest tolerance (row_layout.h). Binary search, hit tests, finding neighbours and folding rely on it. Instants are
// rows of zero-length slices.
//
// A trace is either a segment, with columns of its own, or a view over several segments (compose.h). A view has its own lanes,
// rows, labels, sources and logs, while the slices stay in the columns of the segments. Callers that read slices need not know
// which it is. Members called own... are about the numbers and times of the segment, before a view translates them.
//
// All times that a trace hands out are on its one clock, so they are plain Ns: SegmentTime or ViewTime (clock_time.h). Only code
// that takes times from one trace to another, or to a file, needs types that name the clock.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/memory/append_list.h"
#include "core/base/time.h"
#include "core/store/clock/align_runs.h"
#include "core/store/collectives/lane_collectives.h"
#include "core/store/columns/flow_table.h"
#include "core/store/columns/slice_table.h"
#include "core/store/draft/label_table.h"
#include "core/store/draft/lane_spec.h"
#include "core/store/draft/source_info.h"
#include "core/store/logs/metric_log.h"
#include "core/store/logs/pipeline_log.h"
#include "core/store/logs/rollout_log.h"

namespace tv {

enum class RowKind : std::uint8_t { Slices, Instants };

/// The place of a row on its lane, from top to bottom. Rows of several segments can have the same place (lane_slots.h); then they
/// are drawn as one line. All rows of instants have the same place.
struct LinePlace {
  RowKind kind = RowKind::Slices;
  std::uint32_t slot = 0;
  std::uint16_t depth = 0;
  auto operator<=>(const LinePlace&) const = default;
};

struct Row {
  LaneId lane;
  RowKind kind = RowKind::Slices;
  std::uint16_t depth = 0;  ///< nesting depth within its slot
  std::uint32_t slot = 0;   ///< of a packed lane, or of a lane where several segments of a view run at once; otherwise 0
  std::uint32_t count = 0;
  std::uint64_t first = 0;  ///< SliceId of the first slice

  LinePlace place() const { return {kind, slot, depth}; }
};

/// How a view translates a segment: times are shifted, labels and slices get new numbers. Values from unchecked columns are
/// clamped, so that they cannot index outside a table.
struct SegmentPlace {
  Ns shift = 0;
  std::span<const LabelId> label = {};  ///< by label of the segment: the view's label; empty: both have the same labels
  std::size_t slices_before = 0;        ///< SliceId of the segment's first slice
  Ns earliest = std::numeric_limits<Ns>::min();  ///< least valid time or duration of the segment
  std::uint64_t reach = std::numeric_limits<std::uint64_t>::max();  ///< earliest + reach is the greatest

  LabelId label_of(LabelId own) const { return label.empty() ? own : label[std::min(idx(own), label.size() - 1)]; }
  SliceId id_of(SegmentSlice own) const { return id_at<SliceId>(slices_before + idx(own)); }
  /// A time or duration of the segment; 0 if it is not valid.
  Ns within(Ns own) const {
    return static_cast<std::uint64_t>(own) - static_cast<std::uint64_t>(earliest) <= reach ? own : 0;
  }
  Ns time_of(Ns own) const { return within(own) + shift; }
  /// Converts a time of the view to one of the segment. Saturates on overflow.
  Ns own_time(Ns t) const {
    Ns own = 0;
    if (!__builtin_sub_overflow(t, shift, &own)) return own;
    return shift < 0 ? std::numeric_limits<Ns>::max() : std::numeric_limits<Ns>::min();
  }
};

/// The slices of a row, by position in the row, with the view's values.
class RowSlices {
 public:
  RowSlices() = default;
  /// `own_first`: the number of the first slice in its segment.
  RowSlices(std::span<const Ns> begins, std::span<const Ns> durations, std::span<const LabelId> labels, SegmentSlice own_first,
            SegmentPlace placed = {})
      : begins_(begins), durations_(durations), labels_(labels), first_(placed.id_of(own_first)), placed_(placed) {}

  std::size_t size() const { return begins_.size(); }
  Ns begin(std::size_t i) const { return placed_.time_of(begins_[i]); }
  Ns duration(std::size_t i) const { return placed_.within(durations_[i]); }
  Ns end(std::size_t i) const { return begin(i) + duration(i); }
  TimeRange range(std::size_t i) const { return {begin(i), end(i)}; }
  LabelId label(std::size_t i) const { return placed_.label_of(labels_[i]); }
  SliceId id(std::size_t i) const { return id_at<SliceId>(idx(first_) + i); }
  std::size_t position_of(SliceId id) const { return idx(id) - idx(first_); }

  /// The number of slices whose label fulfils `matches`, and whether there is any.
  template <class Matches>
  std::size_t count_labels(Matches matches) const {
    return static_cast<std::size_t>(std::ranges::count_if(labels_, [&](LabelId own) { return matches(placed_.label_of(own)); }));
  }
  template <class Matches>
  bool any_label(Matches matches) const {
    return std::ranges::any_of(labels_, [&](LabelId own) { return matches(placed_.label_of(own)); });
  }

  /// The columns and numbers of the segment, for code that walks all slices. placed() converts them to those of the view.
  std::span<const Ns> own_begins() const { return begins_; }
  std::span<const Ns> own_durations() const { return durations_; }
  std::span<const LabelId> own_labels() const { return labels_; }
  SegmentSlice own_first() const { return id_at<SegmentSlice>(idx(first_) - placed_.slices_before); }
  const SegmentPlace& placed() const { return placed_; }

 private:
  std::span<const Ns> begins_, durations_;
  std::span<const LabelId> labels_;
  SliceId first_{};
  SegmentPlace placed_;
};

struct Lane {
  std::string name;
  std::int64_t sort = 0;  ///< LaneSegment's: order among siblings
  std::string key;        ///< LaneSegment's: identity among siblings
  LaneOwner owner;        ///< LaneSegment's
  LaneKind kind = LaneKind::Group;
  LaneId parent = kNone<LaneId>;
  std::uint16_t depth = 0;          ///< 0 = outermost
  LaneId subtree_end{};             ///< one past the last descendant: the lanes of a group are [id + 1, subtree_end)
  std::uint32_t first_row = 0, row_count = 0;
  std::uint32_t counter = UINT32_MAX;  ///< index into Trace::counters
  std::uint64_t slices = 0, instants = 0, overlaps = 0;
  SourceId first_overlap_in{};  ///< the source that reports the overlaps; not stored in files
  Ns busy = 0;                  ///< length of the union of its slices that have an end
  Ns nest_tolerance = 0;        ///< LaneSpec's: a child may end this much after its parent
  TimeRange extent;             ///< of all its contents, including descendants

  /// Whether slices, instants or samples are on the lane itself.
  bool holds_anything() const { return row_count > 0 || counter != UINT32_MAX; }
};

/// The samples in a view's series that come from one segment.
struct CounterPiece {
  std::uint32_t part = 0, counter = 0;  ///< index into Trace::parts, and into the counters of that segment
  std::size_t end = 0;                  ///< index after the last sample; the first one is at the end of the previous piece
};

struct CounterSeries {
  LaneId lane;
  AppendList<Ns> time;  ///< sorted; a value holds until the next sample
  AppendList<double> value;
  double min = 0, max = 0;
  std::vector<CounterPiece> pieces;  ///< in a view whose pieces follow each other in time; otherwise empty

  void push_back(Ns at, double what) {
    time.push_back(at);
    value.push_back(what);
  }
  void reserve_more(std::size_t n) {
    time.reserve_more(n);
    value.reserve_more(n);
  }
  /// Sets min and max. Samples must not be shared yet, and there must be at least one.
  void find_extremes() {
    const auto [least, most] = std::ranges::minmax(value.own());
    min = least;
    max = most;
  }
  void share() {
    time.share();
    value.share();
  }
};

struct Trace;

/// A segment of a view.
struct ViewPart {
  std::shared_ptr<const Trace> segment;  ///< never a view itself
  ClockShift<SegmentTime, ViewTime> shift;
  Ns manual_offset = 0;                  ///< how far the user moved the segment's clocks since it was made; part of shift
  std::vector<LabelId> label;            ///< by label of the segment: the view's label; empty: both have the same labels
  std::uint64_t first_slice = 0;
  std::uint32_t first_source = 0;
  RolloutLogEnd log_end = {};  ///< the size of the view's rollout log after this part was added
  std::vector<RowId> row;      ///< by row of the segment: the view's row

  inline SegmentPlace placed() const;
  SegmentSlice own(SliceId id) const { return id_at<SegmentSlice>(idx(id) - first_slice); }
};

/// Why the columns of a segment can be trusted.
enum class ColumnsAre : std::uint8_t {
  Own,        ///< in memory: made by this program, or read from a file and checked
  Mapped,     ///< mapped from a file and checked; the system can reclaim their memory
  Unchecked,  ///< mapped from a file; only a view may read them, which clamps their values (SegmentPlace)
};

struct Trace {
  std::vector<SourceInfo> sources;
  LabelTable labels;
  std::vector<Lane> lanes;  ///< preorder
  std::vector<Row> rows;    ///< by lane; slices before instants; segment by segment, from top to bottom
  SliceTable slices;            ///< of a segment; empty for a view
  std::vector<ViewPart> parts;  ///< of a view, by first slice. Empty: this is a segment
  std::vector<CounterSeries> counters;
  FlowTable flows;
  std::optional<std::vector<LaneCollectives>> collectives;  ///< of a segment; nullopt: they must be found in the slices
  ColumnsAre columns_are = ColumnsAre::Own;
  RolloutLog rollout;                       ///< data of rollout logs beyond their slices
  MetricLog metrics;                        ///< the same for training logs
  PipelineLog pipeline;                     ///< the same for pipeline logs

  Ns origin_ns = 0;   ///< absolute time of time 0 in the trace
  TimeRange extent;   ///< of all events, including marks; begins at 0. Navigation cannot leave it
  TimeRange work;     ///< the time of work (work_extent.h), within extent. Shown first; percentages refer to it
  Align align = Align::Recorded;  ///< how runs are aligned
  std::uint64_t slice_count = 0, instant_count = 0, sample_count = 0;

  /// The range shown first: work, or everything if nothing takes time.
  TimeRange shown() const { return work.empty() ? extent : work; }
  // These take a slice or an instant. In a view each call must find the segment, so use slices_of() to walk a row.
  Ns begin_of(SliceId id) const {
    if (parts.empty()) return slices.begin[idx(id)];
    const ViewPart& part = part_of(id);
    return part.placed().time_of(part.segment->slices.begin[idx(part.own(id))]);
  }
  Ns duration_of(SliceId id) const { return own_length(&SliceTable::duration, id); }
  Ns end_of(SliceId id) const { return begin_of(id) + duration_of(id); }
  Ns self_of(SliceId id) const { return own_length(&SliceTable::self, id); }
  TimeRange range_of(SliceId id) const { return {begin_of(id), end_of(id)}; }
  LabelId label_of(SliceId id) const {
    if (parts.empty()) return slices.label[idx(id)];
    const ViewPart& part = part_of(id);
    return part.placed().label_of(part.segment->slices.label[idx(part.own(id))]);
  }
  std::string_view name_of(SliceId id) const { return labels.name(label_of(id)); }
  ItemRef ref_of(SliceId id) const {
    if (parts.empty()) return slices.ref[idx(id)];
    const ViewPart& part = part_of(id);
    const ItemRef own = part.segment->slices.ref[idx(part.own(id))];
    const std::size_t source = std::min(idx(own.source()), part.segment->sources.size() - 1);
    return {id_at<SourceId>(part.first_source + source), own.flags(), own.offset()};
  }

  /// The number of slices and instants.
  std::size_t items() const { return parts.empty() ? slices.size() : slice_count + instant_count; }
  /// All slices and instants, and those of a row.
  IdRange<SliceId> ids() const { return {0, items()}; }
  IdRange<SliceId> ids_of(const Row& row) const { return {row.first, row.count}; }

  const Row& row(RowId id) const { return rows[idx(id)]; }
  const Lane& lane(LaneId id) const { return lanes[idx(id)]; }
  RowSlices slices_of(const Row& row) const;
  /// The row of a slice. O(log parts + log rows).
  RowId row_of(SliceId id) const;
  std::span<const Row> rows_of(const Lane& lane) const { return {rows.data() + lane.first_row, lane.row_count}; }
  /// The names from the outermost group to a lane: {"rank 0", "python 1375", "thread 1375"}.
  std::vector<std::string> path_of(LaneId id) const;
  /// Whether this is a single packed trace, whose runs stay as they were packed.
  bool is_one_packed() const;
  /// The number of items of all sources that are not shown (ProblemLog::lost()).
  std::uint64_t lost() const;
  std::size_t bytes() const;
  /// The segment of a view's slice. First tries the segment of the previous call and the next one, because callers that walk
  /// slices or lines usually need one of these.
  const ViewPart& part_of(SliceId id) const {
    static constinit thread_local std::size_t last = 0;
    const auto holds = [&](std::size_t p) {
      return parts[p].first_slice <= idx(id) && (p + 1 == parts.size() || idx(id) < parts[p + 1].first_slice);
    };
    if (last < parts.size() && holds(last)) return parts[last];
    if (last + 1 < parts.size() && holds(last + 1)) {
      ++last;
    } else {
      const auto after = std::ranges::upper_bound(parts, idx(id), {}, &ViewPart::first_slice);
      last = static_cast<std::size_t>(after - parts.begin()) - 1;
    }
    return parts[last];
  }

 private:
  Ns own_length(Column<Ns> SliceTable::* column, SliceId id) const {
    if (parts.empty()) return (slices.*column)[idx(id)];
    const ViewPart& part = part_of(id);
    return part.placed().within((part.segment->slices.*column)[idx(part.own(id))]);
  }
};

inline SegmentPlace ViewPart::placed() const {
  SegmentPlace place{shift.by, label, first_slice};
  if (segment->columns_are == ColumnsAre::Unchecked) {
    place.earliest = 0;
    place.reach = static_cast<std::uint64_t>(segment->extent.end);
  }
  return place;
}

/// From times in a trace to absolute times, if the trace is a segment, and if it is a view.
inline ClockShift<SegmentTime, BuiltTime> segment_origin(const Trace& segment) { return {segment.origin_ns}; }
inline ClockShift<ViewTime, AlignedTime> view_origin(const Trace& view) { return {view.origin_ns}; }
/// From times in a segment to when its host recorded them.
inline ClockShift<SegmentTime, RecordedTime> to_recorded(const Trace& segment, const SourceInfo& source) {
  return segment_origin(segment) + built_to_recorded(source);
}

/// The slices of one segment, with the view's values, for code that walks many slices and need not find the segment each time.
class SegmentSlices {
 public:
  /// The segment that contains `any`. If nothing is read, `any` may be invalid.
  SegmentSlices(const Trace& trace, SliceId any) : table_(&trace.slices), end_(trace.items()) {
    if (trace.parts.empty()) return;
    const ViewPart& part = trace.part_of(any);
    table_ = &part.segment->slices;
    placed_ = part.placed();
    first_source_ = part.first_source;
    sources_ = part.segment->sources.size();
    end_ = part.first_slice + table_->size();
  }
  std::size_t end() const { return end_; }  ///< one past the segment's last slice

  Ns begin_of(SliceId id) const { return placed_.time_of(table_->begin[own(id)]); }
  Ns duration_of(SliceId id) const { return placed_.within(table_->duration[own(id)]); }
  TimeRange range_of(SliceId id) const { return {begin_of(id), begin_of(id) + duration_of(id)}; }
  Ns self_of(SliceId id) const { return placed_.within(table_->self[own(id)]); }
  LabelId label_of(SliceId id) const { return placed_.label_of(table_->label[own(id)]); }
  ItemRef ref_of(SliceId id) const {
    const ItemRef ref = table_->ref[own(id)];
    if (sources_ == 0) return ref;
    return ItemRef(id_at<SourceId>(first_source_ + std::min(idx(ref.source()), sources_ - 1)), ref.flags(), ref.offset());
  }

 private:
  std::size_t own(SliceId id) const { return idx(id) - placed_.slices_before; }

  const SliceTable* table_;
  SegmentPlace placed_;
  std::uint32_t first_source_ = 0;
  std::size_t sources_ = 0;  // number of sources of a view's segment; 0: not a view
  std::size_t end_;
};

/// Calls visit(SegmentSlices, id) for the slices from `first` to before `last`.
template <class Visit>
void for_each_slice(const Trace& trace, std::size_t first, std::size_t last, Visit visit) {
  while (first < last) {
    const SegmentSlices slices(trace, id_at<SliceId>(first));
    for (const std::size_t end = std::min(last, slices.end()); first < end; ++first) visit(slices, id_at<SliceId>(first));
  }
}

/// The first violation of the row invariant in a row of this lane, or empty. Sums of the row's times must not overflow.
std::string row_violation(const RowSlices& row, const Lane& lane);

/// The first violation of the row invariant, or of how rows and lanes fit together, or empty. For files that are read, for tests
/// and debug builds. If columns are unchecked, their values are not checked.
std::string check_invariants(const Trace& trace);

}  // namespace tv
