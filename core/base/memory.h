// How much memory there is to be had.
#pragma once

#include <cstdint>

namespace tv {

/// Bytes that can be used without pushing others out: what the system says is available, within the limit of the control
/// group. 0 when nothing is known.
std::uint64_t available_memory();

}  // namespace tv
