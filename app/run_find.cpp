// traceview find: the hits of the window's search, by names or in records.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/headless.h"
#include "app/headless_load.h"
#include "core/base/count_text.h"
#include "core/base/json_text.h"
#include "core/query/search.h"
#include "core/session/record_search.h"

namespace tv {
namespace {

std::vector<SliceId> by_name(const Trace& trace, std::string_view text) {
  std::vector<SliceId> found;
  const LabelSet labels = find_labels(trace.labels, text);
  for (std::size_t i = 0; i < trace.slices.size() && !labels.empty(); ++i) {
    if (labels.contains(trace.slices.label[i])) found.push_back(id_at<SliceId>(i));
  }
  std::ranges::sort(found, {}, [&](SliceId slice) { return std::tuple(trace.slices.begin[idx(slice)], slice); });
  return found;
}

void print_json(const Trace& trace, const std::vector<SliceId>& hits, std::size_t rows) {
  nlohmann::ordered_json out = {{"hits", hits.size()}, {"slices", nlohmann::ordered_json::array()}};
  for (const SliceId slice : std::span(hits).first(rows)) {
    const std::size_t i = idx(slice);
    const ItemRef ref = trace.slices.ref[i];
    nlohmann::ordered_json path = nlohmann::ordered_json::array();
    for (const std::string& part : trace.path_of(trace.row(trace.row_of(slice)).lane)) {
      path.push_back(nlohmann::ordered_json::parse(json_quoted(part)));
    }
    const std::string name(trace.labels.name(trace.slices.label[i])), source = trace.sources[idx(ref.source())].path;
    out["slices"].push_back({{"name", nlohmann::ordered_json::parse(json_quoted(name))},
                             {"lane", std::move(path)},
                             {"begin_ns", trace.slices.begin[i]},
                             {"dur_ns", trace.slices.duration[i]},
                             {"source", nlohmann::ordered_json::parse(json_quoted(source))},
                             {"byte", ref.offset()}});
  }
  fmt::print("{}\n", out.dump(1));
}

void print_text(const Trace& trace, const std::vector<SliceId>& hits, std::size_t rows) {
  fmt::print("{:>14} {:>12}  name, lane\n", "begin", "duration");
  for (const SliceId slice : std::span(hits).first(rows)) {
    std::string path;
    for (const std::string& part : trace.path_of(trace.row(trace.row_of(slice)).lane)) {
      path += (path.empty() ? "" : " / ") + part;
    }
    fmt::print("{:>14} {:>12}  {}   {}\n", format_exact(trace.slices.begin[idx(slice)]),
               format_duration(trace.slices.duration[idx(slice)]), trace.labels.name(trace.slices.label[idx(slice)]), path);
  }
  if (rows < hits.size()) fmt::print("... and {} more (--top N)\n", hits.size() - rows);
  fmt::print("{}\n", count_text(hits.size(), "hit"));
}

}  // namespace

int run_find(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed) return load.exit;
  const Trace& trace = *load.snapshot->trace;
  std::vector<SliceId> hits;
  int exit = load.exit;
  if (options.records) {
    RecordSearch search(load.snapshot->trace, options.text, pool, [] {});
    search.wait();
    const auto found = search.hits();
    for (const std::string& problem : found->problems) fmt::print(stderr, "traceview: {}\n", problem);
    if (found->too_many) fmt::print(stderr, "traceview: more than {} hits: the others are left out\n", RecordHits::kMost);
    if (!found->problems.empty()) exit = exit_code::kFailed;
    hits = found->slices;
  } else {
    hits = by_name(trace, options.text);
  }
  const std::size_t rows = std::min(options.top > 0 ? options.top : options.json ? hits.size() : kTextRows, hits.size());
  options.json ? print_json(trace, hits, rows) : print_text(trace, hits, rows);
  return exit;
}

}  // namespace tv
