// The numbers of a histogram for files and terminals: a row for each bin. Its marks do not suit them, because the outline has each
// count twice, at both edges of its bin.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/view/chart/chart.h"

namespace tv {

struct CountsOfBins {
  std::string name;
  std::vector<std::size_t> count;
};

/// `edges`, in seconds: one more than there are counts.
ChartTable histogram_table(const std::vector<double>& edges, const std::vector<CountsOfBins>& columns);

}  // namespace tv
