// Builds an immutable Trace from the data read so far. The loader calls it with a growing set of batches to show something early,
// and once more at the end: every published Trace is complete in itself. Batches without another owner are freed during the build,
// so that in the final build the trace takes their place.
//
// Steps: logs are placed (step_places.h) -> common label ids -> B/E pairing (source_parts.h) -> lanes -> rows of slices and
// instants (fill_rows.h) -> counters -> flows. Each source lies at its recorded time plus the user's offset; a view compares its
// clock with others (compose.h).
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/draft/source_draft.h"
#include "core/store/trace/trace.h"

namespace tv {

/// Null if stopped.
std::shared_ptr<const Trace> build_trace(std::vector<SourceView> sources, ThreadPool& pool, std::stop_token stop = {});

/// For some of the files, after logs have been placed among all of them (step_places.h). `measured`: how runs were aligned when
/// windows of these files were measured; their clock_base includes it.
std::shared_ptr<const Trace> build_segment(std::vector<SourceView> placed, ThreadPool& pool, std::stop_token stop,
                                           Align measured = Align::Recorded);

}  // namespace tv
