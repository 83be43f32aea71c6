// Builds an immutable Trace from what has been read so far. The inputs are not consumed, so the loader calls it on a
// growing set of batches to show something early, and once more at the end: every published Trace is a complete one.
//
// Steps: common label ids -> B/E pairing -> lanes -> scatter slices by lane, column by column -> rows per lane (parallel)
// -> instants and counters -> flows. Cost: about 32 bytes per slice of scratch beside the result.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/store/source_draft.h"
#include "core/store/trace.h"

namespace tv {

/// Null when stopped.
std::shared_ptr<const Trace> build_trace(const std::vector<SourceView>& sources, ThreadPool& pool,
                                         std::stop_token stop = {});

}  // namespace tv
