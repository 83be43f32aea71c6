#include "core/read/file_facts.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

std::string text(const std::optional<std::int64_t>& number) { return number ? std::to_string(*number) : "-"; }

}  // namespace

TEST_CASE("facts_of: file names found in the wild") {
  struct Case {
    const char* path;
    const char *rank, *worker, *step, *stem;
  };
  const Case cases[] = {
      {"/t/r21n5_1863929.1724203468009469317.pt.trace.json.gz", "-", "-", "-", "r21n5_1863929.1724203468009469317"},
      {"worker0.1623143089861.pt.trace.json", "-", "0", "-", "worker0.1623143089861"},
      {"rank-0.json.gz", "0", "-", "-", "rank-0"},
      {"rank0_trace.json.gz", "0", "-", "-", "rank0_trace"},
      {"trace_8_rank_1.json", "1", "-", "-", "trace_8_rank_1"},
      {"rank-3.Apr_03_18_51_38.1102.pt.trace.json.gz", "3", "-", "-", "rank-3.Apr_03_18_51_38.1102"},
      {"profile_trace_rank_12.json.gz", "12", "-", "-", "profile_trace_rank_12"},
      {"rank7_trace_no_pyfn.json.gz", "7", "-", "-", "rank7_trace_no_pyfn"},
      {"profile_trace/iteration_20/rank5_trace.json", "5", "-", "20", "rank5_trace"},
      {"m-rank-2.1724203468.pt.trace.json.gz", "2", "-", "-", "m-rank-2.1724203468"},
      {"graph_capture_rank_0.17.pt.trace.json.gz", "0", "-", "-", "graph_capture_rank_0.17"},
      {"bs_32_rank1.json.gz", "1", "-", "-", "bs_32_rank1"},
      {"logs/exp/step_3/worker_2.jsonl", "-", "2", "3", "worker_2"},
      {"logs/exp/step_4/worker_-1.jsonl", "-", "-1", "4", "worker_-1"},
      // Host names of Kubernetes: the hyphen is no sign.
      {"bert-worker-3_123.1700000000000.pt.trace.json", "-", "3", "-", "bert-worker-3_123.1700000000000"},
      {"worker-0.json", "-", "0", "-", "worker-0"},
      {"bert-master-0_7.1700000000000.pt.trace.json", "-", "-", "-", "bert-master-0_7.1700000000000"},
      {"/a/b.trace.json.tmp", "-", "-", "-", "b"},
      {"x.json.zst", "-", "-", "-", "x"},
      {".json", "-", "-", "-", ".json"},  // nothing would be left
      {"logs/machine1/workerlog.12", "12", "-", "-", "workerlog.12"},
      {"myworkerlog.1", "-", "-", "-", "myworkerlog.1"},
      {"profile_record_tmp_file_for_rank_7", "7", "-", "-", "profile_record_tmp_file_for_rank_7"},
      {"frank3.json", "-", "-", "-", "frank3"},  // no rank inside a word
      {"rank99999999999999999999.json", "-", "-", "-", "rank99999999999999999999"},
      {"caf\xe9-rank_6.json", "6", "-", "-", "caf\xe9-rank_6"},  // names are bytes
      {"\xff\xfeWORKER_3.jsonl", "-", "3", "-", "\xff\xfeWORKER_3"},
      {"/rank_5/trace.json", "-", "-", "-", "trace"},  // the folder says nothing about the file
  };
  for (const Case& c : cases) {
    CAPTURE(c.path);
    const FileFacts facts = facts_of(c.path);
    CHECK(text(facts.rank) == c.rank);
    CHECK(text(facts.worker) == c.worker);
    CHECK(text(facts.step) == c.step);
    CHECK(facts.stem == c.stem);
  }
}

TEST_CASE("rank_of: distributedInfo states the rank, else the path does") {
  CHECK(rank_of("rank2.json", R"({"distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8}, "traceEvents": [)") == 3);
  CHECK(rank_of("rank2.json", R"({"distributedInfo": {"parts": [{"rank": 9}], "rank": 3}, "traceEvents": [)") == 3);
  CHECK(rank_of("rank2.json", R"({"distributedInfo": {"rank":3)") == 3);
  CHECK(rank_of("rank2.json", R"({"distributedInfo": {"world_size": 8}, "rank": 3})") == 2);
  CHECK(rank_of("rank2.json", R"({"traceEvents": [)") == 2);
}

TEST_CASE("stated_rank: the object's own member counts, wherever it stands") {
  CHECK(stated_rank(R"({"rank":3,"pg_config":[{"rank":0}]})") == 3);
  CHECK(stated_rank(R"({"pg_config":[{"rank":0}], "rank" : 3})") == 3);
  CHECK(stated_rank(R"({"rank":12)") == 12);
  for (const char* none : {"", "{}", R"({"pg_config":[{"rank":0}]})", R"({"rank":"3"})", R"({"rank":-1})", R"({"rank":)"}) {
    CAPTURE(none);
    CHECK(!stated_rank(none));
  }
}

TEST_CASE("facts_of: stages of verl's profiler become roles") {
  CHECK(facts_of("outputs/profile/actor_update/prof_rank-3_x.json.gz").role == "actor_update");
  CHECK(facts_of("actor_compute_log_prob_step12_rank0-of-8_pid77_20260101.json.gz").role == "actor_compute_log_prob");
  CHECK(facts_of("agent_loop_rollout_replica_1/a.pt.trace.json.gz").role == "agent_loop_rollout_replica");
  CHECK(facts_of("trace.json").role == "");
}

TEST_CASE("facts_of: the pid is read from file names of PyTorch and verl") {
  CHECK(facts_of("9c44bd29b3f0_1375.1724066820235157909.pt.trace.json").pid == 1375);
  CHECK(facts_of("/t/r21n5_1863929.1724203468009469317.pt.trace.json.gz").pid == 1863929);
  CHECK(facts_of("actor_update_step3_rank0-of-1_pid2044_20260501090000000.json").pid == 2044);
  CHECK(!facts_of("rank-3.Apr_03_18_51_38.1102.pt.trace.json.gz").pid);
  CHECK(!facts_of("m-rank-2.1724203468.pt.trace.json.gz").pid);
}
