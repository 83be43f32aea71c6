#include "core/analysis/filter/request_filter.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "core/analysis/statistics/summary.h"
#include "core/base/text/ascii.h"
#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/rollout_sketch.h"

using namespace tv;
using namespace tv::test;

namespace {

RequestFilter parsed(std::string_view text) {
  const auto filter = parse_filter(text);
  REQUIRE_MESSAGE(filter.ok(), text, ": ", filter.error().text());
  return filter.value();
}

RequestSet found(const Rollout& rollout, std::string_view text) {
  return apply(rollout, parsed(text), all_requests(rollout));
}

std::string refused(std::string_view text) {
  const auto filter = parse_filter(text);
  REQUIRE_MESSAGE(!filter.ok(), text);
  return filter.error().message;
}

/// Steps 3 and 4, workers 0 and 2:
///   0: 0.5 s, 1 turn    1: 2.5 s, 3 turns, LENGTH    2: 2 s, turns not said    3: 90 s, 0 turns
std::shared_ptr<const Rollout> four() {
  RolloutSketch s;
  s.file(3, 0).request(0.5, 1, 100, 10 * kSecond).name("aa-1", "STOP");
  s.request(2.5, 3, -1, 12 * kSecond).name("bb-2", "LENGTH").spends(RequestPhase::Tool, 1.5);
  s.last().batch_id = 7;
  s.file(3, 2).request(2, -1, 50, 13 * kSecond).name("AA-3", "STOP");
  s.file(4, 2).request(90, 0, 0, 200 * kSecond).name("cc-4", "");
  return s.build();
}

}  // namespace

TEST_CASE("request_filter: conditions on numeric fields select the expected requests") {
  const auto rollout = four();
  CHECK(found(*rollout, "") == RequestSet{0, 1, 2, 3});
  CHECK(found(*rollout, "  ") == RequestSet{0, 1, 2, 3});
  CHECK(found(*rollout, "dur>2s") == RequestSet{1, 3});
  CHECK(found(*rollout, "dur>=2") == RequestSet{1, 2, 3});
  CHECK(found(*rollout, "dur > 2000ms && dur<1.5min") == RequestSet{1});
  CHECK(found(*rollout, "dur<=1.5min") == RequestSet{0, 1, 2, 3});
  CHECK(found(*rollout, "dur<=1.5m") == RequestSet{0, 1, 2, 3});
  CHECK(found(*rollout, "dur<=0.025h") == RequestSet{0, 1, 2, 3});
  CHECK(found(*rollout, "dur==500000us || dur==90000000000ns") == RequestSet{0, 3});
  CHECK(found(*rollout, "step==3 && worker==2") == RequestSet{2});
  CHECK(found(*rollout, "worker=2") == RequestSet{2, 3});
  CHECK(found(*rollout, "turns>=3") == RequestSet{1});
  CHECK(found(*rollout, "turns==0") == RequestSet{3});
  CHECK(found(*rollout, "tool_s>1 && engine_s<=1s") == RequestSet{1});
  CHECK(found(*rollout, "tok_s==200 || tok_s==25") == RequestSet{0, 2});  // 100 / 0.5, 50 / 2
  CHECK(found(*rollout, "group==7") == RequestSet{1});
  CHECK(found(*rollout, "run==1") == RequestSet{0, 1, 2, 3});
  CHECK(found(*rollout, "end>12.5s") == RequestSet{2, 3});
  CHECK(found(*rollout, "begin<9.6s && begin>=9.5s") == RequestSet{0, 1});
}

TEST_CASE("request_filter: a polygon over two fields selects the points inside it") {
  const auto rollout = four();
  // (dur, turns): (0.5, 1) (2.5, 3) (2, not said) (90, 0)
  CHECK(found(*rollout, "inside(dur, turns, 0, 0, 3s, 0, 3000ms, 4, 0, 4)") == RequestSet{0, 1});
  CHECK(found(*rollout, "inside(dur, turns, 0, 0, 3, 0, 0, 3)") == RequestSet{0});  // below the diagonal
  CHECK(found(*rollout, "!inside(dur,turns,0,0,3,0,0,3) && dur<3") == RequestSet{1, 2});
  // An hourglass on its side, then upright: points above and below its waist are outside, then those left and right of it.
  CHECK(found(*rollout, "inside(dur, turns, 0, 0, 100, 4, 100, 0, 0, 4)") == RequestSet{0, 1});
  CHECK(found(*rollout, "inside(dur, turns, 0, 0, 100, 4, 0, 4, 100, 0)") == RequestSet{3});  // on its lower edge
  const std::string text = "inside(dur, turns, 0, 0, 3, 0.5, 0, 3)";
  CHECK(to_text(parsed(text)) == text);
  CHECK(parsed(to_text(parsed("turns>1 || inside(dur,turns,0,0,1,1,2,0)"))) ==
        parsed("turns>1 || inside(dur,turns,0,0,1,1,2,0)"));
  CHECK(refused("inside(dur, turns, 0, 0, 3, 0)").find("three corners") != std::string::npos);
  CHECK(refused("inside(dur, turns, 0, 0, 3, 0, 1)").find("y of this corner") != std::string::npos);
  CHECK(refused("inside(dur, id, 0, 0, 3, 0, 1, 1)").find("a field") != std::string::npos);
  CHECK(refused("inside(dur, 0, 0, 3, 0, 1, 1)").find("a field") != std::string::npos);
  CHECK(refused("inside(dur, turns, 0, 0, 3, 0, 1, 1").find(")") != std::string::npos);
}

TEST_CASE("request_filter: text fields are compared without case, and patterns can have wildcards") {
  const auto rollout = four();
  CHECK(found(*rollout, "finish==LENGTH") == RequestSet{1});
  CHECK(found(*rollout, "finish=='length'") == RequestSet{1});
  CHECK(found(*rollout, "finish != \"STOP\"") == RequestSet{1});  // request 3 has none
  CHECK(found(*rollout, "id=~aa") == RequestSet{0, 2});
  CHECK(found(*rollout, "id=~'b*2'") == RequestSet{1});
  CHECK(found(*rollout, "id=~'2*b'") == RequestSet{});
  CHECK(found(*rollout, "id=~'*'") == RequestSet{0, 1, 2, 3});
  CHECK(found(*rollout, "id==cc-4") == RequestSet{3});
  CHECK(found(*rollout, R"(id=="a\"b")") == RequestSet{});
  CHECK(found(*rollout, "finish=~''") == RequestSet{0, 1, 2});  // request 3 has none
}

TEST_CASE("request_filter: ! binds tighter than &&, and && tighter than ||") {
  const auto rollout = four();
  CHECK(found(*rollout, "dur<1s || dur>2s && worker==2") == RequestSet{0, 3});
  CHECK(found(*rollout, "(dur<1s || dur>2s) && worker==2") == RequestSet{3});
  CHECK(found(*rollout, "!worker==2") == RequestSet{0, 1});
  CHECK(found(*rollout, "!(worker==2) && !dur<1s") == RequestSet{1});
  CHECK(found(*rollout, "!!worker==2") == RequestSet{2, 3});
  CHECK(found(*rollout, "!(dur<1s || worker==2)") == RequestSet{1});
}

TEST_CASE("request_filter: a missing value satisfies no comparison") {
  const auto rollout = four();
  CHECK(found(*rollout, "turns!=3") == RequestSet{0, 3});
  CHECK(found(*rollout, "turns<3") == RequestSet{0, 3});
  CHECK(found(*rollout, "!(turns<3)") == RequestSet{1, 2});
  CHECK(found(*rollout, "tokens>=0") == RequestSet{0, 2, 3});
  RolloutSketch s;
  s.file(1, 0).request(kNotMeasured);
  CHECK(found(*s.build(), "dur>0 || dur<=0 || dur!=0").empty());
}

TEST_CASE("request_filter: errors name the place and what was expected") {
  CHECK(refused("dur>") == "at the end: expected a time such as 2.5s or 300ms");
  CHECK(refused("dur>fast") == "at character 5, \"fast\": expected a time such as 2.5s or 300ms");
  CHECK(refused("dur>1e308h") == "at character 5, \"1e308h\": expected a time such as 2.5s or 300ms");
  CHECK(refused("inside(dur, turns, 0, 0, -1e308min, 0, 1, 1)").find("a time such as") != std::string::npos);
  CHECK(refused("dur>2d") == "at character 6, \"d\": expected a unit of time: ns, us, ms, s, min or h");
  CHECK(refused("turns>2s") == "at character 8, \"s\": expected a number without a unit");
  CHECK(refused("turns>50%") == "at character 9, \"%\": expected a number without a unit");
  CHECK(refused("speed>2") == "at character 1, \"speed>2\": expected a field");
  CHECK(parse_filter("speed>2").error().remedy.find("tok_s") != std::string::npos);
  CHECK(refused("dur>2s worker==0") == "at character 8, \"worker==0\": expected &&, || or the end");
  CHECK(refused("dur>2s && ") == "at the end: expected a field, ! or (");
  CHECK(refused("(dur>2s") == "at the end: expected &&, || or )");
  CHECK(refused("dur>2s)") == "at character 7, \")\": expected &&, || or the end");
  CHECK(refused("finish==\"训练\" && speed>2") == "at character 17, \"speed>2\": expected a field");
  CHECK(refused("dur=~2") == "at character 4, \"=~2\": expected < <= > >= == or !=");
  CHECK(refused("finish<3") == "at character 7, \"<3\": expected == != or =~");
  CHECK(refused("finish==\"STOP") ==
        "at character 9, \"\"STOP\": expected a closing quote");
  CHECK(refused("id==") == "at the end: expected a string");
  CHECK(refused("dur") == "at the end: expected < <= > >= == or !=");
  CHECK(refused("dur>nan").find("expected a time") != std::string::npos);
  CHECK(refused(std::string(1000, '(')).find("fewer nested parentheses") != std::string::npos);
  CHECK(refused(std::string(1000, '!')).find("fewer nested parentheses") != std::string::npos);
  CHECK(refused(std::string(100'000, ' ') + "dur>2").find("64 KiB") != std::string::npos);
}

TEST_CASE("request_filter: every field has a name, a help text, and either a number or a text") {
  const auto rollout = gen_rollout(1);
  const RequestSet all = all_requests(*rollout);
  for (std::size_t f = 0; f < request_fields().size(); ++f) {
    const RequestFieldInfo& field = request_fields()[f];
    CHECK(static_cast<std::size_t>(field.field) == f);
    CHECK(request_field(field.name) == field.field);
    CHECK(!field.help.empty());
    const std::vector<double> values = field_values(*rollout, field.field, all);
    REQUIRE(values.size() == all.size());
    for (const RequestIx r : {all.front(), all.back()}) {
      CHECK(std::isnan(values[r]) == field.text);
      CHECK(field_text(*rollout, r, field.field).empty() == !field.text);
      if (!field.text) CHECK(field_value(*rollout, r, field.field) == values[r]);
    }
  }
  CHECK(!request_field("Dur"));
  const auto seconds = field_values(*rollout, RequestField::dur, {3, 1});
  CHECK(seconds == std::vector<double>{rollout->seconds[3], rollout->seconds[1]});
}

TEST_CASE("request_filter: phases add up to dur") {
  const auto rollout = gen_rollout(7);
  for (const RequestIx r : all_requests(*rollout)) {
    double sum = 0;
    for (const char* phase : {"engine_s", "tool_s", "reward_s", "processing_s", "pending_s", "other_s"}) {
      sum += field_value(*rollout, r, *request_field(phase));
    }
    CHECK(sum == doctest::Approx(rollout->seconds[r]).epsilon(1e-8));
  }
}

TEST_CASE("request_filter: a range keeps its exact limits when it is written and parsed") {
  CHECK(range_filter("dur", 2.5, 10) == "dur>=2.5s && dur<=10s");
  CHECK(range_filter("turns", 1, 3) == "turns>=1 && turns<=3");
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(range_filter("dur", -infinity, 10) == "dur<=10s");
  CHECK(range_filter("dur", 2.5, infinity) == "dur>=2.5s");
  CHECK(range_filter("dur", -infinity, infinity).empty());
  for (const std::uint64_t seed : seeds(100)) {
    CAPTURE(seed);
    Random random(seed);
    const double least = (random.unit() - 0.5) * std::pow(10, random.in(-12, 12)), most = least + random.unit();
    const RequestFilter filter = parsed(range_filter("dur", least, most));
    REQUIRE(filter.nodes.size() == 3);
    CHECK(filter.nodes[0].number == least);
    CHECK(filter.nodes[1].number == most);
  }
  CHECK(both_filters("", "a") == "a");
  CHECK(both_filters("a", "") == "a");
  CHECK(both_filters("dur>1 || turns>2", "step==3") == "(dur>1 || turns>2) && step==3");
}

namespace {

/// A random expression and what it means.
struct Meant {
  std::string text;
  std::function<bool(RequestIx)> holds;
};

// A comparison with a text that may be empty, look like a number or need escapes.
Meant random_text_comparison(Random& random, const Rollout& rollout) {
  static const std::vector<std::string> fields = {"run", "finish", "id"}, relations = {"==", "!=", "=~"},
                                        texts = {"", "1", "stop", "n", "a\"b\\c'd", "||"};
  const std::string field = random.one_of(fields), relation = random.one_of(relations), wanted = random.one_of(texts);
  return {field + relation + quoted_text(wanted), [&rollout, field, relation, wanted](RequestIx r) {
            const auto run = static_cast<std::size_t>(rollout.steps[rollout.step[r]].run);
            const std::string text =
                lower_case(field == "run" ? rollout.runs[run] : field_text(rollout, r, *request_field(field)));
            if (text.empty()) return false;
            return relation == "=~" ? text.find(wanted) != std::string::npos : (text == wanted) == (relation == "==");
          }};
}

Meant random_filter(Random& random, const Rollout& rollout, int depth) {
  const auto kind = depth == 0 ? 0 : random.in(0, 3);
  if (kind == 0) {
    switch (random.in(0, 4)) {
      case 0: {
        const double limit = rollout.seconds[random.next() % rollout.size()];  // exactly the value of one request
        return {fmt::format("dur>={}s", limit), [&rollout, limit](RequestIx r) { return rollout.seconds[r] >= limit; }};
      }
      case 1: {
        const auto turns = static_cast<int>(random.in(0, 5));
        return {fmt::format("turns!={}", turns), [&rollout, turns](RequestIx r) { return rollout.turns[r] != turns; }};
      }
      case 2: {
        const auto worker = static_cast<std::uint32_t>(random.in(0, 2));
        return {fmt::format("worker=={}", worker),
                [&rollout, worker](RequestIx r) { return rollout.worker[r] == worker; }};
      }
      case 3: return random_text_comparison(random, rollout);
      default:
        return {"finish =~ ' length'", [](RequestIx) { return false; }};
    }
  }
  const Meant a = random_filter(random, rollout, depth - 1);
  if (kind == 1) return {"!(" + a.text + ")", [a](RequestIx r) { return !a.holds(r); }};
  const Meant b = random_filter(random, rollout, depth - 1);
  if (kind == 2) {
    return {"(" + a.text + ")&&(" + b.text + ")", [a, b](RequestIx r) { return a.holds(r) && b.holds(r); }};
  }
  return {"(" + a.text + ") || (" + b.text + ")", [a, b](RequestIx r) { return a.holds(r) || b.holds(r); }};
}

}  // namespace

TEST_CASE("request_filter: random expressions select the expected requests and survive to_text") {
  for (const std::uint64_t seed : seeds(100)) {
    CAPTURE(seed);
    RolloutShape shape;
    shape.requests = seed % 10 == 0 ? 1000 : 10;  // more than a block
    const auto rollout = std::make_shared<Rollout>(*gen_rollout(seed, shape));
    rollout->runs = {"Run 1"};
    Random random(seed);
    const Meant meant = random_filter(random, *rollout, 4);
    CAPTURE(meant.text);
    RequestSet expected;
    for (const RequestIx r : all_requests(*rollout)) {
      if (meant.holds(r)) expected.push_back(r);
    }
    const RequestFilter filter = parsed(meant.text);
    CHECK(apply(*rollout, filter, all_requests(*rollout)) == expected);
    CHECK(parsed(to_text(filter)) == filter);
    // From a part of the requests, only those in it are selected.
    const RequestSet half = [&] {
      RequestSet out;
      for (const RequestIx r : all_requests(*rollout)) {
        if (r % 2 == 0) out.push_back(r);
      }
      return out;
    }();
    std::erase_if(expected, [](RequestIx r) { return r % 2 != 0; });
    CHECK(apply(*rollout, filter, half) == expected);
  }
}

TEST_CASE("request_filter: to_text writes the short form") {
  CHECK(to_text(parsed("( dur > 500ms )&&((turns>=3)||!(finish=='stop'))")) ==
        "dur>0.5s && (turns>=3 || !(finish==\"stop\"))");
  CHECK(to_text(parsed("step==1||step==2||step==3")) == "step==1 || step==2 || step==3");
  CHECK(to_text(parsed("!!dur>1")) == "!!(dur>1s)");
  CHECK(to_text(parsed("")).empty());
}

TEST_CASE("request_filter: random text does not break the parser, and accepted text survives to_text") {
  const std::string alphabet = "dur>2s&|!()=~<\"' turns.e-9%\\*\xC3\xA4";
  for (const std::uint64_t seed : seeds(200)) {
    CAPTURE(seed);
    Random random(seed);
    std::string text;
    for (auto n = random.in(0, 40); n > 0; --n) text += random.one_of(alphabet);
    const auto filter = parse_filter(text);
    if (filter) CHECK(parsed(to_text(filter.value())) == filter.value());
  }
}

TEST_CASE("filters in words: numbers are rounded and get readable units") {
  CHECK(filter_words("dur>=34.07944279971007s && dur<=40s") == "dur >= 34.08 s && dur <= 40 s");
  CHECK(filter_words("dur>0.0123456s") == "dur > 12.35 ms");
  CHECK(filter_words("tokens>=12345 && worker==0") == "tokens >= 12345 && worker == 0");
  CHECK(filter_words("finish==\"LENGTH\" || turns>2") == "finish == \"LENGTH\" || turns > 2");
  CHECK(filter_words("inside(engine_s, dur, 1, 2, 3, 2, 3, 5.123456789)") == "engine_s and dur inside the drawn outline");
  CHECK(filter_words("no filter at all") == "no filter at all");
  CHECK(filter_words("") == "");
}
