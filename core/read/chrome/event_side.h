// What a slice's category says about it, in the naming of PyTorch's profiler (kineto) and its relatives: whether it ran on a CPU or
// a device, and which end of a launch it is if it carries a correlation id. All readers of these traces (HTA, TraceLens) join
// launches by that id. Flow events are no substitute: they are missing if the profiler knew no pair, as for kernels of HIP and CUDA
// graphs, and their times do not distinguish slices that began in the same microsecond. What categories mean is a table in
// work_rules.h. This file has the part about sides and launches.
// Source: libkineto ActivityType.cpp, output_json.cpp; kineto. Cost: that of category_kind(), once per track and category.
#pragma once

#include <cstdint>
#include <string_view>

namespace tv {

enum class EventSide : std::uint8_t { Unknown, Host, Device };
EventSide side_of(std::string_view category);

enum class LaunchEnd : std::uint8_t {
  None,
  Call,  ///< of a runtime or driver
  Work,  ///< that a call started on a device
};
LaunchEnd launch_end(std::string_view category);

/// `args.correlation` of a record; `args` begins with its args. 0: there is none (kineto also writes 0 and -1 for that). `exact`:
/// the text ends with the args; else other fields and records may follow.
std::uint64_t correlation_id(std::string_view args, bool exact);

}  // namespace tv
