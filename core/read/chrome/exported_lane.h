// The description of a lane in a Trace Event file that traceview wrote: the lane's whole path, order and kind, which pid, tid and
// their names cannot express. It is stored as "traceview" in the args of the thread_name event, where other programs read only
// "name".
//
//   stream nest 0 \u001f 4 rank 0 \u001f 5 GPU 1 \u001f 7 stream 7
//
// These are kind, rule and nest tolerance of the lane, then order and name of each part of its path. The text has no blanks
// around \u001f.
//
// A slice of a packed lane has its slot as "id". A slice that never ended or had a negative length has a mark. A slice that never
// ended is a B without an E, so other programs do not count the length at which it is drawn; its dur has that length. Threads
// with the same description are read as one lane; several are written if slices overlap (core/export/parts/export_tracks.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/store/draft/lane_spec.h"

namespace tv {

/// Values of a slice's "traceview" arg.
inline constexpr std::string_view kUnfinishedMark = "unfinished", kClampedMark = "clamped";

/// Comes before the events in a file that traceview wrote.
inline constexpr std::string_view kExportWriter = R"("writer":"traceview")";

std::string exported_lane_text(const LaneSpec& lane);
/// Nothing if the text is not a description. `source` makes the parts' keys unique to one file.
std::optional<LaneSpec> parse_exported_lane(std::string_view text, std::string_view source);

}  // namespace tv
