// A Paddle pipeline run in the words of Paddle's own tool (Paddle): devices "GPU0" or "GPU0(machine:1)", and
// its steps over all devices.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

struct PaddleDeviceName {
  std::string number;   ///< "0"; the lane's name when the file's name tells no device
  std::string machine;  ///< "1" of machine1; empty: the only one
};

/// A step from the first job that began in it to the last that ended, never before the end of the step before it.
struct PaddleRunStep {
  std::int64_t number;
  Ns begin, end;  ///< relative to the trace's origin
};

/// Is all that was read the log of one run?
bool is_paddle_run(const Trace& trace);
/// Is it what the dynamic graph's profiler writes?
bool is_dygraph_run(const Trace& trace);
/// Lanes with jobs, in display order.
std::map<LaneId, PaddleDeviceName> paddle_devices(const Trace& trace);
/// By attempt, then number: from every lane of steps, whether devices have one each or the run has one.
std::vector<PaddleRunStep> paddle_run_steps(const Trace& trace);

}  // namespace tv
