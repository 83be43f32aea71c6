// Common parts of the GPU charts: click targets on the timeline, kernel names that fit into a table, colours of kinds of work, bars
// per GPU. Cost: linear in the input.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"
#include "core/view/chart/chart.h"
#include "core/view/charts/chart_kinds.h"
#include "core/view/words/number_words.h"

namespace tv {

/// Colours of the chart palette: the same in every GPU chart, and the same hues that kernels, communication and copies have on the
/// timeline (palette.h).
inline constexpr int kComputeColor = 2, kExposedColor = 5, kOverlappedColor = 1, kGraphColor = 0, kMemoryColor = 6,
                     kIdleColor = 9;

/// Adds the place of a slice to the chart, and returns the target that leads there; no target for kNone.
ChartTarget slice_target(Chart& chart, const Trace& trace, SliceId slice);
/// The same for a slice that stands for all slices of its name.
ChartTarget name_target(Chart& chart, const Trace& trace, SliceId slice);
/// The same for a stretch of time, which the click marks as an area, and a slice to select.
ChartTarget stretch_target(Chart& chart, TimeRange range, SliceId slice = kNone<SliceId>);

/// A kernel's name without "void", parameters and, for templates, namespaces, shortened in the middle: "gemm<float>" of
/// "void gemm<float>(float*, int)".
std::string short_kernel(std::string_view name, std::size_t most_letters = 64);
/// Short names for all kernels of one table or chart. Kernels that differ get different names.
std::vector<std::string> short_kernels(const std::vector<std::string>& names, std::size_t most_letters = 64);
/// The name of a slice, or "-" for kNone.
std::string slice_text(const Trace& trace, SliceId slice, std::size_t most_letters = 64);
/// The same texts as cells; files get the full names.
ChartCell kernel_cell(std::string_view name);
ChartCell slice_cell(const Trace& trace, SliceId slice, std::size_t most_letters = 64);
/// "thread 1375 (pt_main_thread)", preceded by its process if there are several.
std::string thread_text(const Trace& trace, LaneId thread);

/// The word for the devices: "GPU", "NPU" ..., or "device" if they differ.
std::string device_noun(const GpuActivity& activity);
/// "8 GPUs", "1 NPU".
std::string devices_text(const GpuActivity& activity);
/// How many kernels each rule classified as communication, or that none was recognised.
std::vector<ChartFact> communication_facts(const GpuActivity& activity);
/// The time of graphs whose kernels were not recorded, over all devices.
Ns graph_time(const GpuActivity& activity);
inline constexpr std::string_view kNothingRecognised = "nothing recognised as communication";

/// Why the trace has no arrow from a launch to work on a device.
std::string why_no_launches(const Trace& trace);

/// An axis of time since the beginning of the view.
ChartAxis timeline_axis(TimeRange range);

struct PartOfBar {
  std::string name;
  int color = 0;
  bool idle = false;  ///< hatched
  std::function<double(std::size_t row)> value;
};
/// Adds horizontal bars, one row per name. The parts of a bar are stacked, or next to each other (Chart::side_by_side). A part
/// that is 0 in every row is left out; `text` is written on values other than 0.
void add_bars(Chart& chart, std::vector<std::string> rows, const std::vector<PartOfBar>& parts,
              const std::function<std::string(double value)>& text, const std::vector<ChartTarget>& targets = {});

}  // namespace tv
