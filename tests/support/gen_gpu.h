// Traces of GPU programs for tests, a few hundred slices from a seed: ranks with a GPU each, streams that overlap,
// launches with arrows, calls that wait, marked ranges on threads and on the GPU. Traces last few nanoseconds, so that an
// oracle can look at every single one.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/gen_trace.h"

namespace tv::test {

/// Lanes of a GPU program, for a sketch.
inline LaneSpec gpu_stream(const std::string& process, const std::string& gpu = "GPU 0", const std::string& stream = "stream 7") {
  return {{{process}, {gpu}, {stream}}, LaneKind::Stream};
}
inline LaneSpec cpu_thread(const std::string& process, const std::string& thread = "thread 1") { return {{{process}, {thread}}}; }

/// Sets the lanes of a rank: tracks "rN gpu S" (streams 7 and 22 of "GPU N"), "rN gpu marks" (projected), "rN cpu".
void add_gpu_rank(TraceSketch& sketch, int rank);

/// At most about `kGenGpuEnd` ns long. Some GPUs have no work, and some work has no launch.
inline constexpr Ns kGenGpuEnd = 4000;
TraceSketch gen_gpu_trace(std::uint64_t seed);

}  // namespace tv::test
