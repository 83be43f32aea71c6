// Lines of JSON that are no record: what two writers or a damaged disk left of some.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/read/json/record_finder.h"

namespace tv {

/// A part of a line: a whole record, or what lies before, between and behind them.
struct LinePart {
  std::size_t begin = 0;
  std::string_view text;
  bool record = false;
};

/// All of the line, in order; one part that is no record if no whole one is in it.
std::vector<LinePart> parts_of_line(std::string_view line, const RecordKeys& keys);

/// Is a sound line that cannot be read one of the records nevertheless, with a key or a value that is damaged?
bool was_record(std::string_view line, const RecordKeys& keys);

/// Did a record begin in this part that is none? Each is counted where it begins: of its end nothing can be said.
bool begins_record(std::string_view part, const RecordKeys& keys);

}  // namespace tv
