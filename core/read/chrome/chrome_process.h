// Derives facts about a Trace Event file from its processes, after the whole file has been read: the ranks in their names
// ("app [Rank 12]") and, if torch.profiler named the file, the process and host that wrote it.
//
//   rank   If names and ids of processes have several ranks, as in merged files, each rank has its own group of lanes. A rank
//          that the file states itself is then only that of its first part. A single rank is the file's, unless the
//          file's contents, communicators or name gave one (source_rank.h).
//   pid    The pid in the file's name (see host), else that of the only process with threads.
//   host   From HOST_PID.TIMESTAMP.pt.trace.json (tensorboard_trace_handler's default worker name), if a process with threads has
//          that PID, because a worker name that the user chose ("worker_0") looks the same.
//
// Source: torch/profiler/profiler.py, tensorboard_trace_handler; file names. Cost: O(lanes).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/store/draft/source_draft.h"

namespace tv {

/// The name that all windows of a worker share, as torch.profiler writes it: "host-a_1987.1700000000000" without the time. Other
/// stems are returned unchanged.
std::string_view worker_of_stem(std::string_view stem);

/// Stores the facts in `info` and in the lanes. `stem`: FileFacts::stem of the file.
void tell_processes(LaneSpecs& lanes, std::string_view stem, SourceInfo& info);

}  // namespace tv
