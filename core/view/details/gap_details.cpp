#include "core/view/details/gap_details.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/gpu/gpu_gaps.h"
#include "core/analysis/scope/recordings.h"
#include "core/query/range_stats.h"
#include "core/query/row_search.h"
#include "core/view/words/short_name.h"

namespace tv {
namespace {

std::string full_name(const Trace& trace, SliceId slice) {
  const std::string_view name = trace.name_of(slice);
  return name.empty() ? "(no name)" : std::string(name);
}

std::string brief_name(const Trace& trace, SliceId slice) {
  const LabelId label = trace.label_of(slice);
  const std::string_view name = trace.labels.name(label);
  return name.empty() ? "(no name)" : name_forms(trace.labels.category(label), name)[1];
}

RelatedSlice related_to_gap(const Trace& trace, SliceId slice, Ns gap) {
  return {slice, full_name(trace, slice), trace.lane(trace.row(trace.row_of(slice)).lane).name, gap};
}

// "worker 1 / phases": the group is needed, because many groups have lanes of the same name.
std::string lane_in_group(const Trace& trace, LaneId lane) {
  const LaneId parent = trace.lane(lane).parent;
  return parent == kNone<LaneId> ? trace.lane(lane).name : trace.lane(parent).name + " / " + trace.lane(lane).name;
}

// The step of a rollout whose file contains the slice.
std::optional<std::int32_t> rollout_step_of(const Trace& trace, SliceId slice) {
  if (slice == kNone<SliceId>) return std::nullopt;
  const std::size_t source = idx(trace.ref_of(slice).source());
  const auto file = std::ranges::find(trace.rollout.files, source, [](const RolloutFile& f) { return std::size_t{f.source}; });
  return file == trace.rollout.files.end() || file->step < 0 ? std::nullopt : std::optional(file->step);
}

// Explains a gap between two steps: the trainer works then, but rollout logs do not record it.
std::string between_steps(const Trace& trace, const Gap& gap) {
  const auto before = rollout_step_of(trace, gap.before), after = rollout_step_of(trace, gap.after);
  if (!before || !after || *before == *after) return {};
  return fmt::format("between the rollouts of step {} and step {}: rollout logs do not show training or other work after a rollout",
                     *before, *after);
}

// How much of a gap lies between two recordings of its process. What ran then is not known.
Ns unrecorded_part(const Trace& trace, const Gap& gap) {
  const Lane& lane = trace.lane(gap.lane);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t r = lane.first_row; r < lane.first_row + lane.row_count; ++r) {
    if (trace.rows[r].kind == RowKind::Slices) rows.push_back(r);
  }
  Ns length = 0;
  for (const TimeRange& hole : Recordings(trace).unrecorded(rows, gap.time)) length += hole.length();
  return length;
}

// The innermost slice of a lane that runs at t.
SliceId running_at(const Trace& trace, const Lane& lane, Ns t) {
  SliceId found = kNone<SliceId>;
  for (const Row& row : trace.rows_of(lane)) {
    if (row.kind != RowKind::Slices || row.count == 0) continue;
    const RowSlices slices = trace.slices_of(row);
    const std::size_t after = first_beginning_after(slices, t);
    if (after == 0 || slices.end(after - 1) <= t) continue;
    const SliceId here = slices.id(after - 1);
    const auto length = [&](SliceId s) { return trace.duration_of(s); };
    if (found == kNone<SliceId> || length(here) < length(found)) found = here;
  }
  return found;
}

void add_reasons(const Snapshot& snapshot, const GpuActivity& gpus, GapDetails& details) {
  const Trace& trace = *snapshot.trace;
  const Gap& gap = details.gap;
  const auto gpu = std::ranges::find_if(gpus.gpus, [&](const Gpu& g) {
    return std::ranges::any_of(g.rows, [&](std::uint32_t row) { return trace.rows[row].lane == gap.lane; });
  });
  if (gpu == gpus.gpus.end() || !gpus.is_work(gap.after)) return;
  StatsQuery others{gap.time, {}};
  for (const std::uint32_t row : gpu->rows) {
    const LaneId lane = trace.rows[row].lane;
    if (lane != gap.lane) others.lanes.push_back(lane);
  }
  std::ranges::sort(others.lanes);
  others.lanes.erase(std::unique(others.lanes.begin(), others.lanes.end()), others.lanes.end());
  const Ns busy = others.lanes.empty() ? 0 : busy_union(snapshot, others);
  const double part = 100 * static_cast<double>(busy) / static_cast<double>(gap.time.length());
  details.reasons.push_back(busy == 0 ? fmt::format("{} did nothing at all in this time", gpu->name)
                                      : fmt::format("something else on {} worked in {:.3g} % of the gap", gpu->name, part));
  GpuGap why;
  why.gpu = static_cast<std::uint32_t>(gpu - gpus.gpus.begin());
  why.time = gap.time;
  why.before = gap.before;
  why.after = gap.after;
  explain_gap(gpus, why);
  if (why.launch != kNone<SliceId>) {
    details.launch = related_to_gap(
        trace, why.launch, gap.time.end - trace.begin_of(why.launch) - trace.duration_of(why.launch));
  }
  switch (why.cause) {
    case GapCause::after_sync:
      details.reasons.push_back(fmt::format("the CPU had waited for the GPU ({}): {} until the next launch returned",
                                            brief_name(trace, why.sync), format_duration(why.of_cpu)));
      break;
    case GapCause::late_launch:
      details.reasons.push_back(
          fmt::format("launched late: for {} of the gap the launch had not returned", format_duration(why.of_cpu)));
      break;
    case GapCause::queued:
      details.reasons.push_back(
          fmt::format("queued: the next work was launched {} before its begin; its stream waited, or launching is slow",
                      format_duration(gap.time.length() - why.of_cpu)));
      break;
    case GapCause::unknown:
    case GapCause::kCount:
      details.reasons.push_back("no arrow leads to the next work from its launch, so the cause is not known");
      break;
  }
  if (why.doing != kNone<SliceId>) {
    details.reasons.push_back(fmt::format("meanwhile the launching thread was in {} for {}",
                                          brief_name(trace, why.doing), format_duration(why.doing_time)));
  }
}

}  // namespace

GapDetails gap_details(const Snapshot& snapshot, const GpuActivity* gpus, const Gap& gap) {
  const Trace& trace = *snapshot.trace;
  GapDetails details;
  details.gap = gap;
  details.lane_path = trace.path_of(gap.lane);
  const std::string length = format_duration(gap.time.length());
  details.title = gap.row == kNone<RowId>
                      ? fmt::format("gap of {}: nothing runs on this lane", length)
                      : fmt::format("gap of {} in one row: something else of the lane runs meanwhile", length);
  details.before = related_to_gap(trace, gap.before, 0);
  details.after = related_to_gap(trace, gap.after, 0);
  const Ns middle = gap.time.begin + gap.time.length() / 2;
  const LaneId process = outermost_group(trace, gap.lane);
  for (std::size_t l = idx(process); l < idx(trace.lane(process).subtree_end); ++l) {
    if (id_at<LaneId>(l) == gap.lane && gap.row == kNone<RowId>) continue;
    const SliceId slice = running_at(trace, trace.lanes[l], middle);
    if (slice == kNone<SliceId>) continue;
    if (details.meanwhile.size() < GapDetails::kMostMeanwhile) {
      details.meanwhile.push_back(
          {slice, full_name(trace, slice), lane_in_group(trace, id_at<LaneId>(l)), trace.duration_of(slice)});
    } else {
      ++details.more_meanwhile;
    }
  }
  if (const Ns hole = unrecorded_part(trace, gap); hole > 0) {
    details.reasons.push_back(
        fmt::format("nothing was recorded in {} of the gap, between two recordings of this process", format_duration(hole)));
  } else if (gpus && gpus->trace == snapshot.trace && gap.row == kNone<RowId>) {
    add_reasons(snapshot, *gpus, details);
  }
  if (std::string reason = between_steps(trace, gap); !reason.empty()) details.reasons.push_back(std::move(reason));
  if (details.reasons.empty() && details.meanwhile.empty()) {
    details.reasons.push_back("nothing else of this process runs in the middle of the gap");
  }
  return details;
}

std::string place_among(const std::vector<Gap>& gaps, const Gap& gap, bool of_one_lane) {
  const auto at = std::ranges::find(gaps, gap);
  if (at == gaps.end()) return {};
  const auto place = at - gaps.begin() + 1;
  const bool teen = place % 100 / 10 == 1;
  const char* const ending = teen              ? "th"
                             : place % 10 == 1 ? "st"
                             : place % 10 == 2 ? "nd"
                             : place % 10 == 3 ? "rd"
                                               : "th";
  const std::string order = place == 1 ? std::string("the longest") : fmt::format("the {}{} longest", place, ending);
  return of_one_lane ? fmt::format("{} of {} on this lane", order, gaps.size()) : order + " of the lanes shown";
}

std::string gap_tooltip(const Trace& trace, const Gap& gap) {
  return fmt::format("gap of {}{}\nafter    {}\nbefore  {}", format_duration(gap.time.length()),
                     gap.row == kNone<RowId> ? "" : " in this row alone", brief_name(trace, gap.before),
                     brief_name(trace, gap.after));
}

std::string GapDetails::text(const TimeStyle& style) const {
  const Ns resolution = std::max<Ns>(gap.time.length() / 1000, 1);
  std::string out = fmt::format("{}\nlane: {}\nbegin: {}\nduration: {}\nafter: {}\nbefore: {}\n", title,
                                fmt::join(lane_path, " / "), time_sentence(style, gap.time.begin, resolution),
                                format_exact(gap.time.length()), before.name, after.name);
  for (const std::string& reason : reasons) out += reason + "\n";
  for (const RelatedSlice& other : meanwhile) out += fmt::format("meanwhile: {} ({})\n", other.name, other.lane);
  return out;
}

}  // namespace tv
