// traceview stats --of gaps --lanes WORDS: the gaps of these lanes, longest first, as a table or as JSON. A gap is an idle time
// that the window can select and the key I steps through (core/query/lane_gaps.h). For a part of the trace, lists all gaps that
// overlap the part, with their full length.
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
