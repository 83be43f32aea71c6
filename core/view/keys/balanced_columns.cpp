#include "core/view/keys/balanced_columns.h"

#include <algorithm>

namespace tv {
namespace {

// Lines that must stay in one column: a line that is no heading, and the headings directly above it.
struct FlowedPiece {
  std::size_t first = 0;
  float height = 0;
};

std::vector<FlowedPiece> pieces_of(const std::vector<FlowedLine>& lines) {
  std::vector<FlowedPiece> pieces;
  bool open = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!open) pieces.push_back({i, 0});
    pieces.back().height += lines[i].height;
    open = lines[i].heads_next;
  }
  return pieces;
}

// Fills from the top, each column no higher than `most`.
FlowedColumns fill_columns(const std::vector<FlowedPiece>& pieces, float most) {
  FlowedColumns out;
  float height = 0;
  for (const FlowedPiece& piece : pieces) {
    if (out.first.empty() || height + piece.height > most) {
      out.first.push_back(piece.first);
      height = 0;
    }
    height += piece.height;
    out.height = std::max(out.height, height);
  }
  return out;
}

}  // namespace

FlowedColumns balanced_columns(const std::vector<FlowedLine>& lines, std::size_t columns) {
  const std::vector<FlowedPiece> pieces = pieces_of(lines);
  float least = 0, most = 0;
  for (const FlowedPiece& piece : pieces) {
    least = std::max(least, piece.height);
    most += piece.height;
  }
  // Half a pixel is exact enough.
  while (most - least > 0.5f) {
    const float middle = (least + most) / 2;
    (fill_columns(pieces, middle).first.size() <= columns ? most : least) = middle;
  }
  const FlowedColumns lowest = fill_columns(pieces, least);
  return lowest.first.size() <= columns ? lowest : fill_columns(pieces, most);
}

}  // namespace tv
