// Offsets by which the user moves the clocks of files, because the clocks of hosts differ: "hostB/*=-250ms". The offset is added
// to all times of a file when it is placed on the view's clock (SourceInfo::clock_offset). The file itself is not changed.
//
// A pattern must match the end of a path, starting at one of its parts: "worker_3.jsonl" matches every file of that name,
// "hostB/*" all files below any folder hostB. `*` matches any text including slashes, `?` one byte. The first pattern that
// matches decides; if none does, the offset is 0. Unit: nanoseconds, at most thirty years. Cost: O(patterns x length of the
// path).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"

namespace tv {

inline constexpr Ns kLongestClockOffset = kLongestLength;

/// The message when the user asks to move one file of a packed trace. Only the whole trace can be moved.
inline constexpr const char* kPackedClocks =
    "files of a packed trace keep the clocks that they were packed with: give --clock and --align to traceview pack";

struct ClockOffset {
  std::string pattern;
  Ns offset = 0;
  bool operator==(const ClockOffset&) const = default;
};
using ClockOffsets = std::vector<ClockOffset>;

bool matches_path_end(std::string_view pattern, std::string_view path);
/// At most kLongestClockOffset either way, even if more was requested, so that sums of times do not overflow.
Ns clock_offset_of(const ClockOffsets& offsets, std::string_view path);
/// Clamps all offsets to kLongestClockOffset.
ClockOffsets within_bounds(ClockOffsets offsets);

struct FileClock {
  std::string path;
  Ns offset = 0;
};
/// Returns `now` with the offsets of these files, whose patterns come first. If every worker has one offset in all steps, each
/// gets one pattern: ".../exp/step_*/worker_3.jsonl".
ClockOffsets with_clocks(const std::vector<FileClock>& files, const ClockOffsets& now);

/// Parses "worker_3.jsonl=+1.5s", "hostB/*=-250ms", "rollout/*=-5h45m". A number without a unit is seconds. The last '=' ends the
/// pattern.
Result<ClockOffset> parse_clock_offset(const std::string& text);
/// "+1.5s", "-250ms", "+0s"; "-9h", "+5h45m" for whole quarters of an hour. The text is exact, and parse_clock_offset() reads it.
std::string format_clock_offset(Ns offset);
std::string format_clock_offset(const ClockOffset& offset);

}  // namespace tv
