// Writes a trace of any size straight into the columns, for measurements above the store: reading and building would take longer
// than these.
#pragma once

#include <cstddef>
#include <memory>

#include "core/store/trace/trace.h"

namespace tv::test {

/// `lanes` streams of one row each with equally many slices: mostly small kernels, an occasional long one, bursts and
/// pauses.
std::shared_ptr<Trace> make_store_trace(std::size_t slices, std::size_t lanes);

}  // namespace tv::test
