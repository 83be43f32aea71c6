// Loads the files of a verb that needs no window, prints messages about them to stderr, and determines the exit code.
#pragma once

#include <memory>
#include <string>

#include "app/line/options.h"
#include "core/base/threads/thread_pool.h"
#include "core/index/snapshot.h"

namespace tv {

struct HeadlessLoad {
  std::shared_ptr<const Snapshot> snapshot;
  /// kFailed: too large for memory, or nothing could be read because of system errors. kNotRecognised: nothing to show. kLosses:
  /// --strict, and data were lost or a file could not be read.
  int exit = exit_code::kOk;
};

HeadlessLoad load_headless(const Options& options, ThreadPool& pool);

/// A sentence if nothing of the trace is in --range; empty if something may be there, or without --range. stats, export and
/// screenshot read everything and then choose. The other verbs read only the range, and do not know where the trace ends.
std::string nothing_in_range(const Options& options, const Trace& trace);
/// The time range in the options, clipped to the trace's extent; none if the options have no range.
std::optional<TimeRange> range_within(const Options& options, const Trace& trace);

}  // namespace tv
