// A Paddle pipeline run in the terms of Paddle's own tool: devices "GPU0" or "GPU0(machine:1)", and its steps over all devices.
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
  std::string machine;  ///< "1" for machine1; empty: the only machine
};

/// A step, from the first begin to the last end over all devices. It does not begin before the previous step ends.
struct PaddleRunStep {
  std::int64_t number;
  Ns begin, end;  ///< relative to the trace's origin
};

/// Whether everything that was read is the log of one run.
bool is_paddle_run(const Trace& trace);
/// Whether it was written by the dynamic graph's profiler.
bool is_dygraph_run(const Trace& trace);
/// Lanes with jobs, in display order.
std::map<LaneId, PaddleDeviceName> paddle_devices(const Trace& trace);
/// Sorted by attempt, then number. Merges all lanes of steps: one for each device, or one for the run.
std::vector<PaddleRunStep> paddle_run_steps(const Trace& trace);

}  // namespace tv
