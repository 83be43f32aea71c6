#include "core/read/nsys/nsys_lanes.h"

#include <fmt/format.h>

#include "core/base/text/path_parts.h"
#include "core/read/nsys/nsys_names.h"
#include "core/store/trace/lane_tree.h"

namespace tv {
namespace {

// Sort keys of the lanes of a process.
constexpr std::int64_t kRangesFirst = -1, kMainThread = 1 << 20, kThreads = kMainThread + 1, kLast = kAfterRankless;
constexpr std::int64_t kControllerFirst = -1;

// Rows of any kind may name a thread or only its process.
std::int64_t owner_process(const NsysTrack& track) { return global_pid_of(track.owner); }

}  // namespace

std::string NsysTrack::key() const {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}", static_cast<int>(lane), table, owner, device, context, stream, detail, group);
}

std::size_t NsysTrackHash::operator()(const NsysTrack& t) const {
  std::uint64_t hash = static_cast<std::uint64_t>(t.lane) | std::uint64_t{t.table} << 8;
  for (const std::int64_t part : {t.owner, t.device, t.context, t.stream, t.detail, t.group}) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 29;
  }
  return hash;
}

void NsysLanes::add(const NsysTrack& track) {
  const auto [known, is_new] = tracks_.emplace(track.key(), track);
  if (is_new && is_of_stream(track.lane)) contexts_[{track.owner, track.device}].insert(track.context);
  if (is_new) draft_.set_lane(known->first, spec_of(track));
}

void NsysLanes::set_names(std::map<std::pair<std::int64_t, std::int64_t>, std::string> domains,
                          std::map<std::int64_t, std::string> threads, std::map<std::int64_t, NsysProcess> processes) {
  domains_ = std::move(domains);
  threads_ = std::move(threads);
  processes_ = std::move(processes);
  for (const auto& [key, track] : tracks_) draft_.set_lane(key, spec_of(track));
}

LaneSegment NsysLanes::report_segment() const {
  return {fmt::format("report {}", last_part(report_)), kLast, "nsys report " + report_};
}

LaneSegment NsysLanes::process_segment(std::int64_t global_pid) const {
  LaneSegment out;
  const std::int64_t pid = pid_of(global_pid);
  // Without a host, we cannot tell whether an equal number in another report is the same process.
  out.key = fmt::format("nsys {} {}", info_.host.empty() ? report_ : info_.host, pid);
  out.sort = kRanklessSort + pid;
  const auto found = processes_.find(global_pid);
  const auto title = info_.process_names.find(global_pid);
  if (found != processes_.end() && found->second.rank) {
    out.owner = owned_by_rank(*found->second.rank);
    out.name = out.owner.member;
    out.sort = *found->second.rank;
  }
  if (found != processes_.end() && !found->second.role.empty()) {
    out.name += fmt::format("{}{}", out.name.empty() ? "" : " ", found->second.role);
    if (found->second.role == "controller") out.sort = kControllerFirst;
  }
  if (out.name.empty() && title != info_.process_names.end()) out.name = last_part(title->second);
  if (pid == 0) {
    out.name += fmt::format("{}{}", out.name.empty() ? "" : ", ", last_part(report_));
    out.key += report_;
  } else {
    out.name += fmt::format("{}pid {}", out.name.empty() ? "" : ", ", pid);
    out.owner.pid = pid;
  }
  return out;
}

LaneSegment NsysLanes::gpu_segment(std::int64_t global_pid, std::int64_t device) const {
  const std::int64_t gpu = info_.gpu(pid_of(global_pid), device);
  LaneSegment out;
  out.key = fmt::format("gpu {}", gpu);
  out.sort = gpu;
  out.owner.device = out.name = fmt::format("GPU {}", gpu);
  const auto known = info_.gpus.find(gpu);
  if (known != info_.gpus.end() && !known->second.name.empty()) out.name += " " + known->second.name;
  if (gpu != device) out.name += fmt::format(" (cuda {})", device);
  return out;
}

LaneSegment NsysLanes::stream_segment(const NsysTrack& track) const {
  const std::int64_t pid = pid_of(track.owner);
  LaneSegment out;
  out.key = fmt::format("stream {} {}", track.context, track.stream);
  out.name = fmt::format("stream {}", track.stream);
  out.owner.stream = track.stream;
  if (info_.null_streams.contains({pid, track.stream})) out.name += " (default)";
  const auto named = info_.stream_names.find({pid, track.stream});
  if (named != info_.stream_names.end()) out.name += " " + named->second;
  const auto contexts = contexts_.find({track.owner, track.device});
  if (contexts != contexts_.end() && contexts->second.size() > 1) out.name += fmt::format(", context {}", track.context);
  return out;
}

LaneSegment NsysLanes::thread_segment(std::int64_t global_tid) const {
  const std::int64_t tid = tid_of(global_tid);
  LaneSegment out;
  out.key = fmt::format("thread {}", global_tid);
  out.owner.thread = tid;
  out.sort = tid == pid_of(global_tid) ? kMainThread : kThreads;
  const auto by_nvtx = threads_.find(global_tid);
  const auto by_system = info_.thread_names.find(global_tid);
  std::string name = by_nvtx != threads_.end()                ? by_nvtx->second
                     : by_system != info_.thread_names.end() ? by_system->second
                                                              : "thread";
  out.name = fmt::format("{} {}", name.empty() ? "thread" : name, tid);
  return out;
}

std::string NsysLanes::metric_name(const NsysTrack& track) const {
  const auto named = info_.metric_names.find({track.group, track.detail});
  return named != info_.metric_names.end() ? named->second : fmt::format("metric {}", track.detail);
}

// Several reports of a process share a lane, as do tables of one kind. So the key has the kind of the table, not its number.
std::string NsysLanes::shared_key(const NsysTrack& track) const {
  const bool by_table = track.lane == NsysLane::Calls || track.lane == NsysLane::Events;
  return fmt::format("{}|{}|{}|{}", static_cast<int>(track.lane), by_table ? tables_[track.table].lane : std::string(),
                     track.detail, track.group);
}

LaneSegment NsysLanes::leaf_segment(const NsysTrack& track) const {
  const std::string key = shared_key(track);
  switch (track.lane) {
    case NsysLane::Kernels: return {"kernels", 1, key};
    case NsysLane::Nccl: return {"NCCL", 0, key};
    case NsysLane::Communication: return {"communication", 0, key};
    case NsysLane::Graphs: return {"graphs", 2, key};
    case NsysLane::Memory: return {"memory", 3, key};
    case NsysLane::Sync: return {"synchronisation", kLast, key};
    case NsysLane::Projected: return {"NVTX on the GPU", kRangesFirst, key};
    case NsysLane::MemoryInUse:
      return {fmt::format("memory in use, {}, MiB", memory_kind_name(track.detail).empty()
                                                    ? fmt::format("kind {}", track.detail)
                                                    : std::string(memory_kind_name(track.detail))),
              kLast + 1, key};
    case NsysLane::Nvtx:
    case NsysLane::NvtxRanges: {
      const bool ranges = track.lane == NsysLane::NvtxRanges;
      const std::string base = ranges ? "NVTX ranges" : "NVTX";
      if (track.detail == 0) return {base, kRangesFirst, key};
      const auto domain = domains_.find({owner_process(track), track.detail});
      return {domain != domains_.end() ? fmt::format("{}, {}", base, domain->second)
                                       : fmt::format("{}, domain {}", base, track.detail),
              ranges ? kRangesFirst : 0, key};
    }
    case NsysLane::Calls: return {tables_[track.table].lane, 1, key};
    case NsysLane::Scheduling: return {"scheduling", kLast, key};
    case NsysLane::Events: return {tables_[track.table].lane, kLast, key};
    case NsysLane::Metric: return {metric_name(track), track.detail, key};
  }
  return {};
}

LaneSpec NsysLanes::spec_of(const NsysTrack& track) const {
  LaneSpec out;
  LaneSegment leaf = leaf_segment(track);
  if (track.lane == NsysLane::Metric) {
    const std::int64_t gpu = track.group & 0xFF;
    LaneSegment group = track.device >= 0
                            ? LaneSegment{fmt::format("network card {}", track.device), kLast, fmt::format("nic {}", track.device)}
                            : LaneSegment{fmt::format("GPU {} metrics", gpu), gpu, fmt::format("gpu metrics {}", gpu)};
    out.path = {report_segment(), std::move(group), std::move(leaf)};
    out.kind = LaneKind::Counter;
    return out;
  }
  const std::int64_t process = owner_process(track);
  out.path = {track.owner == 0 && track.lane == NsysLane::Events ? report_segment() : process_segment(process)};
  switch (track.lane) {
    case NsysLane::Kernels:
    case NsysLane::Nccl:
    case NsysLane::Communication:
    case NsysLane::Graphs:
    case NsysLane::Memory:
      out.path.push_back(gpu_segment(process, track.device));
      out.path.push_back(stream_segment(track));
      out.kind = LaneKind::Stream;
      break;
    case NsysLane::Sync: out.path.push_back(gpu_segment(process, track.device)); break;
    case NsysLane::Projected:
      out.path.push_back(gpu_segment(process, track.device));
      out.kind = LaneKind::Annotation;
      break;
    case NsysLane::MemoryInUse:
      out.path.push_back(gpu_segment(process, track.device));
      out.kind = LaneKind::Counter;
      break;
    case NsysLane::Nvtx:
    case NsysLane::Calls:
    case NsysLane::Scheduling: out.path.push_back(thread_segment(track.owner)); break;
    case NsysLane::NvtxRanges: out.kind = LaneKind::Async; break;
    case NsysLane::Events:
      if (tid_of(track.owner) != 0) out.path.push_back(thread_segment(track.owner));
      break;
    case NsysLane::Metric: break;
  }
  out.path.push_back(std::move(leaf));
  return out;
}

}  // namespace tv
