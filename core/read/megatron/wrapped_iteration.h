// An iteration's line in a Megatron log that was copied from a terminal, which cut the line at the window's edge
// (wrapped_line.h). Cost: O(line).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/read/wrapped_line.h"

namespace tv {

/// Whether the text begins with an iteration's line, or one that is cut before the bar of "iteration 10/1000 |".
bool begins_iteration(std::string_view text);

/// Joins the iteration's line at the beginning of the text if a terminal cut it. Any other line is returned unchanged; if it was
/// wrapped after bars, its pieces are read one by one.
WrappedLine whole_iteration(std::string_view text);

/// Where lines begin that end inside the word "iteration" of their head. Others can be found by that word.
std::vector<std::size_t> cut_words(std::string_view text);

/// For whole lines: the number of bytes at their end that belong to an iteration which the next line may continue.
std::size_t open_iteration(std::string_view lines);

}  // namespace tv
