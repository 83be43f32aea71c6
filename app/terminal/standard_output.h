// Standard output can fail like any file: the disk is full, or it is closed. A failure is reported once, at the end, and the
// program exits with an error.
#pragma once

#include <string_view>

namespace tv {

/// Reserves the descriptors of closed standard streams: using these fails, and no newly opened file gets one of them.
void hold_standard_streams();
/// Throws std::system_error if writing fails, like fmt::print, so that long output stops.
void print_text(std::string_view text);
/// Whether some output could not be written.
bool output_failed();
/// Flushes the output and reports a failure. Returns `exit`, or kFailed if that is kOk and some output was lost.
int end_output(int exit);

}  // namespace tv
