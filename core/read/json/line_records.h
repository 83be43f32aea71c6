// Splits lines that are not one JSON record, because two programs wrote to the file or a disk is damaged, into records and the
// text around them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/read/json/record_finder.h"
#include "core/store/draft/problem.h"

namespace tv {

/// A part of a line: a whole record, or text before, between or after records.
struct LinePart {
  std::size_t begin = 0;
  std::string_view text;
  bool record = false;
};

/// The parts of the line, in order. Text of only blanks and commas is left out. A line without a whole record is one part.
std::vector<LinePart> parts_of_line(std::string_view line, const RecordKeys& keys);

/// Whether a line of sound JSON that could not be read seems to be a record with a damaged key or value.
bool looks_like_record(std::string_view line, const RecordKeys& keys);

/// The number of records that begin in this part, which is not a record. Their ends are unknown.
std::size_t records_begun(std::string_view part, const RecordKeys& keys);

/// Reports text that is not a record, but in which `lost` records began. `cut`: the file ends inside it.
void report_lost(ProblemLog& problems, std::uint64_t offset, std::string_view text, std::size_t lost, bool cut);

}  // namespace tv
