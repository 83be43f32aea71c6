// Writing to standard output can fail as with any file: the disk is full, or the output is closed. A failure is reported once, at
// the end, and the program exits with an error.
#pragma once

#include <string_view>

namespace tv {

/// Reserves the descriptors of closed standard streams, so that no file opened later gets one of them. Reading or writing a
/// reserved descriptor fails.
void hold_standard_streams();
/// Throws std::system_error if writing fails, as fmt::print does, so that long output stops.
void print_text(std::string_view text);
/// Whether some output could not be written.
bool output_failed();
/// Flushes the output and reports a failure. Returns `exit`, but kFailed instead of kOk if some output was lost.
int end_output(int exit);

}  // namespace tv
