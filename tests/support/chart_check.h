// Checks that hold for every chart of every rollout.
#pragma once

#include <string>

#include "core/analysis/rollout/rollout.h"
#include "core/view/chart/chart.h"
#include "core/view/charts/chart_kinds.h"

namespace tv::test {

/// A question about all requests.
ChartQuestion about_all(const Rollout& rollout);

/// The first flaw of the chart; empty if there is none.
std::string flaw(const Rollout& rollout, const Chart& chart);

}  // namespace tv::test
