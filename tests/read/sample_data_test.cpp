// Facts about real and constructed traces outside the repository; skipped if they are missing.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/session/load/load_job.h"
#include "core/session/records/load_args.h"
#include "tests/read/fixture_cases.h"
#include "tests/support/gen_trace.h"
#include "tests/support/skip.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Ns kLateStamp = 5 * kMillisecond;  // how late a rollout log's stamps may be

// The parent of each event of verl's rollout log, where it has exactly one.
const std::map<std::string_view, std::string_view> kParents = {
    {"turn_pre_process", "turn_end"},
    {"turn_engine_call", "turn_end"},
    {"turn_post_process", "turn_end"},
    {"turn_end", "async_rollout_request_complete"},
    {"main_loop", "async_rollout_request_complete"},
    {"pending_state_handling", "main_loop"},
    {"async_rollout_request_complete", "async_generate_duration"},
    {"async_generate_duration", "total_step_duration"},
    {"preprocessing_duration", "total_step_duration"},
    {"barrier_wait_duration", "total_step_duration"},
};

struct Event {
  std::string_view name;
  std::string lane;  // worker and step: events that share a clock and a step
  std::string request;
  Ns begin, end;
};

std::string text_of(const ArgTree& tree, std::string_view key) {
  for (const ArgNode& node : tree.nodes) {
    if (node.key == key) return node.value;
  }
  return {};
}

std::vector<Event> events_of(const Trace& trace) {
  std::vector<Event> events;
  for (const Row& row : trace.rows) {
    if (row.kind != RowKind::Slices) continue;
    const RowSlices slices = trace.slices_of(row);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const std::string_view name = trace.labels.name(slices.label(i));
      const ItemRef ref = trace.ref_of(slices.id(i));
      const SourceInfo& source = trace.sources[idx(ref.source())];
      std::string request;
      if (kParents.contains(name)) {
        const auto tree = load_args(source, ref);
        REQUIRE(tree.ok());
        request = text_of(tree.value(), "request_id");
      }
      events.push_back({name, source.path, request, slices.begin(i), slices.end(i)});
    }
  }
  return events;
}

}  // namespace

TEST_CASE("sample data: verl has 4 workers, 4 steps and 192 requests, and each part lies within its whole") {
  const std::string folder = shared_sample("verl/constructed/small");
  if (folder.empty()) return;
  const auto trace = load_snapshot({folder}, test_pool())->trace;
  CHECK(check_invariants(*trace) == "");
  CHECK(trace->lost() == 0);
  std::set<std::int64_t> workers, steps;
  for (const SourceInfo& source : trace->sources) {
    CHECK(source.state == SourceState::Ready);
    CHECK(source.format == "verl_rollout");
    workers.insert(source.worker.value_or(-99));
    steps.insert(source.step.value_or(-99));
  }
  CHECK(workers.size() == 4);
  CHECK(steps == std::set<std::int64_t>{1, 2, 3, 4});

  const std::vector<Event> events = events_of(*trace);
  std::set<std::string> requests;
  std::size_t checked = 0;
  for (const Event& child : events) {
    if (child.name == "async_rollout_request_complete") requests.insert(child.request);
    const auto parent_name = kParents.find(child.name);
    if (parent_name == kParents.end()) continue;
    bool inside = false;
    for (const Event& parent : events) {
      // A worker's phase holds the parts of all requests, a request's event only its own.
      if (parent.name != parent_name->second || parent.lane != child.lane) continue;
      if (!parent.request.empty() && parent.request != child.request) continue;
      inside |= parent.begin - kLateStamp <= child.begin && child.end <= parent.end + kLateStamp;
    }
    CAPTURE(child.name);
    CAPTURE(child.lane);
    CAPTURE(child.begin);
    CHECK(inside);
    ++checked;
  }
  CHECK(requests.size() == 192);
  CHECK(checked > 1000);
}

TEST_CASE("sample data: the first all-reduce of two tensor-parallel ranks ends at the same time") {
  const std::string folder = shared_sample("pytorch/megatron_tp2");
  if (folder.empty()) return;
  const auto trace = load_snapshot({folder}, test_pool())->trace;
  CHECK(check_invariants(*trace) == "");
  std::map<std::int64_t, std::pair<Ns, Ns>> first;  // per rank: begin and end
  for (const Row& row : trace->rows) {
    if (row.kind != RowKind::Slices) continue;
    const RowSlices slices = trace->slices_of(row);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const std::string_view name = trace->labels.name(slices.label(i));
      if (trace->labels.category(slices.label(i)) != "kernel" || name.find("nccl") == std::string_view::npos ||
          name.find("AllReduce") == std::string_view::npos) {
        continue;
      }
      const SourceInfo& source = trace->sources[idx(trace->ref_of(slices.id(i)).source())];
      REQUIRE(source.rank.has_value());
      const auto [at, fresh] = first.try_emplace(*source.rank, slices.begin(i), slices.end(i));
      if (!fresh && slices.begin(i) < at->second.first) at->second = {slices.begin(i), slices.end(i)};
    }
  }
  REQUIRE(first.contains(0));
  REQUIRE(first.contains(1));
  CHECK(std::abs(first[0].second - first[1].second) < 10 * kMicrosecond);
  // Rank 1 came early and waited, which is visible only on a common clock.
  CHECK(first[1].first < first[0].first);
}
