// verl_scripts_json against a plain second implementation of the scripts, on generated logs.
#include "core/analysis/scripts/verl_scripts.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/analysis/scripts/script_json.h"
#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/rollout_sketch.h"

using namespace tv;
using namespace tv::test;
using Json = nlohmann::json;

namespace {

Json mean_of(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return v.empty() ? Json() : Json(sum / static_cast<double>(v.size()));
}

Json std_of(const std::vector<double>& v) {
  if (v.empty()) return {};
  const double mean = mean_of(v);
  double squares = 0;
  for (const double x : v) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / static_cast<double>(v.size()));
}

double percentile_of(std::vector<double> v, double p) {
  std::ranges::sort(v);
  const double h = static_cast<double>(v.size() - 1) * p / 100;
  const auto low = static_cast<std::size_t>(h);
  return low + 1 < v.size() ? v[low] + (h - std::floor(h)) * (v[low + 1] - v[low]) : v.back();
}

Json step_cdf(std::vector<double> v) {
  std::ranges::sort(v);
  Json out = {{"n", v.size()}, {"mean", mean_of(v)}, {"median", percentile_of(v, 50)}, {"std", std_of(v)},
              {"min", v.front()}, {"max", v.back()}};
  for (const char* p : {"50", "80", "90", "95", "99", "99.9"}) {
    out[std::string("p") + p] = percentile_of(v, std::stod(p));
  }
  out["first3"] = Json::array();
  for (std::size_t i = 0; i < 3 && i < v.size(); ++i) {
    out["first3"].push_back({v[i], static_cast<double>(i + 1) / static_cast<double>(v.size())});
  }
  return out;
}

struct File {
  std::vector<const RolloutRequest*> requests;
  std::vector<const RolloutPhase*> phases;
};

/// The output of all seven scripts, for a log with one file per step and worker and only steps 1 to 80.
Json expected(const RolloutLog& log) {
  std::map<int, std::map<int, File>> steps;
  for (const RolloutFile& file : log.files) steps[file.step][file.worker];
  for (const RolloutRequest& request : log.requests) {
    if (request.complete) {
      steps[log.files[request.file].step][log.files[request.file].worker].requests.push_back(&request);
    }
  }
  for (const RolloutPhase& phase : log.phases) {
    steps[log.files[phase.file].step][log.files[phase.file].worker].phases.push_back(&phase);
  }
  Json out;
  std::vector<double> all, rollouts;
  std::map<int, std::map<std::string, std::vector<double>>> turns;   // turn, part
  std::map<int, std::map<int, std::vector<double>>> by_turns;        // turns, step
  for (const auto& [step, workers] : steps) {
    std::vector<double> durations;
    std::map<std::string, std::vector<double>> events;
    double longest = 0;
    for (const auto& [worker, file] : workers) {
      const std::string path = fmt::format("step_{}/worker_{}.jsonl", step, worker);
      std::vector<double> own;
      for (const RolloutRequest* request : file.requests) {
        own.push_back(request->seconds);
        by_turns[request->turns][step].push_back(request->seconds);
        for (std::uint32_t t = 0; t < request->turn_count; ++t) {
          const RolloutTurn& turn = log.turns[request->first_turn + t];
          turns[turn.turn]["pre_process_duration"].push_back(turn.pre_process);
          turns[turn.turn]["engine_call_duration"].push_back(turn.engine_call);
          turns[turn.turn]["post_process_duration"].push_back(turn.post_process);
          turns[turn.turn]["tool_parsing_duration"].push_back(turn.tool_parsing);
        }
      }
      durations.insert(durations.end(), own.begin(), own.end());
      Json& last = out["per_step_all_workers"][path] = Json::object();
      for (const RolloutPhase* phase : file.phases) {
        const std::string event(log.text(phase->event));
        last[event] = phase->seconds;
        events[event].push_back(phase->seconds);
      }
      longest = std::max(longest, last.value("total_step_duration", 0.0));

      Json& analysis = out["req_analysis_and_cdf"][path];
      analysis["n_requests"] = own.size();
      analysis["cdf"] = {{"n", own.size()}, {"mean", mean_of(own)}, {"std", std_of(own)}};
      analysis["cdf"]["min"] = *std::ranges::min_element(own);
      analysis["cdf"]["max"] = *std::ranges::max_element(own);
      analysis["cdf"]["median"] = percentile_of(own, 50);
      for (const char* p : {"50", "90", "95", "99"}) {
        analysis["cdf"][std::string("p") + p] = percentile_of(own, std::stod(p));
      }
      std::vector<const RolloutRequest*> sorted = file.requests;
      std::ranges::stable_sort(sorted, [](const auto* a, const auto* b) { return a->seconds > b->seconds; });
      std::vector<const RolloutRequest*> chosen;
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        if ((i >= 50 && i < 60) || (i >= 90 && i < 95) || (i >= 120 && i < 125)) chosen.push_back(sorted[i]);
      }
      if (sorted.size() > 1) chosen.push_back(sorted[sorted.size() - 2]);
      chosen.push_back(sorted.back());
      analysis["selected"] = Json::array();
      for (const RolloutRequest* r : chosen) {
        analysis["selected"].push_back({r->id, r->seconds, r->turns, r->response_length, r->batch_id});
      }
      Json& phases = analysis["phases_of_first_selected"];
      for (const char* none : {"request_start", "pending_state_handling", "tool_calling_state", "tool_execution",
                               "tool_response_processing", "tool_parsing", "running_state", "engine_call",
                               "interacting_state", "interaction_response", "reward_calculation", "finalization"}) {
        phases[none] = 0;  // gen_rollout writes only main_loop and turn_engine_call
      }
      phases["main_loop"] = chosen.front()->seconds_of[static_cast<std::size_t>(RolloutEvent::main_loop)];
      phases["async_rollout_request_complete"] = chosen.front()->seconds;
    }
    all.insert(all.end(), durations.begin(), durations.end());
    out["cdf_per_step"][std::to_string(step)] = step_cdf(durations);
    rollouts.push_back(longest);
    out["overview_duration"]["steps"].push_back(step);
    out["turn_distribution"]["steps"].push_back(fmt::format("step_{}", step));
    Json& share = out["event_persentage_step"][std::to_string(step)];
    const double total = mean_of(events.at("total_step_duration"));
    share["total_step_duration"] = total;
    for (const char* event : {"async_generate_duration", "preprocessing_duration", "barrier_wait_duration"}) {
      share[event] = mean_of(events.at(event));
      share[std::string(event) + "_pct"] = share[event].get<double>() / total * 100;
    }
  }
  out["cdf_per_step"]["all"] = step_cdf(all);
  out["overview_duration"]["max_total"] = rollouts;
  out["overview_duration"]["mean_duration"] = mean_of(rollouts);
  out["overview_duration"]["std_duration"] = std_of(rollouts);
  for (const auto& [turn, parts] : turns) {
    Json& of = out["turn_difference"][std::to_string(turn)];
    for (const auto& [part, seconds] : parts) {
      of[part] = mean_of(seconds);
      of["n"] = seconds.size();
    }
  }
  for (const auto& [count, of_steps] : by_turns) {
    for (const auto& [step, workers] : steps) {
      const auto cell = of_steps.find(step);
      const bool none = cell == of_steps.end();
      out["turn_distribution"]["counts"][std::to_string(count)].push_back(none ? 0 : cell->second.size());
      out["turn_distribution"]["avg"][std::to_string(count)].push_back(none ? Json() : mean_of(cell->second));
    }
  }
  return out;
}

/// The first difference. Empty: numbers agree within 1e-9, integers stay integers, and all else is equal.
std::string difference(const Json& a, const Json& b, const std::string& path = {}) {
  if (a.is_number() && b.is_number()) {
    const double x = a, y = b;
    if (a.is_number_integer() != b.is_number_integer() && x != 0) return path + ": an integer and a float";
    return std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y)) ? "" : fmt::format("{}: {} and {}", path, x, y);
  }
  if (a.type() != b.type() || a.size() != b.size()) return path + ": " + a.dump() + " and " + b.dump();
  if (a.is_object()) {
    for (const auto& [key, value] : a.items()) {
      if (!b.contains(key)) return path + "/" + key + " is not in the other";
      if (std::string found = difference(value, b[key], path + "/" + key); !found.empty()) return found;
    }
    return {};
  }
  if (!a.is_array()) return a == b ? std::string() : path + ": " + a.dump() + " and " + b.dump();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::string found = difference(a[i], b[i], fmt::format("{}/{}", path, i)); !found.empty()) return found;
  }
  return {};
}

}  // namespace

TEST_CASE("verl_scripts: output matches the scripts' definitions on generated logs") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    RolloutShape shape;
    shape.steps = static_cast<int>(1 + seed % 5);
    shape.workers = static_cast<int>(1 + seed % 4);
    shape.requests = seed % 7 == 0 ? 130 : static_cast<int>(1 + seed % 15);
    const auto rollout = gen_rollout(seed, shape);
    Json own = Json::parse(verl_scripts_json(*rollout));
    // Starts are compared by hand below and in script_overview's tests.
    Json& overview = own["overview_duration"];
    CHECK(overview["start_times"].size() == rollout->steps.size());
    CHECK(overview["intervals"].size() + 1 == rollout->steps.size());
    for (const char* key : {"start_times", "intervals", "mean_interval", "std_interval", "gap", "ratio"}) {
      CHECK(overview.erase(key) == 1);
    }
    CHECK(difference(own, expected(rollout->log())) == "");
  }
}

TEST_CASE("verl_scripts: starts and intervals match a worked example") {
  RolloutSketch s;
  s.origin(1'752'404'652'000'000'000);  // 2025-07-13T11:04:12
  s.file(1, 0).first_line(2 * kSecond, 2).phase("total_step_duration", 10);
  s.file(2, 0).first_line(46 * kSecond + 500'000'000, 1).phase("total_step_duration", 20);
  const Json overview = Json::parse(verl_scripts_json(*s.build()))["overview_duration"];
  CHECK(overview["start_times"] == Json({"2025-07-13T11:04:12", "2025-07-13T11:04:57.500000"}));
  CHECK(overview["intervals"] == Json({45.5}));
  CHECK(overview["gap"] == 30.5);
  CHECK(overview["ratio"] == doctest::Approx(45.5 / 15));
  CHECK(overview["std_interval"] == 0.0);
}

TEST_CASE("verl_scripts: missing requests and values give empty or null entries") {
  const Json none = Json::parse(verl_scripts_json(*RolloutSketch().build()));
  CHECK(none.size() == 7);
  CHECK(none["cdf_per_step"].empty());
  CHECK(none["overview_duration"]["ratio"].is_null());

  RolloutSketch s;
  s.file(1, 0).phase("x_duration", 2).request(3, -1).in_flight();
  s.file(1, 1);
  s.file(81, -1).request(4, 2).turn(0, 1, 1, 1);
  const Json some = Json::parse(verl_scripts_json(*s.build()));
  const Json& first = some["req_analysis_and_cdf"]["step_1/worker_0.jsonl"];
  CHECK(first["n_requests"] == 1);
  CHECK(first["selected"] == Json::array({{"request 0", 3.0, nullptr, nullptr, nullptr}}));
  CHECK(some["req_analysis_and_cdf"]["step_1/worker_1.jsonl"]["cdf"]["mean"].is_null());
  CHECK(some["per_step_all_workers"]["step_1/worker_0.jsonl"] == Json({{"x_duration", 2.0}}));
  CHECK(some["per_step_all_workers"].contains("step_81/worker_-1.jsonl"));
  CHECK(some["turn_difference"].empty());  // the script stops at step 80
  CHECK(some["turn_distribution"]["counts"] == Json({{"2", {0, 1}}}));
  CHECK(some["turn_distribution"]["avg"] == Json({{"2", {nullptr, 4.0}}}));
  CHECK(some["event_persentage_step"]["1"].empty());
}

TEST_CASE("verl_scripts: numbers are written as in Python") {
  CHECK(python_number(0.1) == "0.1");
  CHECK(python_number(5) == "5.0");
  CHECK(python_number(-0.0) == "-0.0");
  CHECK(python_number(1e-7) == "1e-07");
  CHECK(python_number(1e22) == "1e+22");
  CHECK(python_number(10.334314107894897) == "10.334314107894897");
  CHECK(python_number(std::nan("")) == "null");
}
