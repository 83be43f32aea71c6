// Several files may be of one process: nsys writes a report for each phase and step that is profiled, torch.profiler a file for
// each window of its schedule. Their lanes are one (LaneSpec), with one name for the group; their clock is one too.
//
// Which files are of one process: reports of Nsight Systems with the same host and pid; traces of PyTorch with the same host,
// pid and rank, as their names and contents tell (chrome_process.h). Numbers come again: in a container each start has the
// same small ones, a trace without a host may be from anywhere, and another folder is likely another run. These are one process
// only if their profiler's steps ("ProfilerStep#12") continue from file to file, and in one folder if there is no host. A process
// is in one place at a time: windows that overlap refute it. So do reports that lie within each other, or different ranks.
// Cost: O(sources x lanes + names of those with the same host and pid).
#pragma once

#include <vector>

#include "core/store/draft/source_draft.h"

namespace tv {

/// Sets SourceInfo::process of sources of one process, and makes their lanes one. The outermost groups of nsys reports are called
/// alike, by rank and all roles; sources that do not tell the rank get it from those that do.
void unite_processes(std::vector<SourceView>& views);

/// Whether these two could be of one process, as far as can be told without what is in them. Logs aside.
bool may_be_of_one_process(const SourceInfo& a, const SourceInfo& b);

}  // namespace tv
