// Formats that are recognised by content, under any name, but not read; and the message about unknown files.
#include "core/read/unread/unread_formats.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "core/read/json/json_start.h"
#include "core/read/registry.h"
#include "core/read/unknown_file.h"

using namespace tv;

namespace {

std::string read_by(std::string_view head, std::string_view path = "file") {
  const Reader* const reader = choose_reader({path, head});
  return reader ? std::string(reader->id) : std::string();
}

std::string bytes_of_parts(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts) out += part;
  return out;
}

}  // namespace

TEST_CASE("unread formats: each has a title and a remedy") {
  std::set<std::string_view> ids;
  for (const Reader& reader : unread_formats()) {
    CAPTURE(reader.id);
    CHECK(ids.insert(reader.id).second);
    CHECK_FALSE(reader.title.empty());
    CHECK_FALSE(reader.remedy.empty());
    CHECK((reader.read == nullptr));
    CHECK(find_reader(reader.id) == &reader);
  }
}

TEST_CASE("unread formats: binary formats are recognised by their contents") {
  using namespace std::string_view_literals;
  // An XSpace whose plane has an id, and one without; Perfetto's packets begin with the same byte.
  CHECK(read_by("\x0a\x20\x08\x02\x12\x0d/device:TPU:0\x1a\x02\x08\x01"sv) == "xplane");
  CHECK(read_by("\x0a\x40\x12\x09/host:CPU\x22\x02\x08\x01"sv, "trace.pb") == "xplane");
  CHECK(read_by("\x0a\x06\x08\x01\x12\x02xy"sv, "host.xplane.pb") == "xplane");
  CHECK(read_by("\x0a\x06\x40\x80\x01\x50\x01\x58"sv, "trace.bin") != "xplane");
  CHECK(read_by("\x80\x02}q\x00(X\x07\x00\x00\x00versionq\x01X\x09\x00\x00\x00pg_configq\x03"
                "default_pg"sv,
                "_dump_0") == "flight_recorder");
  CHECK(read_by("\x80\x04\x95\x00}(\x8c\x08segments\x94](\x8c\x0csegment_type"sv) == "memory_snapshot");
  CHECK(read_by("\x80\x05\x95\x00}\x8c\x04text"sv) == "memory_snapshot");
  CHECK(read_by("\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22\t\0\0\xc0\xf4\x1c\x2d\xd8\x41\x1a\x0d"
                "brain.Event:2"sv) == "tensorboard");
  CHECK(read_by(":W&B\x02\0\0rest"sv) == "wandb");
  CHECK(read_by("^\x12\x10\n\x06schema\xea\x01\x05"
                "1.0.1"sv,
                "chakra.0.et") == "execution_trace");
  const std::string sqlite = bytes_of_parts({"SQLite format 3\0"sv, std::string(84, '\1')});
  CHECK(read_by(sqlite + "CREATE TABLE \"rocpd_string_0000\"") == "rocpd");
  CHECK(read_by(sqlite + "CREATE TABLE CANN_API(a)CREATE TABLE STRING_IDS(b)") == "ascend_database");
  CHECK(read_by(sqlite + "CREATE TABLE StringIds(a)") == "nsys_sqlite");
}

TEST_CASE("unread formats: JSON files and tables are recognised by their contents") {
  CHECK(
      read_by(
          R"({"schema": "1.0.1", "pid": 5, "nodes": [{"name": "[pytorch|profiler|execution_graph|thread]", "id": 2, "inputs": []}]})") ==
      "execution_trace");
  CHECK(
      read_by(
          R"({"schema": "1.0.0", "pid": 5, "time": "x", "nodes": [{"name": "aten::add", "id": 2, "parent": 1, "inputs": []}]})") ==
      "execution_trace");
  CHECK(read_by(R"({"version": "2.9", "pg_config": {"0": {"desc": "default_pg"}}, "entries": []})") ==
        "flight_recorder");
  CHECK(read_by(R"({"resourceSpans": [{"resource": {}}]})") == "opentelemetry");
  CHECK(read_by(R"({"data": [{"traceID": "00", "spans": [{"operationName": "x"}]}]})") == "opentelemetry");
  CHECK(read_by(R"({"date": "x", "endpoint_type": "openai", "num_prompts": 8})") == "serving_benchmark");
  CHECK(read_by(R"({"current_steps": 1, "total_steps": 305, "loss": 1.1})") == "llama_factory_log");
  CHECK(read_by(R"({"input": "user", "output": "5", "gts": "4", "score": 0.0, "step": 1})") == "verl_rollout_texts");
  CHECK(read_by("Name,Input Shapes,Call Stack,Host Self Duration(us)\nx,y,\"pretrain_gpt.py(12): main\",1\n",
                "operator_details.csv") == "ascend_table");
  CHECK(read_by("\"Domain\",\"Function\",\"Start_Timestamp\",\"End_Timestamp\"\n") == "rocprof_table");
  // Names of programs and processes in text that is not a log.
  CHECK(read_by("Name,File,Line,Count\nx,pretrain_gpt.py,12,1\n") == "");
  CHECK(read_by("{\"program\": \"pretrain_gpt.py\",\n \"args\": [\"--x\"]}") == "");
  CHECK(read_by("{\"cmd\": \"(TaskRunner pid=5)\"}") == "");
  CHECK(read_by("CUDA_VISIBLE_DEVICES=0,1,2,3\nusing world size: 4\n") == "megatron_log");
}

TEST_CASE("unread formats: other trainers' logs are recognised, even if they begin with a bracket or brace") {
  CHECK(read_by("[rank0]:[titan] 2026-05-18 16:04:20,100 - root - INFO - Training starts at step 1\n") ==
        "torchtitan_log");
  CHECK(read_by("[2025-11-03 10:00:00,120] [INFO] [logging.py:128:log_dist] [Rank 0] step=10, skipped=0\n") ==
        "deepspeed_log");
  CHECK(read_by("{'loss': 2.31, 'grad_norm': 1.25, 'learning_rate': 1e-05, 'epoch': 0.01}\n") == "hf_trainer_log");
  CHECK(read_by("completed step: 0, seconds: 31.250, TFLOP/s/device: 11.210\n") == "maxtext_log");
  CHECK(read_by("(TrainRayActor pid=2) [2025-12-20 12:00:31] model.py:520 - step 4: {'train/loss': 0.012}\n") ==
        "slime_log");
  CHECK(read_by("  Training Results:\n  Timing:\n  Total step time: 92.50s\n") == "nemo_rl_log");
  CHECK(read_by("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n", "trace.json") ==
        "git_lfs_pointer");
  // A log of Megatron-DeepSpeed, whose first iteration comes much later.
  CHECK(read_by("using world size: 32\n[2025-11-03 10:00:00,120] [INFO] [logging.py:128:log_dist] [Rank 0] x\n") ==
        "megatron_log");
}

TEST_CASE("unknown files: only JSON is called JSON") {
  for (const char* json :
       {"{", "[", "{}", "[1, 2.5e-3, -1, true, null]", "{\"a\": {\"b\": [1,", "{\"a\"", "{\"a\": \"cut", "[[],{}]",
        "{\"a\":1}\n{\"a\":2}\n", " \n[1", "\"text\"", "12", "[tru", "[NaN, Infinity, -1"}) {
    CAPTURE(json);
    CHECK(is_json_start(json));
  }
  for (const char* text : {"", " ", "[rank0]: x", "[2025-11-03 10:00:00,120] [INFO]", "{'loss': 2.31}", "{loss: 1}",
                           "[INFO] x", "{\"a\" 1}", "[1 2]", "{\"a\":1}}", "[NeMo I 2025]", "(x)", "[1,]x"}) {
    CAPTURE(text);
    CHECK_FALSE(is_json_start(text));
  }
  CHECK(why_unknown("{\"nodes\": 1}") == "JSON, but there are no trace events in it (its keys: nodes)");
  CHECK(why_unknown("[main] started\n") == "text of a format that is not known");
  CHECK(why_unknown("{'a': 1}\n") == "text of a format that is not known");
}
