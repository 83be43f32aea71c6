// Loading for headless verbs: messages about files to stderr, the exit code that follows from them.
#pragma once

#include <memory>

#include "app/line/options.h"
#include "core/base/threads/thread_pool.h"
#include "core/index/snapshot.h"

namespace tv {

struct HeadlessLoad {
  std::shared_ptr<const Snapshot> snapshot;
  /// kFailed: it does not fit into memory; kNotRecognised: nothing to show; kLosses: under --strict.
  int exit = exit_code::kOk;
};

HeadlessLoad load_headless(const Options& options, ThreadPool& pool);

/// The range of the options within the trace's extent; none when the options give none.
std::optional<TimeRange> range_within(const Options& options, const Trace& trace);

}  // namespace tv
