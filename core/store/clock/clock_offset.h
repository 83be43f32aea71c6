// How far the clock of some files is moved, when hosts disagree: "hostB/*=-250ms". The offset is added to all times of a file
// when it is placed on the view's clock (SourceInfo::clock_offset); the times in the file stay unchanged.
//
// A pattern is compared with the end of a path, starting at one of its parts: "worker_3.jsonl" matches every file of that name,
// "hostB/*" all files below any folder hostB. `*` stands for any text including slashes, `?` for one byte, everything else for
// itself. The first matching pattern counts; without one, the offset is 0.
// Unit: nanoseconds, at most thirty years. Cost: O(patterns x length of the path).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"

namespace tv {

inline constexpr Ns kLongestClockOffset = kLongestLength;

/// The message when the user asks to move one file of a packed trace. The trace as a whole can be moved.
inline constexpr const char* kPackedClocks =
    "files of a packed trace keep the clocks that they were packed with: give --clock and --align to traceview pack";

struct ClockOffset {
  std::string pattern;
  Ns offset = 0;
  bool operator==(const ClockOffset&) const = default;
};
using ClockOffsets = std::vector<ClockOffset>;

bool matches_path_end(std::string_view pattern, std::string_view path);
/// Always within the bounds, whatever was requested: sums of times rely on it.
Ns clock_offset_of(const ClockOffsets& offsets, std::string_view path);
/// Clamps all offsets to the bounds.
ClockOffsets within_bounds(ClockOffsets offsets);

struct FileClock {
  std::string path;
  Ns offset = 0;
};
/// Returns `now` with the clocks of these files set. Offsets of other files stay. A worker's files of all steps become one
/// pattern if their offsets are equal: ".../exp/step_*/worker_3.jsonl".
ClockOffsets with_clocks(const std::vector<FileClock>& files, const ClockOffsets& now);

/// Parses "worker_3.jsonl=+1.5s", "hostB/*=-250ms", "rollout/*=-5h45m"; seconds if there is no unit. Splits at the last
/// '='.
Result<ClockOffset> parse_clock_offset(const std::string& text);
/// "+1.5s", "-250ms", "+0s", whole quarters of an hour "-9h", "+5h45m": exact, and readable by parse_clock_offset().
std::string format_clock_offset(Ns offset);
std::string format_clock_offset(const ClockOffset& offset);

}  // namespace tv
