// The lanes of an Nsight Systems report: which rows of which table lie on which lane, and what the lanes are called.
//
//   rank 3 actor, pid 4711               process; shared by all reports of the process
//    ├ NVTX ranges                       start/end ranges, which may end on another thread
//    ├ GPU 5 NVIDIA H100 (cuda 0)        the physical id, and the GPU's number in the process
//    │  ├ NVTX on the GPU                work that CPU ranges launched
//    │  ├ stream 7 (default)
//    │  │  ├ NCCL | communication | kernels | graphs | memory
//    │  └ synchronisation
//    ├ python3 4711                      thread
//    │  ├ NVTX | CUDA API | OS runtime | ...
//    └ diagnostics
//
// Names of threads, streams and domains come from tables and events that may appear later. So lanes are named when they are first
// seen, and again at the end.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/read/nsys/nsys_process.h"
#include "core/read/nsys/nsys_report_info.h"
#include "core/read/nsys/nsys_table.h"
#include "core/store/draft/source_draft.h"

namespace tv {

enum class NsysLane : std::uint8_t {
  Kernels, Nccl, Graphs, Memory,  // of a stream
  Sync, Projected, MemoryInUse,   // of a GPU
  Nvtx, Calls, Scheduling,        // of a thread
  NvtxRanges, Events,             // of a process, or of the report
  Metric,                         // of a GPU or network card of the machine
  Communication,                  // of a stream: kernels of other libraries than NCCL; last, since keys of lanes have the number
};

inline bool is_of_stream(NsysLane lane) { return lane <= NsysLane::Memory || lane == NsysLane::Communication; }

/// A lane before it has a name. Members that do not apply are 0.
struct NsysTrack {
  NsysLane lane{};
  std::uint16_t table = 0;   ///< in the list of tables
  std::int64_t owner = 0;    ///< global id of the thread or process; 0: the report
  std::int64_t device = -1;  ///< number in the process, or of a network card; -1: neither
  std::int64_t context = 0, stream = 0;
  std::int64_t detail = 0;   ///< NVTX domain, kind of memory, metric
  std::int64_t group = 0;    ///< for a metric: its list or type

  bool operator==(const NsysTrack&) const = default;
  std::string key() const;
};

struct NsysTrackHash {
  std::size_t operator()(const NsysTrack& track) const;
};

class NsysLanes {
 public:
  NsysLanes(SourceDraft& draft, const NsysReportInfo& info, const std::vector<NsysTable>& tables, std::string report)
      : draft_(draft), info_(info), tables_(tables), report_(std::move(report)) {}

  void add(const NsysTrack& track);
  /// Names all lanes again. `domains`: by process and id; `threads`: names by global tid; `processes`: by global pid.
  void set_names(std::map<std::pair<std::int64_t, std::int64_t>, std::string> domains,
                 std::map<std::int64_t, std::string> threads, std::map<std::int64_t, NsysProcess> processes);

 private:
  LaneSpec spec_of(const NsysTrack& track) const;
  LaneSegment process_segment(std::int64_t global_pid) const;
  LaneSegment report_segment() const;
  LaneSegment gpu_segment(std::int64_t global_pid, std::int64_t device) const;
  LaneSegment stream_segment(const NsysTrack& track) const;
  LaneSegment thread_segment(std::int64_t global_tid) const;
  LaneSegment leaf_segment(const NsysTrack& track) const;
  std::string shared_key(const NsysTrack& track) const;
  std::string metric_name(const NsysTrack& track) const;

  SourceDraft& draft_;
  const NsysReportInfo& info_;
  const std::vector<NsysTable>& tables_;
  std::string report_;  ///< path
  std::map<std::string, NsysTrack> tracks_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::int64_t>> contexts_;  ///< by process and device
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> domains_;
  std::map<std::int64_t, std::string> threads_;  ///< by global tid, named by NVTX
  std::map<std::int64_t, NsysProcess> processes_;
};

}  // namespace tv
