// What the processes of a Trace Event file tell about it, once all of it is read: ranks in their names ("app [Rank 12]"), and
// which process wrote it, on which host, where torch.profiler named the file after it.
//
//   rank   with several in names and ids of processes, as in merged files, each has a group of lanes of its own. What the file says
//          elsewhere is then only about its first part. A single rank is the file's, unless the file names one (rank_name.h)
//   pid    that of the only process with threads
//   host   HOST_PID.TIMESTAMP.pt.trace.json (tensorboard_trace_handler's default worker name), when PID is that pid: a worker
//          name that the user chose ("worker_0") looks the same
//
// Source: torch/profiler/profiler.py, tensorboard_trace_handler; file names. Cost: O(lanes).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/store/draft/source_draft.h"

namespace tv {

/// The name that torch.profiler gives all windows of a worker: "host-a_1987.1700000000000" without the time; else the stem.
std::string_view worker_of_stem(std::string_view stem);

/// `stem`: FileFacts::stem of the file.
void tell_processes(LaneSpecs& lanes, std::string_view stem, SourceInfo& info);

}  // namespace tv
