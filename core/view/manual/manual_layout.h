// Lays out a page: lines wrapped to a width, columns of tables, code. The same layout serves the window (in pixels) and a
// terminal (in letters); the measures give the width of a text and the height of a line.
//
// Cost: a measure per word; a millisecond for a page. Made when page or width change, not per frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/view/manual/manual_page.h"

namespace tv {

enum class ManualStyle : std::uint8_t { Text, Code, Strong, Link, Title, Heading };

struct ManualMeasures {
  std::function<float(std::string_view, ManualStyle)> width;
  float line = 1;              ///< height of a line of text
  float title = 1, heading = 1;  ///< heights of lines in headings
  float between_blocks = 1, above_heading = 1, between_items = 0, between_rows = 0;
  float indent = 2;            ///< for lists and code
  float between_columns = 2;
  bool breaks_code = false;    ///< wraps lines of code that are too long
};

/// Words on one line in the same style.
struct ManualFragment {
  float x = 0, y = 0, width = 0;
  ManualStyle style = ManualStyle::Text;
  std::string text;
  std::string target;     ///< for a link
  std::size_t block = 0;  ///< index in the page
};

struct ManualLayout {
  struct Stretch {
    float y = 0, height = 0;
  };
  std::vector<ManualFragment> fragments;  ///< from top to bottom
  std::vector<Stretch> blocks;            ///< position of each block of the page
  std::vector<float> rules;               ///< y of the lines below table heads
  float height = 0;
};

ManualLayout lay_out_manual(const ManualPage& page, float width, const ManualMeasures& measures);

/// Blocks of the page that contain these words, ignoring case; none if there are no words.
std::vector<std::size_t> find_in_page(const ManualPage& page, std::string_view words);

}  // namespace tv
