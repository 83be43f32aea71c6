// Finds the lines of metrics in a console log of verl, even if timestamps and names of processes precede them, if a terminal cut
// them (wrapped_line.h), or if they have one item per line.
//
//   2026-07-27T10:00:02.5Z (TaskRunner pid=7) step:1 - actor/loss:0.5 - timing_s/gen:21.5
//
// Cost: a search for "step:", and O(line) for each match. Source: verl's console, verl's file logger.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/text/log_stamp.h"

namespace tv {

struct VerlRecord {
  std::string_view line;           ///< from "step:" on; valid as long as the text, or during the visit if pieces were joined
  std::size_t at = 0, length = 0;  ///< in the text: the line, or all its pieces from the begin of the first
  bool ended = true;               ///< more text follows; if not, the last number may be cut off
  std::optional<LogStamp> stamp;   ///< when the line was printed
};

/// Visits the records in order until `visit` returns false. The text begins with a line or with "step:". `written`: when
/// the file was written, for stamps without a year.
void for_each_verl_record(std::string_view text, const std::function<bool(const VerlRecord&)>& visit, Ns written = 0);

/// The number of bytes at the end of whole lines that belong to a record which the next line may continue (line_chunks.h).
std::size_t open_verl_record(std::string_view lines);

}  // namespace tv
