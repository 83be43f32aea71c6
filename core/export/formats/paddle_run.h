// A Paddle pipeline run in the terms of Paddle's own tool (Paddle): devices "GPU0" or "GPU0(machine:1)", and its steps over all
// devices.
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

/// A step from the first job that began in it to the last that ended, never before the end of the previous step.
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
/// By attempt, then number: from all lanes of steps, whether each device has one or the run has one.
std::vector<PaddleRunStep> paddle_run_steps(const Trace& trace);

}  // namespace tv
