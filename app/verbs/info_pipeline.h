// Prints the bubbles of pipelines for `traceview info`. The charts show the same numbers
// (core/analysis/training/pipeline_schedule.h).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/analysis/training/pipeline_schedule.h"

namespace tv {

nlohmann::ordered_json pipelines_json(const std::vector<PipelineSummary>& runs);
/// For people: each stage's means over the steps. pipelines_json() has each step.
void print_pipelines(const std::vector<PipelineSummary>& runs);

}  // namespace tv
