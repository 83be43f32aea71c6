#include "app/verbs/lane_gap_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/terminal/json_value.h"
#include "app/terminal/say.h"
#include "core/base/text/count_text.h"
#include "core/query/lane_filter.h"
#include "core/query/lane_gaps.h"

namespace tv {
namespace {

using GapJson = nlohmann::ordered_json;

}  // namespace

int print_lane_gaps(const Options& options, const Trace& trace, const std::optional<Scope>& scope, ThreadPool& pool) {
  const auto chosen = chosen_lanes(trace, options.lane_filter);
  if (!chosen) {
    say(stderr, "traceview: --lanes: {}\n", chosen.error().text());
    return exit_code::kUsage;
  }
  std::vector<LaneId> lanes;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (chosen.value().lanes[l] && trace.lanes[l].slices > 0) lanes.push_back(id_at<LaneId>(l));
  }
  if (lanes.empty()) {
    say(stderr, "traceview: --lanes: no lane with slices has \"{}\"\n", options.lane_filter);
    return exit_code::kNotRecognised;
  }
  std::vector<Gap> gaps = gaps_of_lanes(trace, lanes, SIZE_MAX, pool);
  if (scope) {
    std::erase_if(
        gaps, [&](const Gap& gap) { return gap.time.end <= scope->range.begin || gap.time.begin >= scope->range.end; });
  }
  const std::size_t rows = std::min(gaps.size(), options.top > 0 ? options.top
                                                 : options.json  ? gaps.size()
                                                                 : kTextRows);
  if (options.json) {
    GapJson out = GapJson::array();
    for (std::size_t g = 0; g < rows; ++g) {
      const Gap& gap = gaps[g];
      out.push_back({{"lane", json_value(joined_path(trace, gap.lane))},
                     {"begin_ns", gap.time.begin},
                     {"length_ns", gap.time.length()},
                     {"before", json_value(trace.name_of(gap.before))},
                     {"after", json_value(trace.name_of(gap.after))}});
    }
    say("{}\n", out.dump(1));
    return exit_code::kOk;
  }
  Ns total = 0;
  for (const Gap& gap : gaps) total += gap.time.length();
  say("{} of {}, {} in all\n{:>12} {:>14}  lane, what ended before, what begins after\n",
      count_text(gaps.size(), "gap"), count_text(lanes.size(), "lane"), format_duration(total), "length", "begin");
  for (std::size_t g = 0; g < rows; ++g) {
    const Gap& gap = gaps[g];
    say("{:>12} {:>14}  {}: {} | {}\n", format_duration(gap.time.length()), format_exact(gap.time.begin),
        joined_path(trace, gap.lane), trace.name_of(gap.before), trace.name_of(gap.after));
  }
  if (rows < gaps.size()) say("... and {} more (--top N)\n", format_count(gaps.size() - rows));
  return exit_code::kOk;
}

}  // namespace tv
