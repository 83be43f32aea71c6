// read_plain_event gives the same as simdjson: whole chunks are read twice, once after a plain record, once after a record with an
// escape, which sends everything down the general path.
#include "core/read/chrome/plain_event.h"

#include <doctest/doctest.h>

#include "core/io/streams/text_feed.h"
#include "core/read/chrome/chrome_chunk.h"
#include "core/read/json/byte_masks.h"
#include "core/read/json/padded_text.h"
#include "tests/io/memory_stream.h"
#include "tests/read/json_damage.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// Records without a phase, of equal length.
constexpr std::string_view kPlainStart = R"({"key     ":1},)", kEscapedStart = R"({"\u006bey":1},)";

std::string read(std::string_view start, std::string_view records, bool guessed, bool in_place) {
  const std::string whole = std::string(start) + std::string(records);
  // After the chunk comes text that could continue it.
  const std::string text = whole + "\n{\"ph\": \"X\", \"ts\": 1, \"dur\": 1}" + std::string(kTextPadding, '\0');
  const MemoryStream file = MemoryStream::plain_file(text);
  TextChunk chunk;
  chunk.guessed = guessed;
  if (in_place) {
    chunk.text = std::string_view(text).substr(0, whole.size());
  } else {
    chunk.unread = &file;
    chunk.unread_bytes = whole.size();
  }
  const ChromePart part = read_chrome_chunk(chunk, {});
  if (!part.proven) return "not proven";
  const EventBatch& batch = part.batch;
  std::string out;
  const auto put = [&](const auto&... values) {
    const auto one = [&](const auto& value) {
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) {
        out += std::to_string(value);
      } else {
        out += value;
      }
      out += ' ';
    };
    (one(values), ...);
    out += '\n';
  };
  const auto label = [&](LabelId id) {
    return std::string(batch.labels.category(id)) + ":" + std::string(batch.labels.name(id));
  };
  const auto track = [&](std::uint32_t id) { return std::string(batch.tracks[id_at<StrId>(id)]); };
  const auto key = [&](std::uint32_t id) { return std::string(batch.keys[id_at<StrId>(id)]); };
  for (std::size_t i = 0; i < batch.slices.size(); ++i) {
    const SliceBlock& s = batch.slices;
    put("slice", label(s.label[i]), track(s.track[i]), s.begin[i], s.duration[i], s.offset[i], s.flags_of(i));
  }
  for (const HalfEvent& h : batch.halves) {
    put("half", static_cast<int>(h.kind), h.named, h.categorised, track(h.track), label(h.label), is_async(h) ? key(h.key) : "",
        h.id, h.time, h.offset);
  }
  for (const Instant& i : batch.instants) put("instant", track(i.track), label(i.label), i.time, i.offset);
  for (const FlowPoint& f : batch.flows) {
    put("flow", static_cast<int>(f.kind), static_cast<int>(f.bind), track(f.track), f.key == kNoKey ? "" : key(f.key), f.id, f.time, f.offset);
  }
  for (const CounterSample& s : batch.samples) put("sample", track(s.track), s.time, s.value);
  for (const ChromeMetadata& m : part.metadata) put("metadata", m.kind, m.pid, m.tid, m.text, m.number);
  for (const std::string& gpu : part.gpu_tracks) put("gpu", gpu);
  for (const ProblemCount& problem : batch.problems.entries()) {
    put("problem", info(problem.kind).id, problem.count);
    for (const ProblemExample& example : problem.examples) {
      if (example.byte_offset > 0) put(example.byte_offset, example.excerpt);
    }
  }
  return out;
}

void check_same(std::string_view records, bool guessed) {
  CAPTURE(records);
  CAPTURE(guessed);
  for (const bool in_place : {false, true}) {
    CAPTURE(in_place);
    CHECK(read(kPlainStart, records, guessed, in_place) == read(kEscapedStart, records, guessed, in_place));
  }
}

// A record read on its own.
struct PlainRead {
  PaddedText padded;  // the event's views point into it
  TraceEvent event;
  std::size_t length = std::string::npos;  // npos: not plain

  explicit PlainRead(std::string_view record) {
    // The bytes after the text would complete a cut record.
    const std::span<char> room = padded.room(record.size() + 40);
    std::ranges::fill(room, '}');
    std::ranges::copy(record, room.begin());
    padded.end_text(record.size());
    const char* const past = read_plain_event(room.data(), room.data() + record.size(), event);
    if (past) length = static_cast<std::size_t>(past - room.data());
  }
};

std::size_t plain_length(std::string_view record) { return PlainRead(record).length; }

class Records {
 public:
  explicit Records(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string text = record();
    for (std::int64_t i = random_.in(0, 5); i > 0; --i) {
      const std::string before = blanks();
      text += before + "," + blanks() + record();
    }
    // Half of the texts stay whole: otherwise hardly any record would be plain.
    if (random_.chance(0.5)) damage_json(text, random_);
    return text;
  }

 private:
  std::string record() {
    std::string text = "{" + blanks();
    for (std::int64_t i = 0, n = random_.in(0, 9); i < n; ++i) {
      if (i > 0) text += "," + blanks();
      text += "\"" + std::string(random_.one_of(kKeys)) + "\"" + blanks() + ":" + blanks() + value(0) + blanks();
    }
    return text + "}";
  }

  std::string value(int depth) {
    if (depth > 2 || random_.chance(0.8)) return std::string(random_.one_of(kValues));
    const bool object = random_.chance(0.7);
    std::string text(1, object ? '{' : '[');
    for (std::int64_t i = random_.in(0, 6); i > 0; --i) {
      if (object) text += "\"" + std::string(random_.one_of(kKeys)) + "\": ";
      text += value(depth + 1) + (i > 1 ? "," + blanks() : "");
    }
    return text + (object ? '}' : ']');
  }

  std::string blanks() { return std::string(random_.one_of(kBlanks)); }

  static constexpr std::string_view kBlanks[] = {"", "", " ", "\n    ", "\r\n\t", "   "};
  static constexpr std::string_view kKeys[] = {"ph",   "ph",  "ts", "ts",  "dur",     "dur",     "name",  "name", "cat",
                                               "pid",  "tid", "id", "id2", "bind_id", "flow_in", "scope", "s",    "bp",
                                               "args", "x",   "p",  "a b", "tsx",     "Ph"};
  static constexpr std::string_view kValues[] = {
      "\"X\"", "\"X\"", "\"B\"", "\"E\"", "\"i\"", "\"s\"", "\"f\"", "\"C\"", "\"M\"", "\"\"", "1", "25.125", "4212942559838.193",
      "-3", "1e3", "1.5E-2", "true", "null", "\"17\"", "\"0x1f\"", "\"cpu_op\"", "\"kernel\"", "\"aten::empty\"",
      "\"data/packing_handle.py(1286): get_buffer of a thing with a name that is longer than one load\"",
      "\"a } in ] a { string , \"", "\"\\u0041\\n\"", "\"前\"", "12345678901234567890.123456789", ".5", "+5", "007", "{}", "[]"};

  Random random_;
};

}  // namespace

TEST_CASE("plain_event: whole and damaged records are read as simdjson reads them, guessed or not") {
  std::size_t plain = 0;
  const std::vector<std::uint64_t> all = seeds(4'000);
  for (const std::uint64_t seed : all) {
    CAPTURE(seed);
    const std::string records = Records(seed).text();
    plain += plain_length(records) != std::string::npos ? 1 : 0;
    check_same(records, false);
    check_same(records + ",", true);
  }
  if (kHasByteMasks && all.size() > 1) CHECK(plain > all.size() / 10);
}

TEST_CASE("plain_event: all fields are read from a record as profilers write it") {
  if (!kHasByteMasks) return;
  const std::string record = R"-({
    "ph": "X", "cat": "cpu_op", "name": "aten::empty", "pid": 12, "tid": "7 (main)",
    "ts": 4212942559838.193, "dur": 0.825, "id": 5, "s": "t", "bp": "e",
    "args": {
      "Input Dims": [[4, 7], []], "text": "} ] {", "deep": {"a": [{}]}
    }
  })-";
  const PlainRead read(record);
  const TraceEvent& event = read.event;
  REQUIRE(read.length == record.size());
  CHECK(event.phase == 'X');
  CHECK(event.category == "cpu_op");
  CHECK(event.name == "aten::empty");
  CHECK(event.pid == "12");
  CHECK(event.tid == "7 (main)");
  CHECK(event.ts == "4212942559838.193");
  CHECK(event.dur == "0.825");
  CHECK(event.id == "5");
  CHECK(event.has_id);
  CHECK(event.instant_scope == 't');
  CHECK(event.bind_point == 'e');
  CHECK(std::string_view(event.args).starts_with("{\n      \"Input Dims\""));
  CHECK(plain_length(R"({"ph":"X"})") == 10);
  CHECK(plain_length("{}") == 2);
}

TEST_CASE("plain_event: escapes, non-ASCII text, unusual fields and broken records are left to simdjson") {
  for (const char* record :
       {R"({"name":"a\"b"})", R"({"name":"é"})", "{\"name\":\"a\nb\"}", R"({"args":{"a":"\\"}})", R"({"args":{"a":"é"}})",
        "{\"args\":{\"a\":\"\t\"}}", R"({"args":{"a":1})", R"({"args":{"a":"})", R"({"name":5})", R"({"ph":""})", R"({"ts":1e3})",
        R"({"ts":})", R"({"id2":{"local":1}})", R"({"flow_in":true})", R"({"bind_id":1})", R"({"scope":"a"})", R"({"ph":"X",})",
        R"({"ph":"X" "ts":1})", R"({"ph")", R"({"ph":)", R"({)", R"({"p)", R"({"ts":12)", R"({"x":[)", R"({"x":nul)"}) {
    CAPTURE(record);
    CHECK(plain_length(record) == std::string::npos);
  }
}

TEST_CASE("plain_event: args of any length are read whole, and records cut anywhere are left to simdjson") {
  if (!kHasByteMasks) return;
  for (std::size_t length = 0; length < 140; ++length) {
    const std::string record = R"({"args":{"k":")" + std::string(length, '}') + R"(","l":[{}]}})";
    CHECK(plain_length(record) == record.size());
    for (std::size_t cut = 1; cut < record.size(); ++cut) {
      if (plain_length(record.substr(0, cut)) != std::string::npos) FAIL("cut at ", cut, " of ", record);
    }
  }
}
