// traceview stats --of gaps --lanes WORDS: when these lanes do nothing, longest first, as a table or as JSON. The gaps that the
// window selects and I walks (core/query/lane_gaps.h). Of a part of the trace: those that lie in it or reach into it, whole.
#pragma once

#include <optional>

#include "app/line/options.h"
#include "core/analysis/scope/scope.h"
#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The exit code.
int print_lane_gaps(const Options& options, const Trace& trace, const std::optional<Scope>& scope, ThreadPool& pool);

}  // namespace tv
