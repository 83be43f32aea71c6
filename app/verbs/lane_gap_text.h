// traceview stats --of gaps --lanes WORDS: the idle times of these lanes, longest first, as a table or as JSON. They are the same
// gaps that the window selects and the key I steps through (core/query/lane_gaps.h). For a part of the trace: all gaps that overlap
// it, in full length.
#pragma once

#include <optional>

#include "app/line/options.h"
#include "core/analysis/scope/scope.h"
#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

/// Returns the exit code.
int print_lane_gaps(const Options& options, const Trace& trace, const std::optional<Scope>& scope, ThreadPool& pool);

}  // namespace tv
