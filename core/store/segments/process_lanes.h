// Joins the files of one process in a view: nsys writes a report for each profiled phase and step, torch.profiler a file for each
// window of its schedule. Their lanes become one, with one name for the group, and they have one clock (unit_clocks.h).
//
// Files belong to one process if they are reports of Nsight Systems with one host and pid, or traces of PyTorch with one host,
// one pid and rank, by their names and contents (chrome_process.h). But pids repeat: containers start with the same small pids, a
// trace without a host may be from anywhere, and another folder is likely another run. Such files are one process only if their
// profiler's steps ("ProfilerStep#12") continue from file to file, and if they are in one folder when there is no host. Windows
// of one process do not overlap (reports: by no more than half), and have one rank (reports: unless communicators alone tell it).
// Cost: O(sources), and the labels of those that need their steps compared; in packed traces, their slices.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "core/store/draft/lane_spec.h"
#include "core/store/trace/trace.h"

namespace tv {

/// Outermost groups of segments, as a view shows them.
class ProcessLanes {
 public:
  ProcessLanes() = default;
  /// For a view with parts and sources that are not yet placed. Sets SourceInfo::process of sources of one process. Sources without
  /// a rank get it from the others of their process. Sources that were joined when they were packed stay joined.
  explicit ProcessLanes(Trace& view);

  LaneSegment of(std::size_t part, LaneSegment group) const {
    const auto found = groups_.find({part, group.key});
    return found == groups_.end() ? std::move(group) : found->second;
  }

 private:
  std::map<std::pair<std::size_t, std::string>, LaneSegment> groups_;  // by part and key in its segment
};

}  // namespace tv
