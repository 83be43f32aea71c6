// How the charts of a panel stand beside and below each other. As many beside each other as show their tables with all columns;
// more where they would be low else: a plot of 60 pixels says less than a table that scrolls. None is cut at the panel's edge
// when it can be a little lower instead. In pixels.
#pragma once

#include <cstddef>

namespace tv {

struct ChartGridNeeds {
  std::size_t charts = 1;
  float whole_width = 0;   ///< shows a table with all its columns beside its picture
  float least_width = 0;   ///< narrower than that nobody can read it
  float good_height = 0;   ///< less is low
  float least_height = 0;  ///< where not even that is there, the panel scrolls, with charts of scrolled_height
  float scrolled_height = 0;
};

struct ChartGrid {
  std::size_t columns = 1;
  float width = 0, height = 0;  ///< of each
};

/// `gap`: between two charts, either way.
ChartGrid chart_grid(const ChartGridNeeds& needs, float width, float height, float gap);

}  // namespace tv
