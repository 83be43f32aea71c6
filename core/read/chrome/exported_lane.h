// A lane in the words of a Trace Event file that traceview wrote: its whole path, order and kind, which pid, tid and
// their names cannot say. It stands in the args of the thread's thread_name, as "traceview": other programs look at
// "name" only.
//
//   stream nest 0 \u001f 4 rank 0 \u001f 5 GPU 1 \u001f 7 stream 7
//
// That is kind, rule and nest tolerance of the lane, then order and name of each part of its path (without the blanks).
//
// A slice of a packed lane has its slot as "id", one that never ended or whose length was negative has a mark. One that never
// ended is a B without an E, as other programs should not count how long it is drawn; how long that is stands in its dur.
// Threads that say the same are one lane again: several are written where slices overlap (core/export/parts/export_tracks.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/store/draft/lane_spec.h"

namespace tv {

/// Values of a slice's own "traceview".
inline constexpr std::string_view kUnfinishedMark = "unfinished", kClampedMark = "clamped";

/// Stands in front of the events of a file that traceview wrote.
inline constexpr std::string_view kExportWriter = R"("writer":"traceview")";

std::string exported_lane_text(const LaneSpec& lane);
/// Nothing when it is not such a text. `source` makes the parts' keys those of one file.
std::optional<LaneSpec> parse_exported_lane(std::string_view text, std::string_view source);

}  // namespace tv
