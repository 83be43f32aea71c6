// Figures of GPU activity, for `traceview stats --of` and gpu.json of a report. These are the numbers of the charts
// (core/view/charts/gpu/charts_gpu.h), with full names. Times are in nanoseconds; points in time count from the trace's beginning.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/analysis/run/run_data.h"
#include "core/view/chart/chart_controls.h"

namespace tv {

/// Communication times are null if nothing was recognised as communication.
nlohmann::ordered_json gpus_json(const GpuActivity& activity, const RunData& data);
/// Gaps that are at least as long as the settings demand.
nlohmann::ordered_json gaps_json(const GpuActivity& activity, const ChartSettings& settings, ThreadPool& pool);
/// Communication kernels per GPU; `waits` gives the share of waiting. Null if nothing was recognised as communication.
nlohmann::ordered_json nccl_json(const GpuActivity& activity, const CollectiveWaits& waits, ThreadPool& pool);
/// Per GPU: how long it waited, and how often others waited for it. Then the collectives with the longest waits (CountedWait).
nlohmann::ordered_json stragglers_json(const GpuActivity& activity, const CollectiveWaits& waits, ThreadPool& pool);
nlohmann::ordered_json waits_json(const GpuActivity& activity);
nlohmann::ordered_json launches_json(const GpuActivity& activity, ThreadPool& pool);
/// The pace of the slices whose name is in the settings.
nlohmann::ordered_json pace_json(const RunData& data, const ChartSettings& settings);

/// All of the above, and statistics by kind of work. data.gpu must be set.
nlohmann::ordered_json gpu_json(const RunData& data, const ChartSettings& settings, ThreadPool& pool);

}  // namespace tv
