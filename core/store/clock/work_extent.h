// Measures the time in which a source works, which may be shorter than the extent of all its events. "Fit everything", the
// minimap and shares of time use it, so that a single mark does not stretch them: kineto ends its files with a mark "Record
// Window End" that lies up to two fifths of the trace after the last slice, and Nsight's messages lie before the first slice.
// Such marks stay where they are: the view can go there, and they are found, listed and dumped. What counts as work:
//
//   slices with a length or without an end, counter samples   always
//   marks: instants and slices of zero length                 before or after these, on a side with many marks
//   marks of a source that has nothing else                   always
//
// Marks are many if they are more than the slices that take time, or more than kFewMarks. A slice without an end lasts to the
// last event of its file, even if that is a mark, because a hanging call still runs then. So with such a slice, work ends with
// the file.
// Cost: O(instants + samples), and O(slices) for batches that reach beyond the work.
#pragma once

#include <cstddef>

#include "core/base/time.h"

namespace tv {

struct SliceBlock;
struct SourceParts;

inline constexpr std::size_t kFewMarks = 64;

/// Whether any slice has no end.
bool any_open(const SliceBlock& slices);

/// Sets has_content, extent, work, wall_clock and slices. The source's begin and end events must be joined already.
void measure(SourceParts& source);

}  // namespace tv
