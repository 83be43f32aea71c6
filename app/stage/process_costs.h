// Resources used by this process so far, for `traceview bench`.
#pragma once

namespace tv {

/// Processor time of the calling thread: unlike wall time it does not depend on other programs on the core.
double thread_seconds();
/// Processor time of all threads.
double process_seconds();
/// Peak memory in use.
double peak_bytes();

}  // namespace tv
