// The analysed data of the open files, from which charts are made. Logs are analysed themselves, since they say more than their
// slices; GPUs are analysed from slices. Made once per snapshot. Cost: that of its parts.
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

/// The subjects of charts: kinds of logs, GPUs of traces, and slices of any kind.
enum class RunPart : std::uint8_t { Rollout, Training, Pipeline, Gpu, Slices };

/// A member is null if there is no such log, or no GPU.
struct RunData {
  std::shared_ptr<const Rollout> rollout = nullptr;
  std::shared_ptr<const Training> training = nullptr;
  std::shared_ptr<const std::vector<PipelineSummary>> pipelines = nullptr;
  std::shared_ptr<const GpuActivity> gpu = nullptr;
  std::shared_ptr<const std::vector<PaceName>> paces = nullptr;  ///< with gpu
  std::shared_ptr<const CollectiveWaits> waits = nullptr;        ///< with gpu
  std::shared_ptr<const std::vector<GpuCapture>> captures = nullptr;  ///< with gpu, one for each of its gpus
  std::shared_ptr<const std::vector<StepSource>> steps = nullptr;  ///< of everything that numbers its steps; not a RunPart itself
  std::shared_ptr<const Trace> trace = nullptr;                    ///< the trace that all of this is about
  std::vector<std::string> damaged = {};  ///< files because of which nothing was analysed (damaged_files.h)

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
  /// There is nothing but slices.
  bool empty() const { return !rollout && !training && !pipelines && !gpu; }
  bool operator==(const RunData&) const = default;
};

/// Results of `earlier` for files, requests and GPUs that are in both traces are reused.
RunData analyse_run(const std::shared_ptr<const Trace>& trace, ThreadPool& pool, const RunData& earlier = {});
/// Whether there may be something to analyse. Cost: O(lanes and labels).
bool has_run_data(const Trace& trace);

}  // namespace tv
