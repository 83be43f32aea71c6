// Loading for headless verbs: prints messages about files to stderr, and determines the exit code.
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

/// The range in the options, limited to the trace's extent; none if the options have none.
std::optional<TimeRange> range_within(const Options& options, const Trace& trace);

}  // namespace tv
