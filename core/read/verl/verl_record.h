// The lines of metrics in a console log of verl, wherever they stand in it and however they came there: with stamps and
// names of processes in front, cut by a terminal (wrapped_line.h), or with an item on each line.
//
//   2026-07-27T10:00:02.5Z (TaskRunner pid=7) step:1 - actor/loss:0.5 - timing_s/gen:21.5
//
// Cost: a search for "step:", and O(line) for each that is found. Source: verl's console, verl's file logger.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/text/log_stamp.h"

namespace tv {

struct VerlRecord {
  std::string_view line;           ///< from "step:" on; lives as long as the text, or the call where it was joined
  std::size_t at = 0, length = 0;  ///< in the text: of the line, or of all its pieces from the begin of the first
  bool ended = true;               ///< the text goes on behind it; else its last number may be cut off
  std::optional<LogStamp> stamp;   ///< when it was printed
};

/// The records of a text that begins where a line does, or with "step:", in order, until `visit` says that it has
/// enough (false). `written`: when the file was, for stamps without a year.
void for_each_verl_record(std::string_view text, const std::function<bool(const VerlRecord&)>& visit, Ns written = 0);

/// Of whole lines: the bytes at the end that belong to a record which the next line may go on with (line_chunks.h).
std::size_t open_verl_record(std::string_view lines);

}  // namespace tv
