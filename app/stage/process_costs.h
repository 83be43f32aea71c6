// What this process has cost so far, for `traceview bench`.
#pragma once

namespace tv {

/// Processor time of the calling thread: what another program does on the core meanwhile does not count.
double thread_seconds();
/// Of all threads.
double process_seconds();
/// The most memory that was in use at a time.
double peak_bytes();

}  // namespace tv
