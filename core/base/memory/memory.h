// How much memory is available, and giving unused memory back.
#pragma once

#include <cstdint>

namespace tv {

/// Bytes that can be used without evicting other data: the memory that the system reports as available, within the limits of the
/// control groups and of the process (memory_room.h). 0 if nothing is known.
std::uint64_t available_memory();

/// To be called after many small allocations by several threads were freed: returns their pages to the system, as far as the C
/// library can. Takes milliseconds; does nothing while another thread does it.
void return_free_memory();

/// To be called at the start of the program. An exception that passes through a function of the C library (std::call_once) needs
/// the library's link to the unwinder, which is allocated on the heap on first use. If no memory is left then, the process would
/// abort.
void prepare_unwinding();

}  // namespace tv
