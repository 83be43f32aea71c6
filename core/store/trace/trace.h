// The immutable result of reading: columns of slices grouped by row, rows grouped by lane, lanes in display order.
//
//   lane tree      rows                      slices (columns)
//   rank 0         (group)
//    └ thread 1    row 0  depth 0   ──────►  begin  duration  self  label  ref
//                  row 1  depth 1   ──────►  ...
//                  row 2  instants  ──────►  ...
//
// The row invariant carries everything: begins and ends of a row are both sorted, as its slices do not overlap (but for rounding on
// lanes with a nest tolerance: row_layout.h); binary search, hit test, neighbours and folding follow from it. Instants are rows of
// zero-length slices. Memory: 36 bytes per slice.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/memory/column.h"
#include "core/base/time.h"
#include "core/store/clock/align_runs.h"
#include "core/store/draft/item_ref.h"
#include "core/store/draft/label_table.h"
#include "core/store/draft/lane_spec.h"
#include "core/store/draft/source_info.h"
#include "core/store/logs/metric_log.h"
#include "core/store/logs/pipeline_log.h"
#include "core/store/logs/rollout_log.h"

namespace tv {

struct SliceTable {
  SliceTable() = default;
  explicit SliceTable(std::size_t n) : begin(n), duration(n), self(n), label(n), ref(n) {}

  Column<Ns> begin;     ///< relative to Trace::origin_ns
  Column<Ns> duration;  ///< >= 0
  Column<Ns> self;      ///< duration minus the union of the direct children
  Column<LabelId> label;
  Column<ItemRef> ref;

  std::size_t size() const { return begin.size(); }
};

enum class RowKind : std::uint8_t { Slices, Instants };

struct Row {
  LaneId lane;
  RowKind kind = RowKind::Slices;
  std::uint16_t depth = 0;  ///< nesting depth within its slot
  std::uint32_t slot = 0;   ///< packed lanes: which sub-lane; else 0
  std::uint32_t first = 0;  ///< SliceId of the first slice
  std::uint32_t count = 0;
};

/// The slices of a row, by their position in it: what index and queries work on.
class RowSlices {
 public:
  RowSlices() = default;
  RowSlices(std::span<const Ns> begins, std::span<const Ns> durations, std::span<const LabelId> labels, SliceId first)
      : begins_(begins), durations_(durations), labels_(labels), first_(first) {}

  std::size_t size() const { return begins_.size(); }
  Ns begin(std::size_t i) const { return begins_[i]; }
  Ns duration(std::size_t i) const { return durations_[i]; }
  Ns end(std::size_t i) const { return begin(i) + duration(i); }
  TimeRange range(std::size_t i) const { return {begin(i), end(i)}; }
  LabelId label(std::size_t i) const { return labels_[i]; }
  SliceId id(std::size_t i) const { return id_at<SliceId>(idx(first_) + i); }
  std::size_t position_of(SliceId id) const { return idx(id) - idx(first_); }
  /// For whoever walks all of them.
  std::span<const Ns> begins() const { return begins_; }
  std::span<const Ns> durations() const { return durations_; }
  std::span<const LabelId> labels() const { return labels_; }

 private:
  std::span<const Ns> begins_, durations_;
  std::span<const LabelId> labels_;
  SliceId first_{};
};

struct Lane {
  std::string name;
  LaneKind kind = LaneKind::Group;
  LaneId parent = kNone<LaneId>;
  std::uint16_t depth = 0;          ///< 0 = outermost
  LaneId subtree_end{};             ///< one past the last descendant: a group's lanes are [id + 1, subtree_end)
  std::uint32_t first_row = 0, row_count = 0;
  std::uint32_t counter = UINT32_MAX;  ///< index into Trace::counters
  std::uint64_t slices = 0, instants = 0, overlaps = 0;
  Ns busy = 0;      ///< union of its slices but those that never ended
  Ns nest_tolerance = 0;  ///< LaneSpec's: a child may end this much after its parent
  TimeRange extent;  ///< of everything in it, descendants included
};

struct CounterSeries {
  LaneId lane;
  std::vector<Ns> time;  ///< sorted; the value holds until the next sample
  std::vector<double> value;
  double min = 0, max = 0;
};

struct Flow {
  SliceId from, to;
  bool operator==(const Flow&) const = default;
};
/// Their order in a trace.
inline bool flow_less(const Flow& a, const Flow& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; }

struct Trace {
  std::vector<SourceInfo> sources;
  LabelTable labels;
  std::vector<Lane> lanes;  ///< preorder
  std::vector<Row> rows;    ///< by lane, slices before instants, top to bottom
  SliceTable slices;
  std::vector<CounterSeries> counters;
  std::vector<Flow> flows;                  ///< sorted by from, to
  std::vector<std::uint32_t> flows_by_end;  ///< indices into flows, sorted by to, from
  RolloutLog rollout;                       ///< what rollout logs say beside their slices
  MetricLog metrics;                        ///< what training logs say, likewise
  PipelineLog pipeline;                     ///< likewise pipeline logs

  Ns origin_ns = 0;   ///< absolute time of relative 0
  TimeRange extent;   ///< of everything, marks included; relative: begins at 0. As far as one can go.
  TimeRange work;     ///< of what takes time (work_extent.h): within extent. What is shown first, and what shares are of.
  Align align = Align::Recorded;  ///< how runs lie beside each other
  std::uint64_t slice_count = 0, instant_count = 0, sample_count = 0;

  /// What is shown first: work; everything where nothing takes time.
  TimeRange shown() const { return work.empty() ? extent : work; }
  // Of a slice or an instant.
  Ns begin_of(SliceId id) const { return slices.begin[idx(id)]; }
  Ns duration_of(SliceId id) const { return slices.duration[idx(id)]; }
  Ns end_of(SliceId id) const { return begin_of(id) + duration_of(id); }
  Ns self_of(SliceId id) const { return slices.self[idx(id)]; }
  TimeRange range_of(SliceId id) const { return {begin_of(id), end_of(id)}; }
  LabelId label_of(SliceId id) const { return slices.label[idx(id)]; }
  std::string_view name_of(SliceId id) const { return labels.name(label_of(id)); }
  ItemRef ref_of(SliceId id) const { return slices.ref[idx(id)]; }

  /// Of all slices and instants, and of those of a row.
  IdRange<SliceId> ids() const { return {0, slices.size()}; }
  IdRange<SliceId> ids_of(const Row& row) const { return {row.first, row.count}; }

  const Row& row(RowId id) const { return rows[idx(id)]; }
  const Lane& lane(LaneId id) const { return lanes[idx(id)]; }
  RowSlices slices_of(const Row& row) const;
  /// Row of a slice; O(log rows).
  RowId row_of(SliceId id) const;
  std::span<const Row> rows_of(const Lane& lane) const { return {rows.data() + lane.first_row, lane.row_count}; }
  /// Full name of a lane from the outermost group: {"rank 0", "python 1375", "thread 1375"}.
  std::vector<std::string> path_of(LaneId id) const;
  /// Sum of the sources' lost items.
  std::uint64_t lost() const;
  std::size_t bytes() const;
};

/// Empty when the row invariant and the tables' sizes hold, else the first violation. For tests and debug builds.
std::string check_invariants(const Trace& trace);

}  // namespace tv
