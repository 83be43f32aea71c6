// Builds an immutable Trace from the data that were read so far. The loader calls it with more and more batches, to show
// something early, and once more at the end; every result is consistent. Batches without another owner are freed during the
// build, so that the last build does not hold the data twice.
//
// Order of work: place logs (step_places.h), give labels common ids and join begin and end events (source_parts.h), make lanes
// and counters, fill rows of slices and instants (fill_rows.h), bind flows. Each source lies at its recorded time plus the user's
// offset; clocks are compared later, in a view (compose.h).
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

/// For some of the files, whose logs were placed together with those of all files (step_places.h). `measured`: how runs were
/// aligned when the time windows of these files were computed; their clock_base includes the shift.
std::shared_ptr<const Trace> build_segment(std::vector<SourceView> placed, ThreadPool& pool, std::stop_token stop,
                                           Align measured = Align::Recorded);

}  // namespace tv
