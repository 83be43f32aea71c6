// traceview stats: the table of an area selection, for the whole trace or a range of it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/headless.h"
#include "app/headless_load.h"
#include "core/base/json_text.h"
#include "core/query/range_stats.h"

namespace tv {
namespace {

using Json = nlohmann::ordered_json;

void print_json(const Trace& trace, const RangeStats& stats, std::size_t rows) {
  Json out = Json::array();
  for (std::size_t i = 0; i < rows; ++i) {
    const LabelStats& s = stats.labels[i];
    out.push_back({{"name", Json::parse(json_quoted(counted_name(trace.labels, s.label)))},
                   {"category", Json::parse(json_quoted(trace.labels.category(s.label)))},
                   {"count", s.count},
                   {"total_ns", s.total},
                   {"self_ns", s.self},
                   {"min_ns", s.min},
                   {"mean_ns", s.mean},
                   {"p50_ns", s.p50},
                   {"p90_ns", s.p90},
                   {"p95_ns", s.p95},
                   {"p99_ns", s.p99},
                   {"max_ns", s.max}});
  }
  fmt::print("{}\n", out.dump(1));
}

void print_text(const Trace& trace, const RangeStats& stats, std::size_t rows) {
  const auto time = [](double ns) { return format_duration(static_cast<Ns>(ns)); };
  fmt::print("{:>9} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}  name\n", "count", "total", "self", "mean", "p50",
             "p95", "p99", "max");
  for (std::size_t i = 0; i < rows; ++i) {
    const LabelStats& s = stats.labels[i];
    fmt::print("{:>9} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}  {}\n", s.count, format_duration(s.total),
               format_duration(s.self), time(s.mean), time(s.p50), time(s.p95), time(s.p99), format_duration(s.max),
               counted_name(trace.labels, s.label));
  }
  if (rows < stats.labels.size()) fmt::print("... and {} more names (--top N)\n", stats.labels.size() - rows);
}

}  // namespace

int run_stats(const Options& options) {
  ThreadPool pool(options.threads);
  const HeadlessLoad load = load_headless(options, pool);
  if (load.exit == exit_code::kFailed) return load.exit;
  const Trace& trace = *load.snapshot->trace;
  const RangeStats stats = range_stats(trace, {range_within(options, trace), {}}, pool);
  const std::size_t asked = options.top > 0 ? options.top : options.json ? stats.labels.size() : kTextRows;
  const std::size_t rows = std::min(asked, stats.labels.size());
  if (options.json) {
    print_json(trace, stats, rows);
  } else {
    print_text(trace, stats, rows);
  }
  return load.exit;
}

}  // namespace tv
