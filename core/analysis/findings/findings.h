// Findings, as sentences with numbers: the first page of a report, and `stats --of findings`. Their numbers come from the same
// functions as the charts. A finding names the chart that shows more, and a place on the timeline.
//
//   level     Costly: much time was lost. Notable: worth a look. Note: information; nothing is wrong.
//   share     of the time concerned, 0 to 1; findings of one level are ordered by it
//
// Steps stand out by the rule of usual_length.h. Cost: that of the analyses; 2 ms for a rollout of 140 steps and 36,000 requests,
// and O(GPUs + collectives) for GPUs.
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
  std::string_view id;  ///< the kind of finding: "slow_step"
  std::string sentence;
  std::vector<FindingNumber> numbers;
  FindingLevel level = FindingLevel::Note;
  double share = 0;
  std::string_view chart;             ///< a chart of chart_kinds.h; empty if none shows more
  std::optional<std::uint32_t> step;  ///< index into Rollout::steps, if the chart shows one step
  std::optional<TimeRange> range;     ///< on the timeline
  SliceId slice = kNone<SliceId>;     ///< the slice to look at in `range`
};

/// The place of a finding, extended by a tenth of its length on both sides; none if the finding has no place.
std::optional<TimeRange> view_of(const Finding& one);

/// The place that a window marks on the timeline: that of the worst finding, if it costs time and its place covers only a part of
/// the view.
std::optional<TimeRange> marked_place(std::span<const Finding> found, Ns view_length);

/// The worst first.
std::vector<Finding> findings(const RunData& data, const Trace& trace);

}  // namespace tv
