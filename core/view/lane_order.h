// In which order lanes stand: as the files have them, or workers by what stands out in a step.
// Cost: O(lanes + requests of the step). Source: product.md journey J1.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/heat_map.h"

namespace tv {

/// Per lane of the rollout's trace, for LaneState::weight: what the measure is for the worker whose lane it is; NaN for
/// lanes that are no worker's, and for workers without a file in the step.
std::vector<double> worker_lane_weights(const Rollout& rollout, HeatMeasure measure, std::uint32_t step);

}  // namespace tv
