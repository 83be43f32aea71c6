// Charts like those of real rollouts, and charts of absurd data, for tests and for viewing.
#pragma once

#include <vector>

#include "core/view/chart/chart.h"

namespace tv::test {

/// Curves with rules and facts on a logarithmic axis, stacked and horizontal bars, boxes, cells, dots, two axes, spans, lines,
/// nothing.
std::vector<Chart> sample_charts();

/// Nothing, one point, all equal, NaN, infinities, negative on logarithmic axes, lists of different lengths, very long texts.
std::vector<Chart> odd_charts();

}  // namespace tv::test
