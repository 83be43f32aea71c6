#include "core/store/trace/trace_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

#include "core/base/text/json_text.h"
#include "core/base/text/path_parts.h"

namespace tv {
namespace {

std::string lane_json(const Trace& trace, LaneId lane) {
  std::string out = "[";
  for (const std::string& name : trace.path_of(lane)) {
    if (out.size() > 1) out += ',';
    out += json_quoted(name);
  }
  return out + "]";
}

std::string slice_json(const Trace& trace, const std::string& lane, std::size_t row, SliceId slice) {
  const Ns begin = trace.begin_of(slice) + trace.origin_ns;
  const ItemRef ref = trace.ref_of(slice);
  const std::string name = json_quoted(trace.name_of(slice));
  const std::string category = json_quoted(trace.labels.category(trace.label_of(slice)));
  if (ref.is(kInstant)) {
    return fmt::format(R"({{"lane":{},"instant":{},"cat":{},"t_ns":{}}})", lane, name, category, begin);
  }
  std::string flags;
  if (ref.is(kUnfinished)) flags += R"(,"unfinished":true)";
  if (ref.is(kClamped)) flags += R"(,"clamped":true)";
  return fmt::format(R"({{"lane":{},"row":{},"name":{},"cat":{},"begin_ns":{},"dur_ns":{},"self_ns":{}{}}})", lane, row,
                     name, category, begin, trace.duration_of(slice), trace.self_of(slice), flags);
}

std::vector<LinePlace> places_on(const Trace& trace, const Lane& lane) {
  std::vector<LinePlace> places;
  std::ranges::transform(trace.rows_of(lane), std::back_inserter(places), &Row::place);
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

// A view's flows are ordered by segment; ordered by rows they do not depend on the segments.
std::vector<Flow> flows_by_row(const Trace& trace) {
  std::vector<Flow> flows(trace.flows.begin(), trace.flows.end());
  if (trace.parts.empty()) return flows;
  const auto place = [&](const Flow& flow) {
    return std::tuple(trace.row_of(flow.from), flow.from, trace.row_of(flow.to), flow.to);
  };
  std::ranges::sort(flows, {}, place);
  return flows;
}

}  // namespace

void dump_trace(const Trace& trace, const std::function<void(std::string_view line)>& write) {
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    const std::string path = lane_json(trace, id_at<LaneId>(l));
    const std::vector<LinePlace> places = places_on(trace, lane);
    for (const Row& row : trace.rows_of(lane)) {
      const auto number = static_cast<std::size_t>(std::ranges::lower_bound(places, row.place()) - places.begin());
      for (const SliceId slice : trace.ids_of(row)) write(slice_json(trace, path, number, slice) + "\n");
    }
    if (lane.counter == UINT32_MAX) continue;
    const CounterSeries& series = trace.counters[lane.counter];
    for (std::size_t i = 0; i < series.time.size(); ++i) {
      write(fmt::format(R"({{"lane":{},"series":{},"t_ns":{},"value":{}}})", path, json_quoted(lane.name),
                        series.time[i] + trace.origin_ns, series.value[i]) +
            "\n");
    }
  }
  for (const Flow& flow : flows_by_row(trace)) {
    const auto name = [&](SliceId id) { return json_quoted(trace.name_of(id)); };
    const auto begin = [&](SliceId id) { return trace.begin_of(id) + trace.origin_ns; };
    write(fmt::format(R"({{"flow":[{},{}],"from_ns":{},"to_ns":{}}})", name(flow.from), name(flow.to), begin(flow.from),
                      begin(flow.to)) +
          "\n");
  }
  for (const SourceInfo& source : trace.sources) {
    for (const ProblemCount& problem : source.problems.entries()) {
      write(fmt::format(R"({{"problem":"{}","count":{},"source":{}}})", info(problem.kind).id, problem.count,
                        json_quoted(last_part(source.path))) +
            "\n");
    }
  }
}

}  // namespace tv
