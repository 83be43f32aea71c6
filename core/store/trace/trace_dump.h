// Writes a Trace as text, one JSON object per line, in a fixed order, for golden files and for comparison with oracles. Times are
// absolute, in nanoseconds.
//
//   {"lane":["rank 0","python 1","thread 1"],"row":0,"name":"aten::add","cat":"cpu_op","begin_ns":10,"dur_ns":5,"self_ns":5}
//   {"lane":[...],"instant":"[memory]","cat":"cpu_instant_event","t_ns":12}
//   {"lane":[...],"series":"allocated","t_ns":12,"value":4096}
//   {"flow":["cudaLaunchKernel","gemm"],"from_ns":10,"to_ns":14}
//   {"problem":"unclosed_slice","count":2,"source":"trace.json"}
#pragma once

#include <functional>
#include <string_view>

#include "core/store/trace/trace.h"

namespace tv {

void dump_trace(const Trace& trace, const std::function<void(std::string_view line)>& write);

}  // namespace tv
