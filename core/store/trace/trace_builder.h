// Builds an immutable Trace from the data read so far. The loader calls it with a growing set of batches to show something early,
// and once more at the end: every published Trace is complete in itself. Batches without another owner are freed during the
// build, so that the final build does not hold the data twice.
//
// Steps: logs are placed (step_places.h) -> common label ids -> B/E pairing (source_parts.h) -> lanes -> counters -> rows of
// slices and instants (fill_rows.h) -> flows. Each source lies at its recorded time plus the user's offset; a view compares its
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
/// the windows of these files were computed; their clock_base includes this shift.
std::shared_ptr<const Trace> build_segment(std::vector<SourceView> placed, ThreadPool& pool, std::stop_token stop,
                                           Align measured = Align::Recorded);

}  // namespace tv
