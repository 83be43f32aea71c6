// Derives two facts from a slice's category, in the terms of PyTorch's profiler (kineto) and its relatives: whether the slice ran
// on a CPU or a device, and, if it has a correlation id, which end of a launch it is. HTA and TraceLens also join launches by id.
// Flow events cannot replace the id: the profiler omits them where it knows no pair, as for HIP kernels and CUDA graphs, and
// their timestamps are ambiguous if two slices begin in the same microsecond. The table of categories is in work_rules.h.
// Source: kineto, ActivityType.cpp and output_json.cpp. Cost: category_kind(), once per track and category.
#pragma once

#include <cstdint>
#include <string_view>

namespace tv {

enum class EventSide : std::uint8_t { Unknown, Host, Device };
EventSide side_of(std::string_view category);

enum class LaunchEnd : std::uint8_t {
  None,
  Call,  ///< a call of a runtime or driver API
  Work,  ///< what a call started, usually on a device
};
LaunchEnd launch_end(std::string_view category);

/// A record's `args.correlation`; 0 if there is none (kineto then writes 0, -1 or nothing). `args` begins with the record's args.
/// `exact`: it also ends with them; otherwise other fields and records may follow.
std::uint64_t correlation_id(std::string_view args, bool exact);

}  // namespace tv
