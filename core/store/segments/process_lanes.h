// Joins the files of one process in a view: nsys writes a report for each profiled phase and step, torch.profiler a file for each
// window of its schedule. Their lanes become one, their groups get one name, and they have one clock (unit_clocks.h).
//
// Reports of Nsight Systems are of one process if they have the same host and pid, do not overlap by more than half, and do not
// state different ranks (ranks within communicators do not count).
//
// Traces of PyTorch are of one process if they have the same host, pid and rank, by their names and contents (chrome_process.h),
// and do not overlap. But pids repeat: containers start with the same small pids, a trace without a host may be from anywhere,
// and another folder is likely another run. In such cases the steps of the profiler ("ProfilerStep#12") must continue from file
// to file. Without a host, the files must be in one folder.
//
// Cost: O(sources), and the labels of the sources whose steps must be compared; for packed traces of several sources, their
// slices.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "core/store/draft/lane_spec.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The outermost groups of segments, as a view shows them.
class ProcessLanes {
 public:
  ProcessLanes() = default;
  /// `view`: needs only its parts and sources. Sets SourceInfo::process of sources that are joined. Sources without a rank get
  /// that of their process. Sources that were joined when they were packed stay joined.
  explicit ProcessLanes(Trace& view);

  LaneSegment of(std::size_t part, LaneSegment group) const {
    const auto found = groups_.find({part, group.key});
    return found == groups_.end() ? std::move(group) : found->second;
  }

 private:
  std::map<std::pair<std::size_t, std::string>, LaneSegment> groups_;  // by part, and by the group's key in that segment
};

}  // namespace tv
