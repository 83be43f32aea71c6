// How much memory is available, how freed memory returns to the system, and how exceptions work when none is left.
#pragma once

#include <cstdint>

namespace tv {

/// How many more bytes this process can use: what the system reports as available, within the limits of the control groups and of
/// the process (memory_room.h). At least 1 MiB; 0 if nothing is known.
std::uint64_t available_memory();

/// Call it when the program starts: the C library will return freed blocks of some megabytes to the system, also later on.
void return_large_blocks();

/// Returns free pages to the system, as far as the C library can. Call it after many small allocations of several threads were
/// freed: the library keeps their pages. Takes milliseconds; returns at once if another thread is already doing it.
void return_free_memory();

/// Call it when the program starts. When an exception first passes through a function of the C library (std::call_once), the
/// library loads the unwinder, which takes memory. If the exception is std::bad_alloc, none may be left; the process would abort.
void prepare_unwinding();

}  // namespace tv
