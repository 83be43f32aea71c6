// Joins the lanes of one process that are in several files: nsys writes a report for each profiled phase and step, torch.profiler a
// file for each window of its schedule. Their lanes become one (LaneSpec), with one name for the group, and one clock.
//
// Files are of one process if they are reports of Nsight Systems with one host and pid, or traces of PyTorch with one host, one
// pid and rank, by their names and contents (chrome_process.h). But numbers repeat: in a container each start has the
// same small ones, a trace without a host may be from anywhere, and another folder is likely another run. These are one process
// only if their profiler's steps ("ProfilerStep#12") continue from file to file, and in one folder if there is no host. A process
// is in one place at a time: windows that overlap refute it. So do reports that lie within each other, or different ranks.
// Cost: O(sources x lanes + names of those with the same host and pid).
#pragma once

#include <vector>

#include "core/store/draft/source_draft.h"

namespace tv {

/// Sets SourceInfo::process of sources of one process, and makes their lanes one. The outermost groups of nsys reports get one
/// name, by rank and all roles. Sources that do not tell their rank get it from those that do.
void unite_processes(std::vector<SourceView>& views);

/// Whether these two could be of one process, as far as can be told without reading them. Not for logs.
bool may_be_of_one_process(const SourceInfo& a, const SourceInfo& b);

}  // namespace tv
