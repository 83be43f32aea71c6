// A Paddle pipeline run in the terms of Paddle's own tool: devices "GPU0" or "GPU0(machine:1)", and steps over all devices.
// Source: Paddle.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

struct PaddleDeviceName {
  std::string number;   ///< "0"; the lane's name if the file's name contains no device
  std::string machine;  ///< "1" for machine1; empty if there is only one machine
};

/// A step, from its first begin to its last end on any device. If it would overlap the previous step, it begins where that ends.
struct PaddleRunStep {
  std::int64_t number;
  Ns begin, end;  ///< relative to the trace's origin
};

/// Whether everything that was read is the log of one run.
bool is_paddle_run(const Trace& trace);
/// Whether the trace was written by the profiler of Paddle's dynamic graph.
bool is_dygraph_run(const Trace& trace);
/// Lanes with jobs, in display order.
std::map<LaneId, PaddleDeviceName> paddle_devices(const Trace& trace);
/// Sorted by attempt, then number. Merges the lanes that hold steps: there is one per device, or one for the run.
std::vector<PaddleRunStep> paddle_run_steps(const Trace& trace);

}  // namespace tv
