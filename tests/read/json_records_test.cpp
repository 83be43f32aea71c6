#include "core/read/json/json_records.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/read/json/likely_record.h"
#include "tests/io/memory_stream.h"
#include "tests/read/json_documents.h"

using namespace tv;
using namespace tv::test;

namespace {

using Form = DocumentWriter::Form;
using Members = std::vector<std::pair<std::string, std::string>>;

struct Cut {
  std::vector<Span> chunks;
  Members members;
  ProblemLog problems;
  std::size_t guesses = 0, believed = 0;  // chunks that were guessed; those of them that were not taken back
};

enum class Believe { Nothing, WhatIsTrue };  // of guessed chunks
enum class Source { Pipe, File };            // a file can be read anywhere

bool whole_records(std::string_view text) {
  const std::size_t comma = text.find_last_not_of(" \t\r\n");
  return text[comma] == ',' && nlohmann::json::accept("[" + std::string(text.substr(0, comma)) + "]");
}

// `delay`: how many chunks are under way before the first of them is checked, as when other threads parse them.
Cut cut(const std::string& text, std::size_t step, std::size_t chunk_bytes, Believe believe = Believe::Nothing,
        std::size_t delay = 0, Source source = Source::Pipe) {
  Cut out;
  MemoryStream stream = source == Source::File ? MemoryStream::plain_file(text) : MemoryStream(text);
  TextFeed feed(stream, step);
  JsonRecords records(feed, chunk_bytes, [&](std::string_view key, std::string_view value) {
    out.members.emplace_back(key, value);
  });
  std::vector<TextChunk> under_way;
  const auto commit_oldest = [&] {
    const TextChunk& chunk = under_way.front();
    const std::string_view all = std::string_view(text).substr(chunk.offset, chunk.size());
    if (chunk.guessed && (believe == Believe::Nothing || !whole_records(all))) {
      records.take_back(std::exchange(under_way, {}));
      return;
    }
    std::string_view part = all;
    while (chunk.guessed && part.back() != '}') part.remove_suffix(1);
    out.chunks.push_back({chunk.offset, chunk.offset + part.size()});
    out.believed += chunk.guessed ? 1 : 0;
    under_way.erase(under_way.begin());
  };
  for (;;) {
    while (under_way.size() > delay) commit_oldest();
    auto chunk = records.next();
    REQUIRE(chunk.ok());
    if (!*chunk || (*chunk)->is_pause()) {
      while (!under_way.empty()) commit_oldest();
      if (!*chunk) break;
      continue;
    }
    const std::uint64_t begin = (*chunk)->offset, end = (*chunk)->end();
    REQUIRE(end <= text.size());
    if (!(*chunk)->unread) REQUIRE((*chunk)->text == std::string_view(text).substr(begin, end - begin));
    REQUIRE(end > begin);
    out.guesses += (*chunk)->guessed ? 1 : 0;
    under_way.push_back(**chunk);
  }
  out.problems = records.take_problems();
  return out;
}

// Empty if each chunk begins and ends with a record and no record is missing or repeated, else what is wrong.
std::string check_chunks(const std::vector<Span>& chunks, const std::vector<Span>& records) {
  std::size_t next = 0;
  for (const Span& chunk : chunks) {
    if (next == records.size()) return "a chunk after the last record";
    if (chunk.begin != records[next].begin) {
      return "a chunk begins at " + std::to_string(chunk.begin) + ", record " + std::to_string(next) + " at " +
             std::to_string(records[next].begin);
    }
    while (next < records.size() && records[next].end < chunk.end) ++next;
    if (next == records.size() || records[next].end != chunk.end) {
      return "no record ends where a chunk does, at " + std::to_string(chunk.end);
    }
    ++next;
  }
  return next == records.size() ? "" : "only " + std::to_string(next) + " records";
}

// One record per chunk: the places where records were found.
std::vector<Span> records_of(const std::string& text) { return cut(text, 4096, 1).chunks; }

std::vector<std::string> texts_of(const std::string& text) {
  std::vector<std::string> out;
  for (const Span& span : records_of(text)) out.push_back(text.substr(span.begin, span.end - span.begin));
  return out;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += "<" + text + ">";
  return out;
}

}  // namespace

TEST_CASE("json_records: the records of random documents are found for every window and chunk size") {
  for (const std::uint64_t seed : seeds(60)) {
    const auto form = static_cast<Form>(seed % static_cast<std::uint64_t>(Form::kCount));
    const Document document = DocumentWriter(seed).write(form, seed % 40);
    CAPTURE(seed);
    CAPTURE(document.text);
    for (const std::size_t step : {16, 17, 63, 256, 1000, 4096}) {
      for (const std::size_t chunk_bytes : {1, 64, 1024}) {
        CAPTURE(step);
        CAPTURE(chunk_bytes);
        const Cut found = cut(document.text, step, chunk_bytes);
        REQUIRE(check_chunks(found.chunks, document.records) == "");
        REQUIRE(found.members == document.members);
        REQUIRE(found.problems.empty());
      }
    }
  }
}

TEST_CASE("json_records: an object with a damaged first key is read the same for every window size") {
  const std::string event = R"({"name":"f","ph":"X","pid":1,"tid":1,"ts":10,"dur":5})", other = R"("schemaVersion":1,)";
  for (const std::string& text : {
           R"({"la\x8B\x9A escaped_quotes_and_newline","process 1","thread 2"],"row":0,"name":"lib = Library","ph":"X","ts":10,"dur":5})" + event,
           R"({"na#me,"a name that is longer than the excerpt of a record, which decides":0,"cat":"a category","ph":"X","ts":1})" + ("\n" + event),
           R"({"tr#,)" + std::string(300, ' ') + other + R"("traceEvents":[)" + event + "," + event + "]}",
       }) {
    CAPTURE(text);
    const Cut whole = cut(text, 4096, 1);
    for (const std::size_t step : {16, 17, 63, 64, 79, 80, 81, 256}) {
      CAPTURE(step);
      const Cut found = cut(text, step, 1);
      CHECK(found.chunks.size() == whole.chunks.size());
      CHECK(found.members == whole.members);
      for (const ProblemCount& problem : whole.problems.entries()) CHECK(found.problems.count(problem.kind) == problem.count);
      CHECK(found.problems.entries().size() == whole.problems.entries().size());
    }
  }
}

TEST_CASE("json_records: records inside a damaged one are found by their separator, for every window size") {
  const std::string record = R"({"ph":"X","name":"task","pid":1,"tid":"worker:1","ts":10,"dur":20,"cat":"task"})", between = ",\n";
  const std::string text = "[\n" + record + between + record + between + R"({"ph":[)" + "\n" + record + between + record + "\n" +
                           R"(],"name":"mark","pid":1,"tid":"worker:1","ts":5,"s":"t"})" + between + record + "\n]";
  const Cut whole = cut(text, 4096, 1);
  CHECK(whole.chunks.size() == 5);  // two, the two within, and the last
  for (std::size_t step = 16; step < 200; ++step) {
    CAPTURE(step);
    const Cut found = cut(text, step, 1);
    CHECK(found.chunks.size() == whole.chunks.size());
    CHECK(found.problems.entries().size() == whole.problems.entries().size());
  }
}

TEST_CASE("json_records: records are found whatever stands between them, for every window size") {
  const std::string record = R"({"ph":"X","pid":1,"tid":1,"ts":1,"dur":1})";
  struct Around {
    const char *opening, *before, *after, *closing;
  };
  for (const Around& around : {
           Around{"[", "", "x", "]"},
           Around{"[", "", "x\n", "]"},
           Around{"[", "", R"("x")", "]"},
           Around{"[", "", R"(,"ts":1)", "]"},
           Around{"[", "", R"(,"name":1)", "]"},
           Around{R"({"traceEvents":[)", "", "x", "]}"},
           Around{R"({"traceEvents":[)", "", R"(,"name":1)", "]}"},
           Around{R"({"traceEvents":[],)", R"("a":[[)", "],", R"("b":1})"},
           Around{"", "", "\n{\"a\":[}\n", ""},
           Around{"", "{x", "", ""},
       }) {
    std::string text = around.opening;
    std::vector<std::uint64_t> begins;
    for (int i = 0; i < 40; ++i) {
      text += around.before;
      begins.push_back(text.size());
      text += record + around.after;
    }
    text += around.closing;
    CAPTURE(text);
    const Cut whole = cut(text, 4096, 1);
    for (const std::uint64_t begin : begins) {
      CHECK(std::ranges::any_of(whole.chunks, [begin](const Span& chunk) { return chunk.begin == begin; }));
    }
    for (const std::size_t step : {16, 63, 256, 257, 1000}) {
      CAPTURE(step);
      const Cut found = cut(text, step, 1);
      CHECK(found.chunks == whole.chunks);
      CHECK(found.members == whole.members);
      for (const ProblemCount& problem : whole.problems.entries()) CHECK(found.problems.count(problem.kind) == problem.count);
      CHECK(found.problems.entries().size() == whole.problems.entries().size());
    }
  }
}

TEST_CASE("json_records: guesses do not change the result, right or wrong, proven early or late") {
  std::size_t guesses = 0, records = 0, chunks = 0;
  for (const std::uint64_t seed : seeds(60)) {
    const auto form = seed % 2 == 0 ? Form::Array : Form::Object;
    const Document document = DocumentWriter(seed + 500).write(form, seed % 60);
    CAPTURE(seed);
    CAPTURE(document.text);
    for (const std::size_t step : {64, 300, 2000}) {
      for (const std::size_t delay : {0, 1, 5}) {
        CAPTURE(step);
        CAPTURE(delay);
        for (const Source source : {Source::Pipe, Source::File}) {
          const Cut found = cut(document.text, step, step, Believe::WhatIsTrue, delay, source);
          REQUIRE(check_chunks(found.chunks, document.records) == "");
          REQUIRE(found.members == document.members);
          REQUIRE(found.problems.empty());
          guesses += found.guesses;
          chunks += found.chunks.size();
          records += document.records.size();
        }
      }
    }
  }
  CHECK(guesses > 4 * rounds(60));
  CHECK(chunks < records);
}

TEST_CASE("json_records: most chunks of a long array are guessed") {
  std::string text = "{\"traceEvents\": [\n";
  std::vector<Span> records;
  const auto add = [&](std::string_view record, std::string_view after) {
    text += "  ";
    records.push_back({text.size(), text.size() + record.size()});
    text.append(record).append(after);
  };
  for (int i = 0; i < 10'000; ++i) add("{\n    \"ph\": \"X\", \"args\": {\"list\": [{\"a\": 1}, {\"a\": 2}]}\n  }", ",\n");
  add("{\n    \"ph\": \"X\"\n  }", "\n], \"traceName\": \"x\"}");
  for (const Source source : {Source::Pipe, Source::File}) {
    const Cut found = cut(text, 4096, 4096, Believe::WhatIsTrue, 4, source);
    CHECK(check_chunks(found.chunks, records) == "");
    CHECK(found.believed + 5 > found.chunks.size());
    CHECK(found.chunks.size() < text.size() / 2048);
    CHECK(found.members == Members{{"traceName", "\"x\""}});
    CHECK(found.problems.empty());
  }
}

TEST_CASE("json_records: chunks get smaller towards the end of a file, and only the first and the last are not guessed") {
  constexpr std::size_t kChunk = 2 << 20;
  std::string text = "[";
  while (text.size() < 5 << 20) text += R"({"ph": "X", "name": "step", "ts": 12.5, "dur": 3},)" "\n";
  text += "{}]";
  const Cut found = cut(text, 1 << 20, kChunk, Believe::WhatIsTrue, 0, Source::File);
  CHECK(check_chunks(found.chunks, records_of(text)) == "");
  const Span last = found.chunks.back(), before = found.chunks[found.chunks.size() - 2];
  CHECK(last.end - last.begin <= 1 << 20);
  CHECK(before.end - before.begin <= 1 << 20);
  CHECK(found.guesses + 2 == found.chunks.size());  // all but the first record and the last chunk
}

TEST_CASE("json_records: records without commas, which cannot be guessed, come in large chunks too") {
  std::string text = "[\n";
  for (int i = 0; i < 10'000; ++i) text += "{\"ph\": \"X\", \"args\": {\"list\": [{\"a\": 1}, {\"a\": 2}]}}\n";
  text += "]";
  for (const Source source : {Source::Pipe, Source::File}) {
    const Cut found = cut(text, 4096, 4096, Believe::WhatIsTrue, 4, source);
    CHECK(found.chunks.size() < text.size() / 2048);
    CHECK(check_chunks(found.chunks, records_of(text)) == "");
  }
}

TEST_CASE("json_records: chunks have the requested size, and exceed it by at most one record") {
  const Document document = DocumentWriter(1).write(Form::Array, 200);
  for (const std::size_t chunk_bytes : {64, 1024}) {
    const Cut found = cut(document.text, 1 << 20, chunk_bytes);
    std::size_t largest_record = 0;
    for (const Span& record : document.records) {
      largest_record = std::max<std::size_t>(largest_record, record.end - record.begin);
    }
    REQUIRE(found.chunks.size() > 1);
    for (std::size_t i = 0; i + 1 < found.chunks.size(); ++i) {
      const std::size_t bytes = found.chunks[i].end - found.chunks[i].begin;
      CHECK(bytes >= chunk_bytes);
      CHECK(bytes < chunk_bytes + largest_record + 32);  // blanks and a comma before the last record
    }
  }
}

TEST_CASE("json_records: a document cut anywhere keeps every whole record and is reported as cut") {
  for (const std::uint64_t seed : seeds(12)) {
    const auto form = static_cast<Form>(seed % static_cast<std::uint64_t>(Form::kCount));
    const Document document = DocumentWriter(seed + 100).write(form, 20);
    for (std::size_t at = 0; at < document.text.size() && at < 2048; ++at) {
      CAPTURE(seed);
      const std::string text = document.text.substr(0, at);
      CAPTURE(text);
      std::vector<Span> whole;
      bool inside_record = false, known = true;
      for (const Span& record : document.records) {
        if (record.end <= at) whole.push_back(record);
        if (record.begin >= at || record.end <= at) continue;
        inside_record = true;
        // Without an array around it, the first key tells a record from a trace.
        const std::size_t quote = text.find('"', record.begin);
        known = form != Form::Lines || (quote != text.npos && text.find('"', quote + 1) != text.npos);
      }
      const Cut found = cut(text, 100, 256);
      REQUIRE(check_chunks(found.chunks, whole) == "");
      if (!known) continue;
      REQUIRE(found.problems.count(ProblemKind::truncated_record) == (inside_record ? 1 : 0));
      const char opening = form == Form::Array ? '[' : '{', closing = form == Form::Array ? ']' : '}';
      const bool open = text.find(opening) != text.npos && at <= document.text.rfind(closing);
      REQUIRE(found.problems.count(ProblemKind::missing_close) == (form != Form::Lines && open ? 1 : 0));
    }
  }
}

TEST_CASE("json_records: an unclosed array or object is reported") {
  for (const std::string text : {"[", "[{\"ph\":1}", "[{\"ph\":1},", "{\"traceEvents\":[{\"ph\":1}", "{\"a\":1",
                                 "{\"traceEvents\":[{\"ph\":1}]", "[{\"ph\":1", "{\"traceEvents\":[1"}) {
    CAPTURE(text);
    CHECK(cut(text, 16, 1).problems.count(ProblemKind::missing_close) == 1);
  }
  for (const std::string text : {"[]", "{}", "{\"traceEvents\":[]}", "{\"ph\":1}\n", "", "  \n", "[{\"ph\":1}]"}) {
    CAPTURE(text);
    CHECK(cut(text, 16, 1).problems.empty());
  }
}

TEST_CASE("json_records: an unescaped quote costs at most the record it is in") {
  const std::string good = R"({"ph":"X","name":"good","ts":2})";
  struct Case {
    const char* what;
    std::string broken;
  };
  const Case cases[] = {
      {"two quotes", R"({"ph":"X","name":"a "b" c","ts":1})"},
      {"one quote", R"({"ph":"X","name":"it"s","ts":1})"},
      {"braces in quotes", R"({"ph":"X","name":"{"device": "cpu"}(12): run","ts":1})"},
      {"one quote, at the end", R"({"ph":"X","ts":1,"name":"it"s"})"},
      {"quote and raw newline", "{\"ph\":\"X\",\"name\":\"L(\"_x\", \"I\")\n(1): m\",\"ts\":1}"},
      {"one quote, one member a line", "{\n  \"ph\": \"X\",\n  \"name\": \"5\" disk\",\n  \"ts\": 1\n}"},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.what));
    const std::string text = "[\n" + good + ",\n" + c.broken + ",\n" + good + "\n]\n";
    CHECK(joined(texts_of(text)) == joined({good, c.broken, good}));
    for (const std::size_t step : {16, 40, 1000}) {
      CAPTURE(step);
      const Cut found = cut(text, step, 1);
      CHECK(found.chunks == records_of(text));
    }
  }
}

TEST_CASE("json_records: text that is no record is skipped and reported") {
  struct Case {
    std::string text;
    std::vector<std::string> records;
    std::vector<ProblemKind> problems;
  };
  const std::string a = R"({"ph":"a"})", b = R"({"ph":"b"})";
  const Case cases[] = {
      {"[" + a + ",," + b + "]", {a, b}, {ProblemKind::extra_separators}},
      {"[," + a + "]", {a}, {ProblemKind::extra_separators}},
      {"[" + a + ",]", {a}, {ProblemKind::extra_separators}},
      {"[" + a + " " + b + "]", {a, b}, {}},  // a lost comma loses nothing
      {"[" + a + ", 42, " + b + "]", {a, b}, {ProblemKind::bad_record}},
      {"[" + a + ", \"text, with ]\", " + b + "]", {a, b}, {ProblemKind::bad_record}},
      {"[" + a + "} " + b, {a, b}, {ProblemKind::missing_close}},
      {"[" + a + "]\n[" + b + "]", {a, b}, {ProblemKind::several_documents}},
      {"{\"traceEvents\":[" + a + "]}{\"traceEvents\":[" + b + "]}", {a, b}, {ProblemKind::several_documents}},
      {"some words [" + a + "]", {a}, {ProblemKind::bad_record}},
      {a + "\nnoise\n" + b, {a, b}, {ProblemKind::bad_record}},
      {a + ",\n" + b + ",\n", {a, b}, {}},
      {"\xEF\xBB\xBF[" + a + "]", {a}, {}},
      {"{\"traceEvents\":[" + a + "],}", {a}, {}},
      {"{\"metadata\":{\"traceEvents\":[" + b + "]},\"traceEvents\":[" + a + "]}", {a}, {}},
      {"{\"traceEvents\":null,\"traceEvents\":[" + a + "]}", {a}, {}},
      {"{\"traceEvents\":[" + a + "],\"traceName\":\"a [b] {c} ]}\"}", {a}, {}},
      {"[[" + a + "]," + b + "]", {a, b}, {ProblemKind::extra_separators}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(joined(texts_of(c.text)) == joined(c.records));
    for (const std::size_t step : {16, 30, 1000}) {
      CAPTURE(step);
      const Cut found = cut(c.text, step, 1);
      CHECK(found.chunks == records_of(c.text));
      CHECK(found.problems.entries().size() == c.problems.size());
      for (const ProblemKind kind : c.problems) CHECK(found.problems.count(kind) == 1);
    }
  }
}

TEST_CASE("json_records: arrays nested in the array of records are read as part of it") {
  const std::string a = R"({"ph":"a"})", b = R"({"ph":"b"})";
  for (const std::string& text : {"[[" + a + "],[" + b + "]]", "[[" + a + "," + b + "]]", "[" + a + ",[" + b + "],[{}]]",
                                  "[[],[" + a + "],[ ],[" + b + "],[]]"}) {
    CAPTURE(text);
    const Cut found = cut(text, 16, 1);
    CHECK(joined(texts_of(text)).starts_with(joined({a, b})));
    CHECK(found.problems.lost() == 0);
    CHECK(found.problems.count(ProblemKind::missing_close) == 0);
  }
}

TEST_CASE("json_records: reports do not depend on the window's size") {
  const std::string text = "[{\"ph\":1}, this is no record but some words, {\"ph\":2}] and so is this {\"ph\":3}";
  std::vector<std::string> excerpts;
  for (const std::size_t step : {16, 20, 64, 4096}) {
    std::string all;
    const Cut found = cut(text, step, 1);
    for (const ProblemCount& problem : found.problems.entries()) {
      for (const ProblemExample& example : problem.examples) {
        all += std::to_string(example.byte_offset) + ":" + example.excerpt + "\n";
      }
    }
    excerpts.push_back(all);
  }
  for (const std::string& other : excerpts) CHECK(other == excerpts.front());
}

TEST_CASE("json_records: members of up to 4 MiB are passed on, longer ones are skipped") {
  const std::string small(4'000'000, 'x'), large(5'000'000, 'y');
  const std::string text = "{\"small\":\"" + small + "\",\"large\":\"" + large +
                           "\",\"last\": 7 ,\"traceEvents\":[{\"ph\":1}],\"after\":[1, 2]}";
  for (const std::size_t step : {64, 1024, 1 << 20, 16 << 20}) {
    CAPTURE(step);
    const Cut found = cut(text, step, 1 << 20);
    std::vector<std::string> keys;
    for (const auto& [key, value] : found.members) {
      keys.push_back(key);
      if (key == "small") CHECK(value == '"' + small + '"');
      if (key == "last") CHECK(value == "7");
      if (key == "after") CHECK(value == "[1, 2]");
    }
    CHECK(joined(keys) == "<small><last><after>");
    CHECK(found.chunks.size() == 1);
  }
}

TEST_CASE("json_records: a record that spans many windows arrives whole") {
  const std::string record = "{\"ph\":\"X\",\"args\":{\"text\":\"" + std::string(300'000, 'z') + "\"}}";
  const std::string text = "[" + record + "," + record + "]";
  for (const std::size_t step : {16, 4096}) {
    CHECK(cut(text, step, 64).chunks == std::vector<Span>{{1, 1 + record.size()},
                                                          {2 + record.size(), 2 + 2 * record.size()}});
  }
}

TEST_CASE("json_records: the backward search for a record ends even within a longer record") {
  CHECK(last_likely_record(R"({"ph": "X", "name": "lo)", 0, R"({"ph")") == std::string_view::npos);
  CHECK(last_likely_record(R"({"ph": 1}, {"ph": "X", "name": "lo)", 0, R"({"ph")") == 11);
  // The end of a chunk is first searched for in its last 16 KiB, which the start of the third record fills here.
  constexpr std::size_t kChunk = 64 << 10, kSearched = 16 << 10;
  const auto record = [](std::size_t bytes) { return R"({"ph":")" + std::string(bytes - 9, 'x') + R"("})"; };
  std::string text = "[" + record(20) + "," + record(kChunk - kSearched - 1) + "," + record(kSearched + 100);
  while (text.size() < 2 * kChunk) text += "," + record(20);
  text += "]";
  const Cut found = cut(text, 4096, kChunk, Believe::WhatIsTrue, 0, Source::File);
  CHECK(check_chunks(found.chunks, records_of(text)) == "");
}
