// Bubbles of pipelines for `traceview info`: the numbers of the charts (core/analysis/training/pipeline_schedule.h).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/analysis/training/pipeline_schedule.h"

namespace tv {

nlohmann::ordered_json pipelines_json(const std::vector<PipelineSummary>& runs);
/// Means over the steps.
void print_pipelines(const std::vector<PipelineSummary>& runs);

}  // namespace tv
