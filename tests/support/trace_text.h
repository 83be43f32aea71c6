// A whole trace as text: two that give the same are the same to whoever looks at them.
#pragma once

#include <string>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv::test {

std::string trace_text(const Trace& trace);

/// Its lines and these, in an order of their own: two that give the same have the same in them, in whatever order.
std::string sorted_trace_text(const Trace& trace, std::vector<std::string> lines = {});

}  // namespace tv::test
