#include "core/read/chrome/chrome_chunk.h"

#include <doctest/doctest.h>

#include "core/io/streams/text_feed.h"
#include "core/store/draft/item_ref.h"

using namespace tv;

namespace {

ChromePart read(std::string_view records, std::uint64_t offset = 0, bool guessed = false) {
  const std::string padded = std::string(records) + std::string(kTextPadding, '\0');
  return read_chrome_chunk({offset, std::string_view(padded).substr(0, records.size()), nullptr, guessed}, {});
}

// "name@begin+duration" of the slices, in file order.
std::string slices(const ChromePart& part) {
  std::string out;
  const SliceBlock& s = part.batch.slices;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (!out.empty()) out += ' ';
    out += std::string(part.batch.labels.name(s.label[i])) + "@" + std::to_string(s.begin[i]);
    out += s.duration[i] == kOpenEnd ? "+open" : "+" + std::to_string(s.duration[i]);
  }
  return out;
}

// pid/tid/class of the track of a slice.
std::string track(const ChromePart& part, std::size_t slice) {
  std::string key(part.batch.tracks[id_at<StrId>(part.batch.slices.track[slice])]);
  for (char& c : key) c = c == '\x1f' ? '/' : c;
  return key;
}

std::string first_track(std::string_view record) { return track(read(record), 0); }

}  // namespace

TEST_CASE("chrome_chunk: fields may have any type and order, and of repeated ones the last counts") {
  CHECK(slices(read(R"({"dur":"2.5","ts":"1","name":"a","ph":"X"})")) == "a@1000+2500");
  CHECK(slices(read(R"({"ph":"Xylophone","name":"a","ts":1e3,"dur":0})")) == "a@1000000+0");
  CHECK(slices(read(R"({"ph":"X","name":5,"ts":1,"dur":1},{"ph":"X","name":null,"ts":2,"dur":1})")) ==
        "5@1000+1000 @2000+1000");
  CHECK(slices(read(R"({"ph":"X","name":{"a":"ts"},"ts":1,"dur":1,"args":{"ts":7,"ph":"B"}})")) == "@1000+1000");
  CHECK(slices(read(R"({"ph":"X","name":"first","name":"last","ts":1,"ts":2,"dur":1})")) == "last@2000+1000");
  CHECK(slices(read(R"({"ph":"X","name":"\u0061\n","ts":1,"dur":1})")) == "a\n@1000+1000");
}

TEST_CASE("chrome_chunk: a missing or impossible duration leaves a slice open, a negative one is clamped") {
  CHECK(slices(read(R"({"ph":"X","name":"a","ts":1})")) == "a@1000+open");
  CHECK(slices(read(R"({"ph":"X","name":"a","ts":1,"dur":null})")) == "a@1000+open");
  CHECK(slices(read(R"({"ph":"X","name":"a","ts":1,"dur":"long"})")) == "a@1000+open");
  const ChromePart negative = read(R"({"ph":"X","name":"a","ts":1,"dur":-3})");
  CHECK(slices(negative) == "a@1000+0");
  CHECK(negative.batch.slices.flags_of(0) == kClamped);
  // A duration of centuries is impossible.
  CHECK(slices(read(R"({"ph":"X","name":"a","ts":5,"dur":9223372036854775})")) == "a@5000+open");
}

TEST_CASE("chrome_chunk: a slice's track comes from pid, tid and category, with defaults for missing ids") {
  CHECK(first_track(R"({"ph":"X","ts":1,"dur":1,"pid":1,"tid":2})") == "1/2/t");
  CHECK(first_track(R"({"ph":"X","ts":1,"dur":1,"pid":"1","tid":"0x2"})") == "1/2/t");
  CHECK(first_track(R"({"ph":"X","ts":1,"dur":1,"pid":"Spans","tid":"a b"})") == "Spans/a b/t");
  CHECK(first_track(R"({"ph":"X","ts":1,"dur":1,"pid":"\u7ebf","tid":"\u7a0b \"1\""})") == "线/程 \"1\"/t");
  CHECK(first_track(R"({"ph":"X","ts":1,"dur":1,"pid":7})") == "7/7/t");
  CHECK(first_track(R"({"ph":"X","ts":1,"dur":1})") == "0/0/t");
  CHECK(first_track(R"({"ph":"X","ts":1,"dur":1,"pid":1,"tid":7,"cat":"gpu_user_annotation"})") == "1/7/a");
}

TEST_CASE("chrome_chunk: every slice has its record's offset, before, in and after damaged records") {
  const std::string records =
      R"({"ph":"X","name":"a","ts":1,"dur":1},
{"ph":"X","name":"b "quoted"","ts":2,"dur":1}, {"ph":"X","name":"c","ts":N/A,"dur":1},
{"ph":"X","name":"d","ts":4,"dur":1})";
  const ChromePart part = read(records, 1000);
  CHECK(slices(part) == "a@1000+1000 b \"quoted\"@2000+1000 d@4000+1000");
  const auto& offsets = part.batch.slices.offset;
  CHECK(offsets[0] == 1000);
  CHECK(offsets[1] == 1000 + records.find("{\"ph\":\"X\",\"name\":\"b"));
  CHECK(offsets[2] == 1000 + records.rfind('{'));
  CHECK(part.batch.slices.flags_of(1) == kRepaired);
  CHECK(part.batch.problems.count(ProblemKind::repaired_record) == 1);
  CHECK(part.batch.problems.count(ProblemKind::bad_time) == 1);
  CHECK(part.batch.problems.count(ProblemKind::extra_separators) == 0);
}

TEST_CASE("chrome_chunk: a record that lacks a value is reported once, whatever follows it") {
  const std::string begin = R"({"ph":"X","name":"a","ts":1,"dur":1,)";
  for (const std::string& end : {std::string(R"("cat":})"), std::string(R"("args":"name":"x"}})"), std::string(R"("odd":"name":"x"}})")}) {
    for (const std::string& records : {begin + end, begin + end + R"(,{"ph":"X","name":"b","ts":2,"dur":1})"}) {
      CAPTURE(records);
      const ChromePart part = read(records);
      CHECK(part.batch.problems.count(ProblemKind::repaired_record) + part.batch.problems.count(ProblemKind::replaced_bytes) == 1);
      CHECK(slices(part).starts_with("a@1000+1000"));
    }
  }
}

TEST_CASE("chrome_chunk: an event that may be two records does not prove a guessed chunk") {
  const std::string whole = R"({"ph":"X","name":"a","pid":1,"ts":1,"dur":1},)", inner = R"({"ph":"B","name":"x","pid":1,"ts":90})";
  CHECK(read(whole + whole, 0, true).proven);
  CHECK(read(whole + R"({"ph":"M","name":"thread_name","pid":1,"args":{"name":"m"}},)", 0, true).proven);
  CHECK(read(whole + R"({"ph":"X","name":"a","pid":1,"ts":1,"args":{"in":)" + inner + "}},", 0, true).proven);  // sound: one event
  for (const char* const lacks : {R"({"ph":"X","name":"a","ts":1)", R"({"ph":"X","name":"a","pid":1)", R"({"name":"a","pid":1,"ts":1)"}) {
    CAPTURE(lacks);
    CHECK(read(whole + lacks + "},", 0, true).proven);
    const std::string two = whole + lacks + R"(,"args":{"in":)" + inner + "}},";
    CHECK_FALSE(read(two, 0, true).proven);
    CHECK(read(two).proven);
  }
  // RecordFinder ends a record at a word with a quote, so the inner event counts.
  CHECK_FALSE(read(whole + R"({"ph":X"","pid":1,"ts":1,"name":)" + inner + "},", 0, true).proven);
}

TEST_CASE("chrome_chunk: doubled commas are left for the cutter to report") {
  const ChromePart part = read(R"({"ph":"X","name":"a","ts":1,"dur":1},,{"ph":"X","name":"b","ts":2,"dur":1})");
  CHECK(slices(part) == "a@1000+1000 b@2000+1000");
  CHECK(part.batch.problems.empty());
}

TEST_CASE("chrome_chunk: each finite numeric arg of a counter is a sample of its own series") {
  const ChromePart part = read(
      R"({"ph":"C","name":"mem","ts":1,"pid":3,"args":{"used":5,"free":"2.5","mem":1,"note":"x","deep":{"a":1}}})");
  REQUIRE(part.batch.samples.size() == 3);
  const auto series = [&](std::size_t i) {
    const std::string key(part.batch.tracks[id_at<StrId>(part.batch.samples[i].track)]);
    return key.substr(key.rfind('\x1f') + 2);
  };
  CHECK(series(0) == "mem used");
  CHECK(series(1) == "mem free");
  CHECK(series(2) == "mem");
  CHECK(part.batch.samples[1].value == 2.5);
  CHECK(part.batch.problems.count(ProblemKind::bad_counter) == 1);
  // Neither is a finite double.
  const ChromePart large = read(R"({"ph":"C","name":"mem","ts":1,"args":{"a":1e999,"b":NaN}})");
  CHECK(large.batch.samples.empty());
}

TEST_CASE("chrome_chunk: a flow id is the same in decimal, hex and quoted spelling") {
  const ChromePart part = read(
      R"({"ph":"s","cat":"c","name":"n","id":31,"ts":1},{"ph":"t","cat":"c","name":"n","id":"0x1f","ts":2},)"
      R"({"ph":"f","cat":"c","name":"n","id":"31","bp":"e","ts":3},{"ph":"f","cat":"d","name":"n","id":31,"ts":4})");
  const auto& flows = part.batch.flows;
  REQUIRE(flows.size() == 4);
  CHECK(flows[0].key == flows[1].key);
  CHECK(flows[0].key == flows[2].key);
  CHECK(flows[0].key != flows[3].key);
  CHECK(flows[2].bind == FlowPoint::Bind::Enclosing);
  CHECK(flows[3].bind == FlowPoint::Bind::Next);
}

TEST_CASE("chrome_chunk: local ids match within one process only, global ones in all") {
  const auto keys = [](const std::string& a, const std::string& b) {
    const ChromePart part = read("{\"ph\":\"b\",\"cat\":\"c\",\"ts\":1," + a + "},{\"ph\":\"b\",\"cat\":\"c\",\"ts\":1," + b + "}");
    REQUIRE(part.batch.halves.size() == 2);
    return part.batch.halves[0].key == part.batch.halves[1].key;
  };
  CHECK(keys(R"("id":1,"pid":1)", R"("id":1,"pid":2)"));
  CHECK(keys(R"("id2":{"global":1},"pid":1)", R"("id2":{"global":"0x1"},"pid":2)"));
  CHECK(keys(R"("id2":{"local":1},"pid":1)", R"("id2":{"local":1},"pid":1)"));
  CHECK(!keys(R"("id2":{"local":1},"pid":1)", R"("id2":{"local":1},"pid":2)"));
  CHECK(!keys(R"("id":1,"scope":"a")", R"("id":1,"scope":"b")"));
}

TEST_CASE("chrome_chunk: a sort index becomes a whole number within limits, whatever the file says") {
  const auto place = [](std::string_view text) {
    const ChromePart part = read(R"({"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":)" + std::string(text) + "}}");
    REQUIRE(part.metadata.size() == 1);
    return part.metadata[0].number;
  };
  CHECK(place("-7") == -7);
  CHECK(place("2.5") == 2);
  CHECK(place(R"("nan")") == 0);
  CHECK(place("1e300") == 1'000'000'000'000'000);
  CHECK(place("1e999") == 1'000'000'000'000'000);
  CHECK(place(R"("-1e999")") == -1'000'000'000'000'000);
  CHECK(place("-1e-999") == 0);
  CHECK(place(R"("1e999x")") == 0);
  CHECK(place(R"("-inf")") == -1'000'000'000'000'000);
}

TEST_CASE("chrome_chunk: records without a known phase or a valid time are counted") {
  const ChromePart part = read(
      R"({},{"name":"no phase","ts":1},{"ph":"X","name":"no time"},{"ph":"N","ts":1},{"ph":"X","ts":"soon"})");
  CHECK(part.batch.slices.size() == 0);
  CHECK(part.batch.problems.count(ProblemKind::missing_phase) == 1);
  CHECK(part.batch.problems.count(ProblemKind::bad_time) == 2);
  CHECK(part.batch.problems.count(ProblemKind::unsupported_phase) == 1);
}
