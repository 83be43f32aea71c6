// Files with known times. They show when logs were written (time_zones.h), and when their steps ran (step_places.h). Times are
// UTC, as recorded and with the user's offsets, but not yet fitted by collectives.
// Cost: O(batches) of each view; to find its steps, O(slices) of the batches that have some.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/store/draft/source_draft.h"

namespace tv {

struct TimedFile {
  std::string path;
  std::optional<std::int64_t> pid, rank, step;
  std::string phase;
  std::optional<Ns> zone_east;
  TimeRange extent;
  /// NVTX ranges around steps, by lane (verl under Nsight Systems). Sorted by begin, without overlaps.
  std::vector<std::vector<TimeRange>> steps;
};

/// The files among these that have known times, by path. `steps`: whether to find their steps.
std::vector<TimedFile> timed_files(const std::vector<SourceView>& views, bool steps);

/// Whether this is a log whose zone was already searched for among all files.
bool was_measured(const SourceInfo& source);

/// The facts that SourceInfo has, without times.
TimedFile timed_file(const SourceInfo& source);

/// Gives an order that does not depend on when each file was opened.
void sort_by_path(std::vector<TimedFile>& files);

/// Whether slices with this label are steps, as in TimedFile::steps.
bool marks_step(const LabelTable& labels, LabelId label);
/// Sorted by begin, without ranges that begin within another.
std::vector<TimeRange> outermost(std::vector<TimeRange> ranges);

/// The extent of a source's contents, in the file's clock. Empty: no times were read, or none yet.
TimeRange recorded_extent(const SourceView& view);

}  // namespace tv
