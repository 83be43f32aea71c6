// The time in which a source works, as opposed to the time of all its events. "Fit everything", the minimap and shares of time
// use this, so that a single mark does not stretch them: kineto ends its files with a mark "Record Window End" that lies up to
// two fifths of the trace after the last slice, and Nsight's messages lie before the first one. Such marks stay where they are:
// the view can go there, and they are found, listed and dumped.
//
//   slices with a length or without an end, counter samples   always count
//   marks: instants, slices of zero length                    count on the side, before or after these, where many lie
//   marks alone                                               all count
//
// Many: more marks than slices that take time, or more than kFewMarks. A slice without an end is drawn to the last event of its
// file, even a mark: a hanging call still runs then. So with such a slice, the work ends with the file. Cost: O(instants +
// samples), and O(slices) of the batches that reach beyond.
#pragma once

#include <cstddef>

#include "core/base/time.h"

namespace tv {

struct SliceBlock;
struct SourceParts;

inline constexpr std::size_t kFewMarks = 64;

/// Whether there is a slice without an end.
bool any_open(const SliceBlock& slices);

/// Sets has_content, extent, work, wall_clock and slices of a source whose begins and ends are paired.
void measure(SourceParts& source);

}  // namespace tv
