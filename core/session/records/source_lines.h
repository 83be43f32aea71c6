// The lines of a file around the record of a slice or around a byte, with the slice that each line is about, for reading a log
// alongside the timeline.
//
// A line ends at a newline. In a line longer than kLongestLine, as in a trace without newlines, each record begins a line of its
// own, and lines that are still longer are cut. A line without a record of its own, such as text that a program prints between
// steps, belongs to the preceding record.
//
// Cost: reading 128 KiB, in a compressed file from the preceding checkpoint; 1 ns per slice to compare its offset. Call it on a
// background thread (AsyncMemo).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/store/trace/trace.h"

namespace tv {

struct SourceLine {
  std::uint64_t begin = 0;  ///< byte of the text
  std::string text;         ///< valid UTF-8, without terminal colours
  bool cut = false;         ///< the line is longer than `text`
  bool begins = false;      ///< a record begins in the line
  SliceId slice = kNone<SliceId>;  ///< that the line is about
};

struct SourceLines {
  static constexpr std::size_t kLongestLine = 4096;  ///< bytes

  std::string path;
  std::vector<SourceLine> lines;
  std::size_t selected = 0;  ///< the line of the requested slice or byte
  bool from_start = false, to_end = false;  ///< `lines` reach the first line of the file, and its last one
};

/// An error if the file is not text, has changed or is gone.
Result<SourceLines> source_lines(const Trace& trace, SliceId slice);
/// `byte`: position in the text of a source of the trace.
Result<SourceLines> source_lines(const Trace& trace, SourceId source, std::uint64_t byte);

}  // namespace tv
