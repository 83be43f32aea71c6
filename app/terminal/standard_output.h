// Standard output can fail like any file: the disk is full, or it is closed. What could not be written is said once, at the
// end, and the program has failed.
#pragma once

#include <string_view>

namespace tv {

/// Standard streams that are closed: what is written there fails, and no file that is opened takes their place.
void hold_standard_streams();
/// Throws std::system_error when it fails, as fmt::print does: whoever writes much stops.
void print_text(std::string_view text);
/// Something could not be written.
bool output_failed();
/// Writes what is left. The exit code of the program, which had `exit` before.
int end_output(int exit);

}  // namespace tv
