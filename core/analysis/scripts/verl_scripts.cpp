#include "core/analysis/scripts/verl_scripts.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "core/analysis/requests/request_breakdown.h"
#include "core/analysis/requests/request_cdf.h"
#include "core/analysis/rollout/worker_phases.h"
#include "core/analysis/scripts/event_share.h"
#include "core/analysis/scripts/script_files.h"
#include "core/analysis/scripts/script_json.h"
#include "core/analysis/scripts/script_overview.h"
#include "core/analysis/scripts/turn_cost.h"
#include "core/analysis/scripts/turn_distribution.h"
#include "core/analysis/statistics/summary.h"

namespace tv {
namespace {

using ScriptFiles = std::vector<ScriptFile>;

std::vector<double> seconds_of(const RolloutLog& log, const std::vector<std::uint32_t>& requests) {
  std::vector<double> out;
  for (const std::uint32_t r : requests) out.push_back(log.requests[r].seconds);
  return out;
}

/// {"n", "mean", ..., "p50", ..., "first3"}.
void write_step_cdf(ScriptJson& json, std::string_view key, const std::vector<double>& seconds) {
  constexpr std::array<std::string_view, kCdfQuantiles.size()> kNames = {"p50", "p80", "p90", "p95", "p99", "p99.9"};
  const std::vector<double> sorted = sorted_measured(seconds);
  const Summary summary = summarize_sorted(sorted, kCdfQuantiles);
  json.begin_object(key).value("n", summary.n).value("mean", summary.mean).value("median", summary.median);
  json.value("std", summary.std).value("min", summary.min).value("max", summary.max);
  for (std::size_t q = 0; q < kNames.size(); ++q) json.value(kNames[q], summary.quantiles[q]);
  json.begin_array("first3");
  for (std::size_t i = 0; i < std::min<std::size_t>(3, sorted.size()); ++i) {
    json.begin_array().value({}, sorted[i]);
    json.value({}, static_cast<double>(i + 1) / static_cast<double>(sorted.size())).end_array();
  }
  json.end_array().end_object();
}

/// A step without requests is left out: the script says "No data found".
void write_cdf_per_step(ScriptJson& json, const RolloutLog& log, const ScriptFiles& files) {
  json.begin_object("cdf_per_step");
  std::vector<double> all;
  for (std::size_t f = 0; f < files.size();) {
    const std::int32_t step = files[f].step;
    std::vector<double> seconds;
    for (; f < files.size() && files[f].step == step; ++f) {
      const std::vector<double> more = seconds_of(log, files[f].requests);
      seconds.insert(seconds.end(), more.begin(), more.end());
    }
    if (seconds.empty()) continue;
    write_step_cdf(json, std::to_string(step), seconds);
    all.insert(all.end(), seconds.begin(), seconds.end());
  }
  if (!all.empty()) write_step_cdf(json, "all", all);
  json.end_object();
}

void write_overview(ScriptJson& json, const Rollout& rollout) {
  const ScriptOverview overview = script_overview(rollout);
  json.begin_object("overview_duration").begin_array("steps");
  for (const std::int32_t step : overview.steps) json.value({}, step);
  json.end_array().begin_array("max_total");
  for (const double seconds : overview.rollouts) json.value({}, seconds);
  json.end_array().begin_array("start_times");
  for (const std::int64_t start : overview.starts) json.text({}, python_isoformat(start));
  json.end_array().begin_array("intervals");
  for (const double seconds : overview.intervals) json.value({}, seconds);
  json.end_array();
  json.value("mean_duration", overview.rollout.mean).value("std_duration", overview.rollout.std);
  json.value("mean_interval", overview.interval.mean).value("std_interval", overview.interval.std);
  json.value("gap", overview.gap).value("ratio", overview.ratio).end_object();
}

void write_workers(ScriptJson& json, const RolloutLog& log, const ScriptFiles& files) {
  json.begin_object("per_step_all_workers");
  for (const ScriptFile& file : files) {
    json.begin_object(file.path());
    for (const EventSeconds& event : event_seconds(log, file.phases)) json.value(event.event, event.last);
    json.end_object();
  }
  json.end_object();
}

/// Python's sum() of no values is the integer 0. A sum of zeros, which Python writes as 0.0, is written as 0 too, because a request
/// does not hold how many lines it had.
void write_sum(ScriptJson& json, std::string_view key, double seconds) {
  if (seconds == 0) {
    json.value(key, 0);
  } else {
    json.value(key, seconds);
  }
}

/// A count that is not logged is None.
void write_count(ScriptJson& json, std::int64_t n) {
  if (n < 0) {
    json.null();
  } else {
    json.value({}, n);
  }
}

void write_requests(ScriptJson& json, const RolloutLog& log, const ScriptFiles& files) {
  constexpr std::array kQuantiles = {0.50, 0.90, 0.95, 0.99};
  json.begin_object("req_analysis_and_cdf");
  for (const ScriptFile& file : files) {
    const Summary summary = summarize(seconds_of(log, file.requests), kQuantiles);
    json.begin_object(file.path()).value("n_requests", file.requests.size());
    json.begin_object("cdf").value("n", summary.n).value("min", summary.min).value("max", summary.max);
    json.value("mean", summary.mean).value("median", summary.median).value("std", summary.std);
    json.value("p50", summary.quantiles[0]).value("p90", summary.quantiles[1]);
    json.value("p95", summary.quantiles[2]).value("p99", summary.quantiles[3]).end_object();

    const std::vector<std::uint32_t> sorted = longest_first(log, file.requests);
    const std::vector<std::size_t> ranks = script_ranks(sorted.size());
    json.begin_array("selected");
    for (const std::size_t rank : ranks) {
      const RolloutRequest& request = log.requests[sorted[rank]];
      json.begin_array().text({}, request.id).value({}, request.seconds);
      write_count(json, request.turns);
      write_count(json, request.response_length);
      write_count(json, request.batch_id);
      json.end_array();
    }
    json.end_array().begin_object("phases_of_first_selected");
    if (!ranks.empty()) {
      const RolloutRequest& first = log.requests[sorted[ranks.front()]];
      for (const auto& [phase, seconds] : script_phases(first, false)) write_sum(json, phase, seconds);
    }
    json.end_object().end_object();
  }
  json.end_object();
}

void write_turn_difference(ScriptJson& json, const RolloutLog& log) {
  json.begin_object("turn_difference");
  for (const TurnCost& cost : script_turn_costs(log)) {
    json.begin_object(std::to_string(cost.turn));
    json.value("pre_process_duration", cost.pre_process).value("engine_call_duration", cost.engine_call);
    json.value("post_process_duration", cost.post_process).value("tool_parsing_duration", cost.tool_parsing);
    json.value("n", cost.n).end_object();
  }
  json.end_object();
}

void write_turn_distribution(ScriptJson& json, const RolloutLog& log, const ScriptFiles& files) {
  const TurnDistribution turns = script_turn_distribution(log, files);
  json.begin_object("turn_distribution").begin_array("steps");
  for (const std::int32_t step : steps_of(files)) json.text({}, fmt::format("step_{}", step));
  json.end_array().begin_object("counts");
  for (std::size_t t = 0; t < turns.turns.size(); ++t) {
    json.begin_array(std::to_string(turns.turns[t]));
    for (const std::size_t n : turns.count[t]) json.value({}, n);
    json.end_array();
  }
  json.end_object().begin_object("avg");
  for (std::size_t t = 0; t < turns.turns.size(); ++t) {
    json.begin_array(std::to_string(turns.turns[t]));
    for (const double seconds : turns.mean_seconds[t]) json.value({}, seconds);
    json.end_array();
  }
  json.end_object().end_object();
}

void write_event_shares(ScriptJson& json, const RolloutLog& log, const ScriptFiles& files) {
  json.begin_object("event_persentage_step");
  for (const ScriptShares& step : script_shares(log, files)) {
    json.begin_object(std::to_string(step.step));
    for (const auto& [event, seconds] : step.mean_seconds) json.value(event, seconds);
    for (const auto& [event, percent] : step.percent) json.value(fmt::format("{}_pct", event), percent);
    json.end_object();
  }
  json.end_object();
}

/// Two files with the same name in different folders have the same JSON key: only the first is written.
ScriptFiles first_of_each_path(const ScriptFiles& files) {
  ScriptFiles out;
  std::set<std::string> seen;
  for (const ScriptFile& file : files) {
    if (seen.insert(file.path()).second) out.push_back(file);
  }
  return out;
}

}  // namespace

std::string verl_scripts_json(const Rollout& rollout) {
  const RolloutLog& log = rollout.log();
  const ScriptFiles files = script_files(log), by_path = first_of_each_path(files);
  ScriptJson json;
  json.begin_object();
  write_cdf_per_step(json, log, files);
  write_overview(json, rollout);
  write_workers(json, log, by_path);
  write_requests(json, log, by_path);
  write_turn_difference(json, log);
  write_turn_distribution(json, log, files);
  write_event_shares(json, log, files);
  json.end_object();
  return json.result();
}

}  // namespace tv
