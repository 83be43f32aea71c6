// traceview find: the hits of the window's search, by names or in records.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/terminal/json_value.h"
#include "app/terminal/say.h"
#include "app/verbs/headless.h"
#include "app/verbs/headless_load.h"
#include "core/base/text/count_text.h"
#include "core/query/lane_filter.h"
#include "core/query/search/search_hits.h"
#include "core/session/records/record_search.h"

namespace tv {
namespace {

// The lanes to search; empty: all.
Result<std::vector<LaneId>> lanes_to_search(const Trace& trace, const std::string& words) {
  std::vector<LaneId> lanes;
  if (words.empty()) return lanes;
  const auto chosen = chosen_lanes(trace, words);
  if (!chosen) return chosen.error();
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (chosen.value().lanes[l]) lanes.push_back(id_at<LaneId>(l));
  }
  if (lanes.empty()) return Error{"--lanes: no lane matches " + words, {}, {}, {}};
  return lanes;
}

nlohmann::ordered_json path_json(const Trace& trace, LaneId lane) {
  nlohmann::ordered_json path = nlohmann::ordered_json::array();
  for (const std::string& part : trace.path_of(lane)) path.push_back(json_value(part));
  return path;
}

void print_json(const Trace& trace, const std::vector<SliceId>& hits, const std::vector<LaneId>& lanes, std::size_t rows) {
  nlohmann::ordered_json out = {{"hits", hits.size()}, {"slices", nlohmann::ordered_json::array()}};
  for (const LaneId lane : lanes) out["lanes"].push_back(path_json(trace, lane));
  for (const SliceId slice : std::span(hits).first(rows)) {
    const ItemRef ref = trace.ref_of(slice);
    const std::string name(trace.name_of(slice)), source = trace.sources[idx(ref.source())].path;
    out["slices"].push_back({{"name", json_value(name)},
                             {"lane", path_json(trace, trace.row(trace.row_of(slice)).lane)},
                             {"begin_ns", trace.begin_of(slice)},
                             {"dur_ns", trace.duration_of(slice)},
                             {"source", json_value(source)},
                             {"byte", ref.offset()}});
  }
  say("{}\n", out.dump(1));
}

void print_text(const Trace& trace, const std::vector<SliceId>& hits, const std::vector<LaneId>& lanes, std::size_t rows) {
  say("{:>14} {:>12}  name, lane\n", "begin", "duration");
  for (const SliceId slice : std::span(hits).first(rows)) {
    std::string path;
    for (const std::string& part : trace.path_of(trace.row(trace.row_of(slice)).lane)) {
      path += (path.empty() ? "" : " / ") + part;
    }
    say("{:>14} {:>12}  {}   {}\n", format_exact(trace.begin_of(slice)),
        format_duration(trace.duration_of(slice)), trace.name_of(slice), path);
  }
  if (rows < hits.size()) say("... and {} more (--top N)\n", hits.size() - rows);
  say("{}{}\n", count_text(hits.size(), "hit"),
      lanes.empty() ? std::string() : "; also: " + count_text(lanes.size(), "lane"));
}

}  // namespace

int run_find(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed) return load.exit;
  const Trace& trace = *load.snapshot->trace;
  const auto lanes = lanes_to_search(trace, options.lane_filter);
  const auto pattern = NamePattern::of({options.text, options.match_case, options.regex});
  for (const Error* wrong : {lanes ? nullptr : &lanes.error(), pattern ? nullptr : &pattern.error()}) {
    if (!wrong) continue;
    say(stderr, "traceview: {}\n", wrong->text());
    return exit_code::kUsage;
  }
  const HitArea area{{trace.extent.begin, trace.extent.end + 1}, lanes.value()};
  const HitArea* const within = lanes.value().empty() ? nullptr : &area;
  SearchHits hits;
  std::vector<LaneId> matching_lanes;
  int exit = load.exit;
  if (options.records) {
    RecordSearch search(load.snapshot->trace, options.text, pool, [] {});
    search.wait();
    const auto found = search.hits();
    for (const std::string& problem : found->problems) say(stderr, "traceview: {}\n", problem);
    if (found->too_many) say(stderr, "traceview: more than {} hits: the others are left out\n", RecordHits::kMost);
    if (!found->problems.empty()) exit = exit_code::kFailed;
    hits = SearchHits(trace, found->slices, within);
  } else {
    hits = SearchHits(trace, find_labels(trace.labels, pattern.value(), pool), within, pool);
    matching_lanes = find_lanes(trace, pattern.value());
  }
  const std::vector<SliceId> list = hits_in_order(trace, hits, SIZE_MAX);
  const std::size_t rows = std::min(options.top > 0 ? options.top : options.json ? list.size() : kTextRows, list.size());
  options.json ? print_json(trace, list, matching_lanes, rows) : print_text(trace, list, matching_lanes, rows);
  return exit;
}

}  // namespace tv
