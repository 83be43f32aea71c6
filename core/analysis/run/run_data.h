// The results of analysing the open files, from which charts are made. Logs are analysed from their records, which hold more than
// the slices made from them; GPUs are analysed from slices. Made once per snapshot. Cost: the sum of its parts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/run/capture_check.h"
#include "core/analysis/gpu/gpu_activity.h"
#include "core/analysis/gpu/range_pace.h"
#include "core/analysis/gpu/step_ranges.h"
#include "core/analysis/rollout/rollout.h"
#include "core/analysis/training/pipeline_schedule.h"
#include "core/analysis/training/training.h"

namespace tv {

struct CollectiveWaits;

/// What a chart can be about: a kind of log, the GPUs of traces, or slices of any kind.
enum class RunPart : std::uint8_t { Rollout, Training, Pipeline, Gpu, Slices };

/// A member is null if the trace has no such data, or if a file is damaged.
struct RunData {
  std::shared_ptr<const Rollout> rollout = nullptr;
  std::shared_ptr<const Training> training = nullptr;
  std::shared_ptr<const std::vector<PipelineSummary>> pipelines = nullptr;
  std::shared_ptr<const GpuActivity> gpu = nullptr;
  std::shared_ptr<const std::vector<PaceName>> paces = nullptr;  ///< null without gpu
  std::shared_ptr<const CollectiveWaits> waits = nullptr;        ///< null without gpu
  std::shared_ptr<const std::vector<GpuCapture>> captures = nullptr;  ///< null without gpu; one for each of its gpus
  std::shared_ptr<const std::vector<StepSource>> steps = nullptr;  ///< of logs and labels that number steps; not a RunPart
  std::shared_ptr<const Trace> trace = nullptr;                    ///< the analysed trace
  std::vector<std::string> damaged = {};  ///< damaged files (damaged_files.h); if there are any, nothing is analysed

  bool has(RunPart part) const {
    switch (part) {
      case RunPart::Rollout: return rollout != nullptr;
      case RunPart::Training: return training != nullptr;
      case RunPart::Pipeline: return pipelines != nullptr;
      case RunPart::Gpu: return gpu != nullptr;
      case RunPart::Slices: return trace && trace->slice_count > 0;
    }
    return false;
  }
  /// No log or GPU was analysed.
  bool empty() const { return !rollout && !training && !pipelines && !gpu; }
  bool operator==(const RunData&) const = default;
};

/// Reuses the results of `earlier` for files, requests and GPUs that both traces share.
RunData analyse_run(const std::shared_ptr<const Trace>& trace, ThreadPool& pool, const RunData& earlier = {});
/// Whether analyse_run() may find anything. Cost: O(lanes + labels).
bool has_run_data(const Trace& trace);

}  // namespace tv
