// Exports a loaded trace, or a part of it, for other programs. `traceview export` and the window's dialog use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/threads/thread_pool.h"
#include "core/export/parts/export_choice.h"
#include "core/export/parts/ordered_writer.h"
#include "core/store/clock/align_runs.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/draft/clock_fit.h"

namespace tv {

enum class ExportFormat { Chrome, Paddle, Perfetto, Csv };

std::string_view name(ExportFormat format);     ///< for --to: "chrome"
std::string_view meaning(ExportFormat format);  ///< as shown to users: "Chrome trace (JSON), for Perfetto, ..."
std::string_view file_ending(ExportFormat format);  ///< ".json"

/// Whether the trace can be written in this format: Paddle's own needs exactly one run of Paddle's pipeline logs, or records of
/// its dygraph profiler.
bool can_export(const Trace& trace, ExportFormat format);

/// Passes the file's bytes to `sink` in order. An error of the sink ends the export.
Result<ExportTotals> export_trace(const Trace& trace, const ExportChoice& choice, ExportFormat format, ThreadPool& pool,
                                  const ExportSink& sink);

/// "exp.json: 12.3 MB, 1000 slices, ..."
std::string totals_text(const std::string& file, const ExportTotals& totals);

struct ExportRequest {
  std::vector<std::string> paths;
  ExportFormat format = ExportFormat::Chrome;
  std::optional<TimeRange> range;
  std::string lanes;  ///< a lane filter; empty: all
  std::string file;
  ClockOffsets clocks = {};
  PlaceBy place_by = PlaceBy::Collectives;
  Align align = Align::Recorded;
};
/// The command that exports the same file, quoted for a shell.
std::string export_command(const ExportRequest& request);

/// A lane filter (lane_filter.h) for exactly these lanes, by LaneId; none if it would be too long to copy or would match others.
std::optional<std::string> filter_of_lanes(const Trace& trace, const std::vector<bool>& lanes);

}  // namespace tv
