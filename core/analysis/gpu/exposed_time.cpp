#include "core/analysis/gpu/exposed_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "core/analysis/gpu/gpu_sweep.h"

namespace tv {
namespace {

double part_of_whole(Ns part, Ns whole) {
  return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

void add_stretch(ExposedSpans& to, TimeRange stretch) {
  if (!to.spans.empty() && to.spans.back().end == stretch.begin) {
    to.spans.back().end = stretch.end;
  } else {
    to.spans.push_back(stretch);
  }
}

// Adds what the stretches of the GPU have in common with a range.
void add_exposed_part(const std::vector<TimeRange>& of_gpu, TimeRange range, ExposedSpans& to) {
  for (const TimeRange& stretch : touching(of_gpu, range)) add_stretch(to, clip_to(stretch, range));
}

std::vector<ExposedSpans> exposed_of(const GpuActivity& activity, const Gpu& gpu) {
  const Trace& trace = *activity.trace;
  std::vector<ExposedSpans> found(1);  // first the group's, then those of streams
  found.front().lane = gpu.group;
  std::map<LaneId, std::size_t> known{{gpu.group, 0}};
  std::vector<std::size_t> lane_of_row;  // index into `found`
  for (const std::uint32_t row : gpu.rows) {
    const LaneId lane = trace.rows[row].lane;
    const auto [at, is_new] = known.emplace(lane, found.size());
    lane_of_row.push_back(at->second);
    if (is_new) found.emplace_back().lane = lane;
  }
  struct Communication {
    std::uint32_t running = 0;  // kernels
    Ns begin = 0;               // since when some run
  };
  std::vector<Communication> of_lane(found.size());
  sweep_gpu(trace, activity.work, gpu.rows, [&](const GpuEvent& event) {
    const bool exposed = event.running.runs(DeviceWork::Communication) && !event.running.hides_communication();
    if (exposed && !event.since.empty()) add_stretch(found.front(), event.since);
    if (event.work != DeviceWork::Communication) return;
    const std::size_t lane = lane_of_row[event.row];
    auto& [running, begin] = of_lane[lane];
    if (event.begins) {
      if (running++ == 0) begin = event.since.end;
    } else if (--running == 0 && lane > 0) {  // if a GPU is a single stream without a group, index 0 stands for both
      add_exposed_part(found.front().spans, {begin, event.since.end}, found[lane]);
    }
  });
  std::erase_if(found, [](const ExposedSpans& lane) { return lane.spans.empty(); });
  for (ExposedSpans& lane : found) {
    for (const TimeRange& span : lane.spans) {
      lane.before.push_back(lane.total);
      lane.total += span.length();
    }
  }
  return found;
}

// The earlier spans, shifted to the present clock.
std::vector<ExposedSpans> moved_exposed(const Gpu& gpu, const SameGpu& same, const ExposedTime& earlier) {
  std::vector<ExposedSpans> found;
  const auto add = [&](LaneId now, LaneId before) {
    const ExposedSpans* const was = earlier.of(before);
    if (!was) return;
    ExposedSpans& lane = found.emplace_back(*was);
    lane.lane = now;
    for (TimeRange& span : lane.spans) span = {span.begin + same.moved, span.end + same.moved};
  };
  add(gpu.group, same.group);
  for (const auto& [now, before] : same.lanes) {
    if (now != gpu.group) add(now, before);
  }
  return found;
}

}  // namespace

Ns ExposedSpans::until(Ns t, std::size_t& hint) const {
  // The answer is in the last stretch that begins before t: gallop from the hint, then search within the last step.
  if (hint > 0 && spans[hint - 1].begin >= t) hint = 0;
  std::size_t from = hint, to = hint;
  for (std::size_t step = 1; to < spans.size() && spans[to].begin < t; step *= 2) {
    from = to + 1;
    to += step;
  }
  const auto begin = spans.begin();
  const auto after = std::partition_point(begin + static_cast<std::ptrdiff_t>(from),
                                          begin + static_cast<std::ptrdiff_t>(std::min(to, spans.size())),
                                          [t](const TimeRange& span) { return span.begin < t; });
  hint = static_cast<std::size_t>(after - begin);
  if (hint == 0) return 0;
  const TimeRange& last = spans[hint - 1];
  return before[hint - 1] + std::min(t, last.end) - last.begin;
}

Ns ExposedSpans::within(TimeRange time) const {
  std::size_t hint = 0;
  const Ns begin = until(time.begin, hint);
  return until(time.end, hint) - begin;
}

const ExposedSpans* ExposedTime::of(LaneId lane) const {
  const auto at = std::ranges::lower_bound(lanes, lane, {}, &ExposedSpans::lane);
  return at == lanes.end() || at->lane != lane ? nullptr : &*at;
}

ExposedTime exposed_time(const GpuActivity& activity, ThreadPool& pool, std::span<const SameGpu> same,
                         const ExposedTime& earlier) {
  ExposedTime out;
  if (!activity.communicates) return out;
  std::vector<std::vector<ExposedSpans>> of_gpu(activity.gpus.size());
  pool.parallel_for(of_gpu.size(), [&](std::size_t g) {
    const Gpu& gpu = activity.gpus[g];
    const bool known = g < same.size() && same[g].is_known();
    of_gpu[g] = known ? moved_exposed(gpu, same[g], earlier) : exposed_of(activity, gpu);
    for (ExposedSpans& lane : of_gpu[g]) {
      lane.gpu = gpu.name;
      lane.recorded = gpu.recorded();
    }
  });
  for (std::vector<ExposedSpans>& lanes : of_gpu) std::ranges::move(lanes, std::back_inserter(out.lanes));
  std::ranges::sort(out.lanes, {}, &ExposedSpans::lane);
  return out;
}

std::string exposed_text(const ExposedTime& exposed, const GpuActivity& activity, SliceId slice) {
  const Trace& trace = *activity.trace;
  const Ns begin = trace.begin_of(slice), length = trace.duration_of(slice);
  if (activity.work[idx(trace.label_of(slice))] != DeviceWork::Communication || length <= 0) return {};
  const LaneId lane = trace.row(trace.row_of(slice)).lane;
  if (trace.lane(lane).kind != LaneKind::Stream) return {};
  const ExposedSpans* const spans = exposed.of(lane);
  const Ns exposed_part = spans ? spans->within({begin, begin + length}) : 0;
  if (exposed_part == 0) return "no: computing hides all of it";
  return fmt::format("{} of it ({:.0f} %): not hidden by computing", format_duration(exposed_part),
                     part_of_whole(exposed_part, length));
}

std::string exposed_text(const ExposedSpans& spans, TimeRange in_view) {
  const Ns here = spans.within(in_view);
  return fmt::format(
      "Exposed communication: it runs and nothing computes on {}.\n{} in view ({:.1f} %), {} in all ({:.1f} % of the "
      "GPU's time)",
      spans.gpu, format_duration(here), part_of_whole(here, in_view.length()), format_duration(spans.total),
      part_of_whole(spans.total, spans.recorded));
}

}  // namespace tv
