#include "core/read/registry.h"

#include <doctest/doctest.h>

#include <set>

using namespace tv;

namespace {

std::string chosen(std::string_view path, std::string_view head) {
  const Reader* reader = choose_reader({path, head});
  return reader ? std::string(reader->id) : "-";
}

}  // namespace

TEST_CASE("registry: every reader has a unique id and a title") {
  std::set<std::string_view> ids;
  for (const Reader* reader : all_readers()) {
    CHECK(ids.insert(reader->id).second);
    CHECK(!reader->title.empty());
    CHECK(find_reader(reader->id) == reader);
  }
  CHECK(find_reader("nothing") == nullptr);
}

TEST_CASE("registry: the reader is chosen by contents, and by name only if they do not tell") {
  struct Case {
    const char *path, *head, *reader;
  };
  const Case cases[] = {
      {"a.txt", R"({"traceEvents": [)", "chrome_json"},
      {"a.txt", "\xEF\xBB\xBF \n[{\"ph\":\"X\",\"ts\":1", "chrome_json"},
      {"a.json", R"({"schemaVersion": 1, "deviceProperties": [)", "chrome_json"},
      {"a.txt", "{\"timestamp\": \"2026-01-05T08:00:00\", \"event\": \"total\"}\n", "verl_rollout"},
      {"run/step_1/worker_0.jsonl", "", "verl_rollout"},  // nothing written yet
      {"run/step_1/worker_0.jsonl", "{\"timest", "verl_rollout"},
      {"run/step_1/worker_0.jsonl", R"([{"ph":"X","ts":1}])", "chrome_json"},
      {"log", "(TaskRunner pid=1) step:3 - actor/lr:0.1 - timing_s/gen:4.1\n", "verl_console"},
      {"log", " iteration        1/    1000 | consumed samples: 1024 | lm loss: 1\n", "megatron_log"},
      {"log", "[2024-09-16 22:59:19] iteration=       1/  635782 | consumed_samples= 768 |", "megatron_log"},
      {"logs/workerlog.3", "some text\n", "paddle_log"},
      {"logs/workerlog.3", " iteration        1/    1000 | consumed samples: 1024 | lm loss: 1\n", "megatron_log"},
      {"out.txt", "I1020 executor.cc:217] Profiler Info: Job (3), type = forward, micro_batch_id = 2", "paddle_log"},
      {"print.py", "print(f'Profiler Info: Job ({number}), type = {kind}')", "-"},
      {"a_rank_0", R"({"name": "F0", "cat": "pipeline timeline", "ph": "B", "ts": 1697793307213})", "chrome_json"},
      {"x.sqlite", "SQLite format 3\0\x10", "-"},  // a C string ends at the NUL
      {"x.nsys-rep", "NVIDIA Tegra Profiler Report 2025@5@1@121-255136380782v0.\n", "nsys_report"},
      {"x.qdstrm", "\x01\x02", "nsys_stream"},
      {"x.parquetdir/StringIds.parquet", "PAR1\x15\x04", "parquet"},
      {"x.arrow", "ARROW1", "arrow"},
      {"x.arrow", "\xff\xff\xff\xff\x10", "arrow"},
      {"x.h5", "\x89HDF\r\n\x1a\n", "hdf5"},
      {"x.json", R"({"rocprofiler-sdk-tool": [{"metadata": {"pid": 7}}]})", "rocprofv3"},
      {"x.json", R"({"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[]})", "speedscope"},
      {"x.cpuprofile", R"({"nodes":[{"id":1,"callFrame":{"functionName":"f"}}],"samples":[]})", "cpu_profile"},
      {"x.json", R"({"schema": "1.0.1", "nodes": [{"name": "[pytorch|profiler|execution_trace|thread]"}]})", "execution_trace"},
      {"vm.xplane.pb", "\x0a\x02", "xplane"},
      {"snapshot.pickle", "\x80\x04\x95", "memory_snapshot"},
      {"x.json", R"({"traceEvents": [{"ph": "X", "ts": 1, "args": {"nodes": [], "callFrame": 1}}]})", "chrome_json"},
      {"x.json", "{\"a\":1}", "-"},
      {"x.json", "[1,2,3]", "-"},
      {"x.txt", "hello\n", "-"},
      {"x.json", "", "-"},
      {"README.md", "# the \"ph\" and \"ts\" of events\n", "-"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.head);
    CHECK(chosen(c.path, c.head) == c.reader);
  }
  CHECK(chosen("x.sqlite", std::string_view("SQLite format 3\0\x10", 17)) == "nsys_sqlite");
}
