// What GPUs did in figures, for `traceview stats --of` and gpu.json of a report: the numbers of the charts
// (core/view/charts/gpu/charts_gpu.h), times in whole nanoseconds relative to the view's beginning, names in full.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/analysis/run/run_data.h"
#include "core/view/chart/chart_controls.h"

namespace tv {

/// Times of communication are null where nothing was recognised as communication.
nlohmann::ordered_json gpus_json(const GpuActivity& activity, const RunData& data);
/// Those of at least the length that is set.
nlohmann::ordered_json gaps_json(const GpuActivity& activity, const ChartSettings& settings, ThreadPool& pool);
/// Per kernel and GPU; `waits` says what of it is waiting. Null where nothing was recognised as communication.
nlohmann::ordered_json nccl_json(const GpuActivity& activity, const CollectiveWaits& waits, ThreadPool& pool);
/// Per GPU: whom the others waited for; and each collective in which anybody waited, longest first.
nlohmann::ordered_json stragglers_json(const GpuActivity& activity, const CollectiveWaits& waits, ThreadPool& pool);
nlohmann::ordered_json waits_json(const GpuActivity& activity);
nlohmann::ordered_json launches_json(const GpuActivity& activity, ThreadPool& pool);
/// Of the name that is set.
nlohmann::ordered_json pace_json(const RunData& data, const ChartSettings& settings);

/// All of it; data.gpu is there.
nlohmann::ordered_json gpu_json(const RunData& data, const ChartSettings& settings, ThreadPool& pool);

}  // namespace tv
