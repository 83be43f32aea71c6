// Findings, in sentences with numbers: the first page of a report and `stats --of findings`. Every sentence comes from the same
// functions as the charts. A finding names the chart that shows more, and its place on the timeline.
//
//   level     Costly: it lost much time. Notable: worth a look. Note: information; nothing is wrong.
//   share     of the time concerned, 0 to 1: orders findings of one level
//
// Steps stand out as in step_overview.h (3 median absolute deviations over the median), here also by at least a tenth of the
// median: among very even steps, one that is 1 % longer is not a finding. Cost: that of the analyses; 2 ms for a rollout of 140
// steps and 36,000 requests, and for GPUs O(GPUs and collectives).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/run/run_data.h"

namespace tv {

enum class FindingLevel : std::uint8_t { Note, Notable, Costly };
std::string_view name(FindingLevel level);  ///< "note", "notable", "costly"

struct FindingNumber {
  std::string name;  ///< "lost"
  double value = 0;
  std::string_view unit;  ///< "s", "worker-s", "%", "times"; empty: a plain number
};

struct Finding {
  std::string_view id;  ///< "slow_step": what kind of finding
  std::string sentence;
  std::vector<FindingNumber> numbers;
  FindingLevel level = FindingLevel::Note;
  double share = 0;
  std::string_view chart;             ///< a chart of chart_kinds.h; empty: there is none
  std::optional<std::uint32_t> step;  ///< index into Rollout::steps, if the chart is one of a step
  std::optional<TimeRange> range;     ///< on the timeline
  SliceId slice = kNone<SliceId>;     ///< the slice to look at there
};

/// The place of a finding, extended by a tenth of its length on both sides. None: it has no place.
std::optional<TimeRange> view_of(const Finding& one);

/// What a window marks on the timeline: the place of the worst finding, if it costs time and covers only a part of the view.
std::optional<TimeRange> marked_place(std::span<const Finding> found, Ns view_length);

/// The worst first.
std::vector<Finding> findings(const RunData& data, const Trace& trace);

}  // namespace tv
