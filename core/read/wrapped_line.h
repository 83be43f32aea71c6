// Joins a line that was copied from a terminal, which cut it at the window's edge. All pieces but the last are as wide
// as the window.
//
//   (TaskRunner pid=7) step:1 - actor/loss:0.5 - timi
//   ng_s/gen:21.5 - timing_s/step:77.4
//
// The widths only show that there may be pieces. Whether they belong together depends on the record's contents, so its reader
// decides. Some copies lose a blank at a cut; it is restored here. Cost: O(line) for each piece examined.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace tv {

struct WrappedLine {
  std::string text;        ///< without newlines
  std::size_t length = 0;  ///< bytes of the pieces, with the newlines between them
  std::size_t pieces = 0;
};

/// Joins the line at the beginning of a text. `goes_on(line, next, last)`: whether the next line continues the text joined so far.
/// `last`: the next line is narrower than the window, so nothing can follow it.
template <class GoesOn>
WrappedLine wrapped_line(std::string_view text, GoesOn goes_on);

/// The first piece of a text, up to its newline and without a final carriage return.
std::string_view line_piece(std::string_view text);
/// The number of columns that the piece takes in a terminal: characters, without colour codes.
std::size_t columns_of(std::string_view piece);
/// Adds a piece, and restores a blank that was lost before or after a dash or a bar.
void join_piece(std::string& line, std::string_view piece);

template <class GoesOn>
WrappedLine wrapped_line(std::string_view text, GoesOn goes_on) {
  std::string_view piece = line_piece(text);
  WrappedLine out{std::string(piece), piece.size(), 1};
  std::size_t least = columns_of(piece), most = least;
  for (;;) {
    const std::size_t newline = text.find('\n', out.length);
    if (newline == text.npos || newline + 1 == text.size()) return out;
    piece = line_piece(text.substr(newline + 1));
    const std::size_t columns = columns_of(piece);
    // A lost blank makes a piece one column narrower.
    if (piece.empty() || columns > least + 1) return out;
    const bool last = columns + 1 < most;
    if (!goes_on(out, piece, last)) return out;
    join_piece(out.text, piece);
    out.length = newline + 1 + piece.size();
    ++out.pieces;
    if (last) return out;
    least = std::min(least, columns);
    most = std::max(most, columns);
  }
}

}  // namespace tv
