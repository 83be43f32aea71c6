// Checks for every chart of every rollout, for tests that make many.
#pragma once

#include <string>

#include "core/analysis/rollout/rollout.h"
#include "core/view/chart/chart.h"
#include "core/view/charts/chart_kinds.h"

namespace tv::test {

/// Everything is selected, nothing looked at.
ChartQuestion about_all(const Rollout& rollout);

/// The first thing that is wrong with the chart; empty: nothing is.
std::string flaw(const Rollout& rollout, const Chart& chart);

}  // namespace tv::test
