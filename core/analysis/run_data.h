// All that is known of what was opened beyond its slices, analysed: what charts are made of. Made once per snapshot. Cost: that
// of its parts.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/pipeline_schedule.h"
#include "core/analysis/rollout.h"
#include "core/analysis/training.h"

namespace tv {

/// Kinds of logs that charts are about.
enum class RunPart : std::uint8_t { Rollout, Training, Pipeline };

/// Null: there is no such log.
struct RunData {
  std::shared_ptr<const Rollout> rollout = nullptr;
  std::shared_ptr<const Training> training = nullptr;
  std::shared_ptr<const std::vector<PipelineSummary>> pipelines = nullptr;

  bool has(RunPart part) const {
    switch (part) {
      case RunPart::Rollout: return rollout != nullptr;
      case RunPart::Training: return training != nullptr;
      case RunPart::Pipeline: return pipelines != nullptr;
    }
    return false;
  }
  bool empty() const { return !rollout && !training && !pipelines; }
  bool operator==(const RunData&) const = default;
};

RunData analyse_run(const std::shared_ptr<const Trace>& trace, ThreadPool& pool);
/// Whether there may be anything to analyse.
bool has_run_data(const Trace& trace);

}  // namespace tv
