// A whole trace as text: two traces with the same text look the same.
#pragma once

#include <string>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv::test {

std::string trace_text(const Trace& trace);

/// The lines of trace_text() and `lines`, sorted: the same result means the same content in any order.
std::string sorted_trace_text(const Trace& trace, std::vector<std::string> lines = {});

}  // namespace tv::test
