// Facts about a Trace Event file from its processes, found after the whole file is read: ranks in their names ("app [Rank 12]"),
// and, if torch.profiler named the file, the process and host that wrote it.
//
//   rank   if processes' names and ids have several, as in merged files, each rank has its own group of lanes. Facts stated
//          elsewhere then hold only for its first part. A single rank is the file's, unless the file names one (rank_name.h)
//   pid    that of the process with threads that the file name states (see host), else of the only process with threads
//   host   HOST_PID.TIMESTAMP.pt.trace.json (tensorboard_trace_handler's default worker name), if a process with threads has that
//          PID: a worker name that the user chose ("worker_0") looks the same
//
// Source: torch/profiler/profiler.py, tensorboard_trace_handler; file names. Cost: O(lanes).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/store/draft/source_draft.h"

namespace tv {

/// The name that torch.profiler gives to all windows of a worker: "host-a_1987.1700000000000" without the time. Other stems are
/// returned unchanged.
std::string_view worker_of_stem(std::string_view stem);

/// `stem`: FileFacts::stem of the file.
void tell_processes(LaneSpecs& lanes, std::string_view stem, SourceInfo& info);

}  // namespace tv
