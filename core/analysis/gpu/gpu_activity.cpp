#include "core/analysis/gpu/gpu_activity.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "core/analysis/gpu/gpu_sweep.h"
#include "core/analysis/gpu/same_gpus.h"
#include "core/analysis/scope/recordings.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

constexpr Ns kMostBins = 200;

// The smallest width of 1, 2, 5, 10 ... ns with which `most` bins cover the length.
Ns bin_width(Ns length, Ns most) {
  Ns unit = 1;
  while (true) {
    for (const Ns width : {unit, 2 * unit, 5 * unit}) {
      if (length / most < width) return width;
    }
    unit *= 10;
  }
}

bool is_only_process(const Trace& trace, LaneId process) {
  return process == LaneId{0} && idx(trace.lane(process).subtree_end) == trace.lanes.size();
}

// From the first begin to the last end of work; rows are sorted by both. Empty if no work lasts.
TimeRange span_of(const Trace& trace, const std::vector<DeviceWork>& work, const Gpu& gpu) {
  TimeRange span{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
  for (const std::uint32_t r : gpu.rows) {
    const RowSlices row = trace.slices_of(trace.rows[r]);
    const RowWork row_work(work, trace, row);
    const auto lasts = [&](std::size_t i) { return row_work.lasts(row, i); };
    std::size_t first = 0, last = row.size();
    while (first < last && !lasts(first)) ++first;
    while (first < last && !lasts(last - 1)) --last;
    if (first < last) span.include(row.begin(first), row.end(last - 1));
  }
  return span;
}

std::string_view without_pid(const Lane& process) {
  const std::string_view name = without_pid(process.name, process.owner);
  return name.empty() ? std::string_view(process.name) : name;
}

// Shortens "rank 3 actor, ref, before, pid 4711". Length 0 gives "rank 3", 1 drops the process id, and 2 keeps it. If all
// processes have the same name (`alike`), such as "python3", the process id replaces the name. Lane names show this id, too.
std::string process_text(const Lane& process, int length, bool alike) {
  if (length == 0 && !process.owner.member.empty()) return process.owner.member;
  const std::string_view name = without_pid(process);
  if (alike && name.size() < process.name.size()) return "pid " + std::to_string(*process.owner.pid);
  return length <= 1 ? std::string(name) : process.name;
}

// Whether the GPU's name already names the rank of its process: "Rank 1 - GPU streams" within "rank 1" does.
bool says_rank(const Lane& gpu, const Lane& process) {
  return !gpu.owner.member.empty() && gpu.owner.member == process.owner.member;
}

// Uses the shortest length at which all names differ. If none does, as in traces of several runs, equal names are numbered.
void name_gpus(const Trace& trace, std::vector<Gpu>& gpus) {
  std::map<std::string, int> known;
  std::set<LaneId> processes;
  std::set<std::string_view> names;
  for (const Gpu& gpu : gpus) {
    processes.insert(gpu.process);
    names.insert(without_pid(trace.lane(gpu.process)));
  }
  const bool alike = processes.size() > 1 && names.size() == 1;
  for (int length = 0; length <= 2; ++length) {
    known.clear();
    for (Gpu& gpu : gpus) {
      const Lane &group = trace.lane(gpu.group), &process = trace.lane(gpu.process);
      gpu.name = group.owner.device.empty() ? group.name : group.owner.device;
      const bool named = length == 0 && says_rank(group, process);
      if (gpus.size() > 1 && gpu.process != gpu.group && !is_only_process(trace, gpu.process) && !named) {
        gpu.name = process_text(process, length, alike) + ", " + gpu.name;
      }
      ++known[gpu.name];
    }
    if (known.size() == gpus.size()) return;
  }
  known.clear();
  for (Gpu& gpu : gpus) {
    if (const int before = known[gpu.name]++; before > 0) gpu.name += " (" + std::to_string(before + 1) + ")";
  }
}

// The GPU with the work on these lanes, without time sums.
Gpu find_work(const Trace& trace, const std::vector<DeviceWork>& work, const std::vector<LaneId>& lanes) {
  Gpu gpu;
  for (const LaneId id : lanes) {
    const Lane& lane = trace.lane(id);
    for (std::uint32_t r = lane.first_row; r < lane.first_row + lane.row_count; ++r) {
      if (trace.rows[r].kind != RowKind::Slices) continue;
      const RowSlices slices = trace.slices_of(trace.rows[r]);
      const std::uint64_t count = slices.count_labels([&](LabelId label) { return work[idx(label)] != DeviceWork::None; });
      if (count == 0) continue;
      gpu.rows.push_back(r);
      gpu.slices += count;
      const auto communicates = [&](LabelId label) { return work[idx(label)] == DeviceWork::Communication; };
      gpu.communicates = gpu.communicates || slices.any_label(communicates);
    }
  }
  gpu.span = span_of(trace, work, gpu);
  return gpu;
}

TimeRange moved_by(TimeRange time, Ns by) { return {time.begin + by, time.end + by}; }

// A copy of the earlier GPU with new row indices and shifted times.
Gpu moved_gpu(const Trace& trace, const SameGpu& same, const GpuActivity& earlier) {
  const Gpu& was = earlier.gpus[same.gpu];
  Gpu gpu = was;
  gpu.span = moved_by(was.span, same.moved);
  gpu.longest_gap = moved_by(was.longest_gap, same.moved);
  for (std::uint32_t& row : gpu.rows) {
    const LaneId before = earlier.trace->rows[row].lane;
    const auto lane = std::ranges::lower_bound(same.lanes, before, {}, &SameGpu::Lanes::before);
    row = trace.lane(lane->now).first_row + (row - earlier.trace->lane(before).first_row);
  }
  return gpu;
}

// Runs once all GPUs are known, because a name may depend on all others.
void place_gpus(const Trace& trace, std::vector<Gpu>& gpus) {
  std::erase_if(gpus, [](const Gpu& gpu) { return gpu.span.empty(); });
  std::ranges::sort(gpus, {}, [](const Gpu& gpu) { return gpu.rows.front(); });
  const Recordings recordings(trace);
  for (Gpu& gpu : gpus) {
    gpu.process = outermost_group(trace, gpu.group);
    gpu.unrecorded = recordings.unrecorded(gpu.rows, gpu.span);
  }
  name_gpus(trace, gpus);
}

void sum_up(const GpuActivity& activity, std::size_t bins, Gpu& gpu) {
  gpu.time = {};
  gpu.longest_gap = {};
  gpu.bins.assign(bins, {});
  const auto add = [&](const GpuEvent& event) {
    const TimeRange since = activity.counted(event.since);
    if (since.empty()) return;
    if (event.running.idle()) {
      if (since.length() > gpu.longest_gap.length() && gpu.was_recorded(since)) gpu.longest_gap = since;
      return;
    }
    gpu.time.add(event.running, since.length());
    for (Ns at = since.begin; at < since.end;) {
      const auto b = static_cast<std::size_t>((at - activity.first_bin) / activity.bin);
      const Ns until = std::min(since.end, activity.bin_range(b).end);
      gpu.bins[b].add(event.running, until - at);
      at = until;
    }
  };
  sweep_gpu(*activity.trace, activity.work, gpu.rows, add, activity.within());
}

// A GPU's earlier sums stay valid if bins and unrecorded time have only shifted.
bool sums_hold(const GpuActivity& activity, const Gpu& gpu, const GpuActivity& earlier, const SameGpu& same) {
  const auto moved = [&](TimeRange time) { return moved_by(time, same.moved); };
  return earlier.bin == activity.bin && earlier.first_bin + same.moved == activity.first_bin &&
         std::ranges::equal(gpu.unrecorded, earlier.gpus[same.gpu].unrecorded, {}, {}, moved);
}

// Needs the rows and spans of all GPUs. `same`, by group: GPUs with sums copied from the earlier activity.
void sum_up_all(GpuActivity& activity, ThreadPool& pool, const GpuActivity* earlier = nullptr,
                const std::unordered_map<std::size_t, const SameGpu*>& same = {}) {
  TimeRange& extent = activity.extent;
  extent = {std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
  for (const Gpu& gpu : activity.gpus) {
    extent.include(gpu.span.begin, gpu.span.end);
  }
  activity.bin = bin_width(extent.length(), kMostBins);
  activity.first_bin = extent.begin / (10 * activity.bin) * (10 * activity.bin);
  const auto bins =
      static_cast<std::size_t>(std::max<Ns>((extent.end - activity.first_bin + activity.bin - 1) / activity.bin, 1));
  pool.parallel_for(activity.gpus.size(), [&](std::size_t g) {
    Gpu& gpu = activity.gpus[g];
    const auto was = same.find(idx(gpu.group));
    if (was != same.end() && sums_hold(activity, gpu, *earlier, *was->second)) {
      gpu.bins.resize(bins);  // bins beyond the GPU's span are empty
    } else {
      sum_up(activity, bins, gpu);
    }
  });
}

// By lane: whether it has work of a GPU.
std::vector<bool> lanes_of_gpus(const GpuActivity& activity) {
  std::vector<bool> lanes(activity.trace->lanes.size(), false);
  for (const Gpu& gpu : activity.gpus) {
    for (const std::uint32_t r : gpu.rows) lanes[idx(activity.trace->rows[r].lane)] = true;
  }
  return lanes;
}

}  // namespace

std::shared_ptr<const GpuActivity> make_gpu_activity(std::shared_ptr<const Trace> trace, ThreadPool& pool,
                                                     CommunicationRules rules, const GpuActivity* earlier) {
  auto activity = std::make_shared<GpuActivity>();
  activity->trace = std::move(trace);
  activity->rules = std::move(rules);
  const Trace& view = *activity->trace;
  activity->work = device_work(view, activity->rules);
  const std::vector<GpuLanes> lanes = gpu_lanes(view);
  const std::vector<SameGpu> same = same_gpus(view, lanes, activity->rules, earlier);
  activity->gpus.resize(lanes.size());
  pool.parallel_for(lanes.size(), [&](std::size_t g) {
    Gpu& gpu = activity->gpus[g];
    gpu = same[g].is_known() ? moved_gpu(view, same[g], *earlier) : find_work(view, activity->work, lanes[g].lanes);
    gpu.group = lanes[g].group;
  });
  place_gpus(view, activity->gpus);
  if (activity->gpus.empty()) return activity;
  activity->communicates = std::ranges::any_of(activity->gpus, &Gpu::communicates);
  std::unordered_map<std::size_t, const SameGpu*> by_group;
  for (std::size_t g = 0; g < lanes.size(); ++g) {
    if (same[g].is_known()) by_group.emplace(idx(lanes[g].group), &same[g]);
  }
  sum_up_all(*activity, pool, earlier, by_group);
  return activity;
}

std::shared_ptr<const GpuActivity> find_gpus(std::shared_ptr<const Trace> trace, ThreadPool& pool) {
  auto activity = std::make_shared<GpuActivity>();
  activity->trace = std::move(trace);
  const Trace& view = *activity->trace;
  activity->work = device_work(view, activity->rules);
  const std::vector<GpuLanes> lanes = gpu_lanes(view);
  activity->gpus.resize(lanes.size());
  pool.parallel_for(lanes.size(), [&](std::size_t g) {
    activity->gpus[g] = find_work(view, activity->work, lanes[g].lanes);
    activity->gpus[g].group = lanes[g].group;
  });
  place_gpus(view, activity->gpus);
  return activity;
}

std::shared_ptr<const GpuActivity> activity_within(const std::shared_ptr<const GpuActivity>& all, const Scope& scope,
                                                   ThreadPool& pool) {
  const Trace& trace = *all->trace;
  auto part = std::make_shared<GpuActivity>();
  part->trace = all->trace;
  part->work = all->work;
  part->rules = all->rules;
  part->communicates = all->communicates;
  part->scope = scope;
  part->whole = all;
  const ScopeLanes lanes = lanes_of(trace, scope, lanes_of_gpus(*all));
  part->on_lanes = lanes.lanes_count;
  const Recordings recordings(trace);
  for (const Gpu& gpu : all->gpus) {
    Gpu clipped = gpu;
    clipped.time = {};
    clipped.bins.clear();
    std::erase_if(clipped.rows, [&](std::uint32_t r) { return !lanes.in[idx(trace.rows[r].lane)]; });
    clipped.span = clip_to(clipped.rows.size() == gpu.rows.size() ? gpu.span : span_of(trace, all->work, clipped), scope.range);
    if (clipped.rows.empty() || clipped.span.empty()) continue;
    clipped.unrecorded = recordings.unrecorded(gpu.rows, clipped.span);
    clipped.slices = 0;
    for (const std::uint32_t r : clipped.rows) {
      const RowSlices row = trace.slices_of(trace.rows[r]);
      const RowPart touched = touching(row, scope.range);
      for (std::size_t i = touched.first; i < touched.last; ++i) clipped.slices += all->is_work(row.id(i)) ? 1 : 0;
    }
    part->gpus.push_back(std::move(clipped));
  }
  if (part->gpus.empty()) return nullptr;
  sum_up_all(*part, pool);
  return part;
}

void GpuTime::add(const RunningWork& running, Ns length) {
  if (running.runs(DeviceWork::Communication)) {
    (running.hides_communication() ? overlapped : exposed) += length;
    if (running.runs(DeviceWork::Graph) && !running.runs(DeviceWork::Compute)) beside_graph += length;
  } else if (running.runs(DeviceWork::Compute)) {
    compute += length;
  } else if (running.runs(DeviceWork::Graph)) {
    graph += length;
  } else if (running.runs(DeviceWork::Memory)) {
    memory += length;
  }
}

bool Gpu::was_recorded(TimeRange part) const { return touching(unrecorded, part).empty(); }

Ns Gpu::recorded() const {
  Ns length = span.length();
  for (const TimeRange& hole : unrecorded) length -= hole.length();
  return length;
}

bool may_have_gpus(const Trace& trace) {
  return std::ranges::any_of(trace.lanes,
                             [](const Lane& lane) { return lane.kind == LaneKind::Stream && lane.slices > 0; });
}

LaneId gpu_group(const Trace& trace, LaneId lane) {
  const LaneId parent = trace.lane(lane).parent;
  for (LaneId group = parent; group != kNone<LaneId>; group = trace.lane(group).parent) {
    if (!trace.lane(group).owner.device.empty()) return group;
  }
  return parent == kNone<LaneId> ? lane : parent;
}

LaneId outermost_group(const Trace& trace, LaneId lane) {
  while (trace.lane(lane).parent != kNone<LaneId>) lane = trace.lane(lane).parent;
  return lane;
}

LaneId thread_group(const Trace& trace, LaneId lane) {
  LaneId thread = lane;
  for (LaneId part = lane; part != kNone<LaneId>; part = trace.lane(part).parent) {
    if (trace.lane(part).owner.thread) thread = part;
  }
  return thread;
}

std::string name_in_process(const Trace& trace, LaneId group) {
  const LaneId process = outermost_group(trace, group);
  if (process == group || is_only_process(trace, process)) return trace.lane(group).name;
  return trace.lane(process).name + ", " + trace.lane(group).name;
}

}  // namespace tv
