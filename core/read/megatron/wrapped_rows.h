// Rows of a Megatron log that was copied from a terminal, which cut them at the window's edge (wrapped_line.h): iterations, timers,
// memory and validation.
//
//   time (ms) | forward-compute: 265.42 | optimizer: 8
//   2.95
//
// Cost: O(row).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/read/wrapped_line.h"

namespace tv {

/// Whether the text begins with an iteration's line, or one that is cut before the bar of "iteration 10/1000 |".
bool begins_iteration(std::string_view text);
/// Whether the text begins with a row, or one that is cut inside its first words.
bool begins_row(std::string_view text);

/// Joins the row at the beginning of the text if a terminal cut it. Any other line is returned unchanged. If the program wrapped an
/// iteration after bars and a launcher put something before each line, the lines are read one by one.
WrappedLine whole_row(std::string_view text);

/// The pieces before the line at `begin`, where the head of a wrapped iteration is, from the one with its timestamp on. There are no
/// pieces if that line has the stamp itself, or if none is found. `written`: as for stamp_before_message().
WrappedLine pieces_before(std::string_view text, std::size_t begin, Ns written = 0);

/// Where rows begin whose first line ends inside the words that other rows can be found by, such as "iteration".
std::vector<std::size_t> cut_words(std::string_view text);

/// For whole lines: the number of bytes at their end that belong to a row which the next line may continue.
std::size_t open_row(std::string_view lines, Ns written = 0);

}  // namespace tv
