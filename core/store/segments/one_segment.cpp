#include "core/store/segments/one_segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/store/segments/compose.h"
#include "core/store/segments/fit_segments.h"
#include "core/store/segments/told_names.h"
#include "core/store/trace/lane_tree.h"
#include "core/store/trace/row_layout.h"

namespace tv {
namespace {

// A row of the new segment, and the rows of the view that it is made of.
struct OneRow {
  Row row;
  std::vector<const Row*> view_rows;  // in time order
};

// Copies everything except columns and rows.
std::shared_ptr<Trace> copy_of(const Trace& view) {
  auto one = std::make_shared<Trace>();
  one->labels = LabelTable(view.labels, view.labels.size());
  one->sources = view.sources;
  one->lanes = view.lanes;
  one->counters = view.counters;
  one->rollout = view.rollout.copy();
  one->metrics.append(view.metrics, 0, 0);
  one->pipeline.append(view.pipeline, 0, 0);
  one->origin_ns = view.origin_ns;
  one->extent = view.extent;
  one->work = view.work;
  one->align = view.align;
  one->slice_count = view.slice_count;
  one->instant_count = view.instant_count;
  one->sample_count = view.sample_count;
  return one;
}

// Makes `one` a segment with the slices of `view`. `one` is a copy of the view, or the view itself.
void take_slices(const Trace& view, std::vector<OneRow> rows, ThreadPool& pool, Trace& one) {
  if (ToldNames(view).any()) one.collectives = lane_collectives(view);
  SliceTable columns(view.items());
  std::vector<Row> new_rows;
  std::vector<SegmentSlice> number(view.flows.empty() ? 0 : view.items());  // by slice number of the view
  std::size_t items = 0;
  for (OneRow& merged : rows) {
    merged.row.first = items;
    for (const Row* const row : merged.view_rows) items += row->count;
    merged.row.count = static_cast<std::uint32_t>(items - merged.row.first);
    new_rows.push_back(merged.row);
  }
  pool.parallel_for(rows.size(), [&](std::size_t r) {
    std::size_t next = rows[r].row.first;
    for (const Row* const row : rows[r].view_rows) {
      if (row->count == 0) continue;
      const SegmentSlices slices(view, id_at<SliceId>(row->first));
      for (const SliceId slice : view.ids_of(*row)) {
        if (!number.empty()) number[idx(slice)] = id_at<SegmentSlice>(next);
        columns.begin[next] = slices.begin_of(slice);
        columns.duration[next] = slices.duration_of(slice);
        columns.self[next] = slices.self_of(slice);
        columns.label[next] = slices.label_of(slice);
        columns.ref[next++] = slices.ref_of(slice);
      }
    }
  });
  std::vector<SegmentFlow> flows;
  for (const Flow flow : view.flows) flows.push_back({number[idx(flow.from)], number[idx(flow.to)]});
  std::ranges::sort(flows, flow_less);
  one.flows = FlowTable(flows, items);
  one.slices = std::move(columns);
  one.rows = std::move(new_rows);
  one.parts.clear();
  for (CounterSeries& series : one.counters) series.pieces.clear();
  auto row = one.rows.begin();
  for (std::size_t l = 0; l < one.lanes.size(); ++l) {
    const auto first = row;
    while (row != one.rows.end() && row->lane == id_at<LaneId>(l)) ++row;
    one.lanes[l].first_row = static_cast<std::uint32_t>(first - one.rows.begin());
    one.lanes[l].row_count = static_cast<std::uint32_t>(row - first);
  }
}

// Whether its content depends on no other segments, except those on the same lanes.
bool is_self_contained(const Trace& segment) {
  const auto is_plain = [](const SourceInfo& source) {
    return !source.pid && source.process.empty() && source.aligned.by == 0 && (source.wall_clock || !source.extent);
  };
  return segment.parts.empty() && segment.columns_are == ColumnsAre::Own && segment.align == Align::Recorded &&
         segment.flows.empty() && segment.metrics.empty() && segment.pipeline.empty() && std::ranges::all_of(segment.sources, is_plain);
}

std::uint32_t slots_of(const Trace& segment, const Lane& lane) {
  std::uint32_t slots = 0;
  for (const Row& row : segment.rows_of(lane)) {
    if (row.kind == RowKind::Slices) slots = std::max(slots, row.slot + 1);
  }
  return slots;
}

std::uint32_t depth_of(const Trace& segment, const Lane& lane) {
  std::uint32_t depth = 0;
  for (const Row& row : segment.rows_of(lane)) depth = std::max<std::uint32_t>(depth, row.depth);
  return depth;
}

// Whether building both together gives the same rows. If one has more than kMaxOpen open slices, the other would be laid out
// differently. The same holds for slices that overlap a stack without nesting in it: they are below the whole stack
// (row_layout.h).
bool laid_out_alike(const Trace& before, const Lane& earlier, const Trace& after, const Lane& later) {
  if (std::max(depth_of(before, earlier), depth_of(after, later)) + 1 >= kMaxOpen) return false;
  const std::uint32_t slots = slots_of(before, earlier), more = slots_of(after, later);
  if ((slots > kMaxOpen) != (more > kMaxOpen) && std::min(slots, more) == 1) return false;
  return earlier.nest_tolerance > 0 || earlier.overlaps + later.overlaps == 0;
}

bool follows(const Trace& before, const Lane& earlier, const Trace& after, const Lane& later) {
  if (!earlier.holds_anything() || !later.holds_anything()) return true;
  const Ns slack = std::max(earlier.nest_tolerance, later.nest_tolerance) + kRoundingSlack;
  if (later.extent.begin + after.origin_ns <= earlier.extent.end + before.origin_ns + slack) return false;
  // Changes of a counter are added to its previous value (CounterSample::is_change).
  const bool both_count = earlier.counter != UINT32_MAX && later.counter != UINT32_MAX;
  if (both_count && before.counters[earlier.counter].value.back() != 0) return false;
  return laid_out_alike(before, earlier, after, later);
}

// Merges rows of one place into one row, in time order. A row that begins before the previous one ends stays separate: such rows
// hold marks of segments that overlap in time, or data of a damaged file.
void add_rows(const Trace& view, std::vector<const Row*> of_place, std::vector<OneRow>& rows) {
  constexpr Ns kAnyTime = std::numeric_limits<Ns>::min();
  const auto begin_of = [&](const Row* row) { return row->count == 0 ? kAnyTime : view.slices_of(*row).begin(0); };
  const auto end_of = [&](const Row* row) { return row->count == 0 ? kAnyTime : view.slices_of(*row).end(row->count - 1); };
  std::ranges::stable_sort(of_place, {}, begin_of);
  for (const Row* const row : of_place) {
    const bool goes_on = row != of_place.front() && end_of(rows.back().view_rows.back()) <= begin_of(row);
    if (!goes_on) rows.push_back({*row, {}});
    rows.back().view_rows.push_back(row);
  }
}

// The rows of each lane of a view; rows in one place are merged.
std::vector<OneRow> one_after_the_other(const Trace& view) {
  std::vector<OneRow> rows;
  for (const Lane& lane : view.lanes) {
    std::map<LinePlace, std::vector<const Row*>> by_place;
    for (const Row& row : view.rows_of(lane)) by_place[row.place()].push_back(&row);
    for (auto& [place, of_place] : by_place) add_rows(view, std::move(of_place), rows);
  }
  return rows;
}

}  // namespace

Result<std::shared_ptr<const Trace>> as_one_segment(const Trace& view, ThreadPool& pool) {
  if (view.items() >= idx(kNone<SegmentSlice>)) {
    return Error{fmt::format("{} slices are more than one packed trace can hold", view.items()), {}, {}, "pack each file"};
  }
  auto one = copy_of(view);
  take_slices(view, one_after_the_other(view), pool, *one);
  return std::shared_ptr<const Trace>(std::move(one));
}

bool goes_on_after(const Trace& before, const Trace& after) {
  if (!is_self_contained(before) || !is_self_contained(after)) return false;
  std::unordered_map<std::string, const Lane*> lanes;
  for_each_lane(before, [&](const Lane& lane, const std::string& identity) { lanes.emplace(identity, &lane); });
  bool all_follow = true;
  for_each_lane(after, [&](const Lane& lane, const std::string& identity) {
    const auto earlier = lanes.find(identity);
    all_follow = all_follow && (earlier == lanes.end() || follows(before, *earlier->second, after, lane));
  });
  return all_follow;
}

std::shared_ptr<const Trace> joined(const std::shared_ptr<const Trace>& before, const std::shared_ptr<const Trace>& after,
                                    ThreadPool& pool) {
  if (before->items() + after->items() >= idx(kNone<SegmentSlice>)) return nullptr;
  auto one = view_as_recorded({before, after});
  if (one) take_slices(*one, one_after_the_other(*one), pool, *one);
  return one;
}

}  // namespace tv
