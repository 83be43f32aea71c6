// Charts of GPU work and of the program's calls to GPUs: use over time, gaps and their causes, summaries by name, hidden
// communication, waiting calls, launch delays, the pace of repeated ranges. Makers for the table of chart_kinds.cpp; each returns
// at least one chart, empty with a reason if there is nothing to draw. A click leads to the slice or the stretch of time on the
// timeline. Cost: that of the analysis, in the background: linear in the slices of the area. Source: the recipes of Nsight Systems
// (cuda_gpu_kern_sum, cuda_api_sum, cuda_gpu_mem_time_sum, nvtx_sum, nvtx_gpu_proj_sum, gpu_gaps, gpu_time_util_map,
// nccl_gpu_overlap_trace, cuda_api_sync, cuda_kern_exec_sum, nvtx_pace).
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/view/chart/chart.h"
#include "core/view/charts/chart_kinds.h"

namespace tv {

std::vector<Chart> gpu_charts(const RunData& data, const ChartQuestion& question);
std::vector<Chart> gpu_gap_charts(const RunData& data, const ChartQuestion& question);
std::vector<Chart> gpu_summary_charts(const RunData& data, const ChartQuestion& question);
/// Whose the GPUs' time is: an operator's, a module's, a marked range's ... (owner_sums.h).
std::vector<Chart> owner_charts(const RunData& data, const ChartQuestion& question);
std::vector<Chart> gpu_overlap_charts(const RunData& data, const ChartQuestion& question);
/// How much of the collectives' time is spent waiting for the last rank. Needs data.gpu. `counted`: from gpu_activity(). Kernels
/// that only the settings' patterns recognise have no known waits; the chart says so.
std::vector<Chart> collective_wait_charts(const RunData& data, const GpuActivity& counted);
std::vector<Chart> api_wait_charts(const RunData& data, const ChartQuestion& question);
std::vector<Chart> launch_delay_charts(const RunData& data, const ChartQuestion& question);
std::vector<Chart> pace_charts(const RunData& data, const ChartQuestion& question);
/// The contents of the strip of steps, step by step and GPU by GPU.
std::vector<Chart> gpu_step_charts(const RunData& data, const ChartQuestion& question);

// The settings and their names.

/// Patterns that add to the rules of communication, or remove from them if a minus precedes them (work_rules.h).
inline constexpr std::string_view kCommunicationRules = "communication";
ChartControl communication_control(const ChartSettings& settings);
/// data.gpu; if the settings have patterns, the activity counted again with these: one sweep per GPU on half of the cores.
std::shared_ptr<const GpuActivity> gpu_activity(const RunData& data, const ChartSettings& settings);
std::vector<ChartControl> gpu_overlap_controls(const RunData& data, const ChartSettings& settings);

inline constexpr std::string_view kGpuShown = "gpu";            ///< Gpu::name; none: a map of all GPUs
inline constexpr std::string_view kGpuMeasure = "gpu_measure";  ///< what the map shows
std::vector<ChartControl> gpu_controls(const RunData& data, const ChartSettings& settings);
inline constexpr std::string_view kLeastGap = "gap_least";  ///< in microseconds
std::vector<ChartControl> gpu_gap_controls(const RunData& data, const ChartSettings& settings);
inline constexpr std::string_view kSummaryOf = "summary_of";  ///< name(WorkKind)
std::vector<ChartControl> gpu_summary_controls(const RunData& data, const ChartSettings& settings);
inline constexpr std::string_view kOwnersBy = "owners_by";  ///< name(OwnerBy); none: what the trace has
std::vector<ChartControl> owner_controls(const RunData& data, const ChartSettings& settings);
inline constexpr std::string_view kPaceOf = "pace_of";  ///< PaceName::text()
inline constexpr std::string_view kStepsShown = "steps_of";  ///< StepSource::unit; none: the first
std::vector<ChartControl> gpu_step_controls(const RunData& data, const ChartSettings& settings);
std::vector<ChartControl> pace_controls(const RunData& data, const ChartSettings& settings);

/// The values of the settings.
Ns least_gap(const ChartSettings& settings);
WorkKind summary_kind(const ChartSettings& settings);
/// The chosen one, else the first. Null if nothing repeats, or if only parts of iterations do and none is chosen.
const PaceName* chosen_pace(const std::vector<PaceName>& names, const ChartSettings& settings);

}  // namespace tv
