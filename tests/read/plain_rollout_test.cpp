// read_plain_rollout gives the same as simdjson.
#include "core/read/verl/plain_rollout.h"

#include <doctest/doctest.h>

#include <tuple>

#include "core/io/streams/text_feed.h"
#include "core/read/json/byte_masks.h"
#include "tests/read/json_damage.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

auto fields(const RolloutLine& line) {
  return std::tuple(line.timestamp, line.event, line.duration, line.worker, line.step, line.request_id, line.finish_reason,
                    line.batch_id, line.turn, line.generated_tokens, line.prompt_tokens, line.turns, line.user_turns,
                    line.turns_with_tools, line.response_length, line.response_tokens, line.total_length);
}

auto fields(const RolloutTurn& turn) {
  return std::tuple(turn.turn, turn.pre_process, turn.engine_call, turn.post_process, turn.tool_parsing);
}

// A text read on its own, with bytes after its end that could continue it.
struct PlainLine {
  std::string text;  // the fields' views point into it
  RolloutLine fields;
  std::size_t length = std::string::npos;  // npos: not plain

  explicit PlainLine(const std::string& whole) : text(whole + '\0' + std::string(kTextPadding, '}')) {
    const char* const past = read_plain_rollout(text.data(), text.data() + whole.size(), fields);
    if (past) length = static_cast<std::size_t>(past - text.data());
  }
};

class LineTexts {
 public:
  explicit LineTexts(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string text = object(kKeys, 0);
    if (random_.chance(0.4)) damage_json(text, random_);
    return text;
  }

 private:
  template <class Keys>
  std::string object(const Keys& keys, int depth) {
    std::string text = "{" + blanks();
    for (std::int64_t i = 0, n = random_.in(0, 8); i < n; ++i) {
      const std::string_view key = random_.one_of(keys);
      text += (i > 0 ? "," + blanks() : "") + "\"" + std::string(key) + "\"" + blanks() + ":" + blanks() + value(key, depth) + blanks();
    }
    return text + "}";
  }

  std::string value(std::string_view key, int depth) {
    if (key == "extra" && depth == 0 && random_.chance(0.9)) return object(kExtraKeys, 1);
    if (key == "turn_timings" && random_.chance(0.9)) {
      std::string text = "[";
      for (std::int64_t i = random_.in(0, 3); i > 0; --i) text += object(kTurnKeys, 2) + (i > 1 ? "," + blanks() : "");
      return text + "]";
    }
    if (key == "event" && random_.chance(0.9)) return std::string(random_.one_of(kEvents));
    if ((key == "timestamp" || key == "request_id" || key == "finish_reason") && random_.chance(0.9)) {
      return std::string(random_.one_of(kTexts));
    }
    return std::string(random_.chance(0.9) ? random_.one_of(kNumbers) : random_.one_of(kTexts));
  }

  std::string blanks() { return std::string(random_.one_of(kBlanks)); }

  static constexpr std::string_view kBlanks[] = {"", "", "", " ", "\t", "  "};
  static constexpr std::string_view kKeys[] = {"timestamp", "event", "event", "extra", "extra", "duration_sec", "workid", "worker", "step", "note", "Event"};
  static constexpr std::string_view kExtraKeys[] = {
      "request_id", "turn", "generated_tokens", "initial_prompt_length", "batch_data_id", "finish_reason", "turns", "user_turns",
      "turns_with_tools", "response_length", "actual_response_tokens", "total_sequence_length", "turn_timings", "turn_timings", "x"};
  static constexpr std::string_view kTurnKeys[] = {"turn", "pre_process_duration", "engine_call_duration", "post_process_duration",
                                                   "tool_parsing_duration", "total_duration"};
  static constexpr std::string_view kEvents[] = {"\"async_rollout_request_complete\"", "\"async_rollout_request_complete\"",
                                                 "\"turn_engine_call\"", "\"engine_call\"", "\"request_start\"", "\"turn_end\""};
  static constexpr std::string_view kTexts[] = {"\"2025-07-13T11:04:25.706221\"", "\"FinishReasonTypeEnum.STOP\"", "\"a } in ] a { string , \"",
                                                "\"\"", "\"\\u0041\"", "\"前\"", "null", "true", "{}", "[]", "{\"a\": [1, {\"b\": \"}\"}]}"};
  static constexpr std::string_view kNumbers[] = {"0", "7", "-3", "42", "2147483647", "2147483648", "999999999999999999", "9223372036854775807",
                                                  "0.25", "19.8261319223074486", "6.1593121733e-06", "1E3", "-0", "1.", ".5", "+5", "007", "1e", "1e999", "1e-400"};

  Random random_;
};

}  // namespace

TEST_CASE("plain_rollout: whole and damaged lines are read as simdjson reads them") {
  std::size_t plain = 0;
  const std::vector<std::uint64_t> all = seeds(20'000);
  for (const std::uint64_t seed : all) {
    CAPTURE(seed);
    const std::string text = LineTexts(seed).text();
    CAPTURE(text);
    const PlainLine line(text + "\n");
    if (line.length == std::string::npos) continue;
    ++plain;
    REQUIRE(line.length == (text + "\n").find('\n') + 1);
    RolloutLine general;
    REQUIRE(read_rollout_line(std::string_view(line.text).substr(0, line.length - 1), general));
    REQUIRE(fields(line.fields) == fields(general));
    REQUIRE(line.fields.timings.size() == general.timings.size());
    for (std::size_t i = 0; i < line.fields.timings.size(); ++i) {
      REQUIRE(fields(line.fields.timings[i]) == fields(general.timings[i]));
    }
  }
  if (kHasByteMasks && all.size() > 1) CHECK(plain > all.size() / 10);
}

TEST_CASE("plain_rollout: all fields are read from a line as verl writes it") {
  if (!kHasByteMasks) return;
  const std::string text = R"({"timestamp": "2025-07-13T11:09:02.133313", "event": "async_rollout_request_complete", "duration_sec": 92.7112923950822845, "extra": {"request_id": "12d9b6b1-b855", "batch_data_id": 294, "finish_reason": "FinishReasonTypeEnum.STOP", "turns": 4, "user_turns": 0, "turns_with_tools": 3, "response_length": 5756, "actual_response_tokens": 5611, "total_sequence_length": 6042, "avg_turn_duration": 22.4501, "turn_timings": [{"turn": 0, "total_duration": 27.1, "pre_process_duration": 0.25, "engine_call_duration": 27, "post_process_duration": 1e-3, "tool_parsing_duration": 0}, {"turn": 1}]}, "workid": 3, "step": 2})";
  const PlainLine line(text + " \r\nmore");
  const RolloutLine& read = line.fields;
  REQUIRE(line.length == text.size() + 3);
  CHECK(read.timestamp == "2025-07-13T11:09:02.133313");
  CHECK(read.event == "async_rollout_request_complete");
  CHECK(read.duration == "92.7112923950822845");
  CHECK(read.request_id == "12d9b6b1-b855");
  CHECK(read.finish_reason == "FinishReasonTypeEnum.STOP");
  CHECK(std::tuple(read.batch_id, read.turns, read.user_turns, read.turns_with_tools) == std::tuple(294, 4, 0, 3));
  CHECK(std::tuple(read.response_length, read.response_tokens, read.total_length) == std::tuple(5756, 5611, 6042));
  CHECK(std::tuple(read.worker, read.step) == std::tuple(3, 2));
  REQUIRE(read.timings.size() == 2);
  CHECK(fields(read.timings[0]) == std::tuple(0, 0.25, 27.0, 1e-3, 0.0));
  CHECK(fields(read.timings[1]) == std::tuple(1, 0.0, 0.0, 0.0, 0.0));
}

TEST_CASE("plain_rollout: escapes, unusual values and broken lines are left to simdjson") {
  for (const char* text :
       {"{}", "", " {}\n", "{\n}\n", "{\"a\":\n1}\n", "{\"a\":[1,\n2]}\n", "{} x\n", "[]\n", "{\"event\":\"a\\\"b\"}\n", "{\"event\":\"é\"}\n",
        "{\"event\":5}\n", "{\"duration_sec\":null}\n", "{\"duration_sec\":007}\n", "{\"duration_sec\":1.}\n", "{\"workid\":1.0}\n",
        "{\"workid\":1234567890123456789}\n", "{\"extra\":{\"request_id\":7}}\n", "{\"step\":1,}\n", "{\"step\":1 \"a\":2}\n", "{\"step\":1\n"}) {
    CAPTURE(text);
    CHECK(PlainLine(text).length == std::string::npos);
  }
}
