// The resources that this process has used so far, for `traceview bench`.
#pragma once

namespace tv {

/// CPU time of the calling thread. Unlike wall time, it excludes the time in which other programs had the core.
double thread_seconds();
/// CPU time of all threads.
double process_seconds();
/// Peak resident memory.
double peak_bytes();

}  // namespace tv
