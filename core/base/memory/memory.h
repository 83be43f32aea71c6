// How much memory is available, and giving unused memory back.
#pragma once

#include <cstdint>

namespace tv {

/// Bytes that can be used without pushing others out: what the system says is available, within the limits of the control groups
/// and of the process (memory_room.h). 0 when nothing is known.
std::uint64_t available_memory();

/// After many small allocations of several threads were freed: the pages they lay on go back to the system, as far as the C
/// library can do that. Milliseconds; nothing while another thread does it.
void return_free_memory();

/// At the start of the program. An exception that passes through a function of the C library (std::call_once) needs its link to the
/// unwinder, which is made from the heap when it is first needed: where no memory is left, the process would abort.
void prepare_unwinding();

}  // namespace tv
