#include "core/export/formats/export_perfetto.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "core/export/parts/record_args.h"
#include "core/read/registry.h"
#include "core/session/records/source_records.h"
#include "tests/export/exported.h"
#include "tests/read/fixture_cases.h"
#include "tests/session/trace_files.h"
#include "tests/support/golden.h"

using namespace tv;
using namespace tv::test;

namespace {

std::shared_ptr<const Trace> perfetto_again(const TempDir& folder, const std::string& bytes) {
  return load_snapshot({folder.write("exported.pftrace", bytes)}, test_pool())->trace;
}

// Cuts a value out of a line of trace_dump.h. Texts have their quotes escaped there, so a quoted key can only be that key.
// Parsing each line with nlohmann took half a minute with the address sanitizer.
std::string between(std::string_view line, std::string_view before, std::string_view after) {
  const auto begin = line.find(before);
  REQUIRE(begin != std::string_view::npos);
  line.remove_prefix(begin + before.size());
  const auto end = after.empty() ? line.size() : line.find(after);
  REQUIRE(end != std::string_view::npos);
  return std::string(line.substr(0, end));
}

// Packing may put groups of a lane into other slots, and the order of records decides which of several slices with the same times
// encloses the others; names, times and self times are the same.
std::string without_rows(const Trace& trace) {
  std::vector<std::string> lines;
  std::map<std::string, std::pair<std::vector<std::string>, std::vector<std::int64_t>>> same_times;
  for (const std::string& text : dump_of(trace)) {
    if (text.find(",\"dur_ns\":") == std::string::npos) {
      lines.push_back(text);
      continue;
    }
    auto& [names, selfs] = same_times[between(text, "{\"lane\":", ",\"row\":") + " " +
                                      between(text, ",\"begin_ns\":", ",\"self_ns\":")];
    names.push_back(between(text, ",\"name\":", ",\"begin_ns\":"));
    selfs.push_back(std::stoll(between(text, ",\"self_ns\":", "")));
  }
  for (auto& [place, said] : same_times) {
    std::ranges::sort(said.first);
    std::ranges::sort(said.second);
    std::string line = place;
    for (std::size_t i = 0; i < said.first.size(); ++i)
      line += " " + said.first[i] + " " + std::to_string(said.second[i]);
    lines.push_back(line + "\n");
  }
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

bool unfinished(const Trace& trace) {
  return std::ranges::any_of(trace.slices.ref, [](ItemRef ref) { return ref.is(kUnfinished); });
}

}  // namespace

TEST_CASE("perfetto export: an export read back equals the original trace, for every fixture without open slices") {
  int compared = 0;
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    const auto trace = load_snapshot(fixture.files, test_pool())->trace;
    if (trace->slices.size() == 0 || unfinished(*trace)) continue;
    const TempDir folder;
    const Exported out = exported(*trace, {}, export_perfetto);
    const auto again = perfetto_again(folder, out.text);
    REQUIRE(again->sources.size() == 1);
    CHECK(again->sources.front().format == "perfetto");
    CHECK(first_difference(without_rows(*trace), without_rows(*again)) == "");
    CHECK(lanes_of(*again) == lanes_of(*trace));
    CHECK(again->sources.front().problems.count(ProblemKind::unsupported_phase) == 0);
    CHECK(again->lost() == 0);
    ++compared;
  }
  CHECK(compared > 40);
}

TEST_CASE("perfetto export: generated traces of every shape survive a round trip") {
  for (const std::uint64_t seed : seeds(90)) {
    CAPTURE(seed);
    CAPTURE(name(shape_of(seed)));
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    const TempDir folder;
    const Exported out = exported(*trace, {}, export_perfetto);
    const auto again = perfetto_again(folder, out.text);
    CHECK(again->slice_count == trace->slice_count);
    CHECK(again->flows.size() == trace->flows.size());
    if (unfinished(*trace)) continue;
    CHECK(first_difference(without_rows(*trace), without_rows(*again)) == "");
    CHECK(lanes_of(*again) == lanes_of(*trace));
  }
}

TEST_CASE("perfetto export: args longer than a read block are written completely") {
  const TempDir folder;
  std::string text = "[";
  std::map<std::string, std::string> said;
  for (const std::size_t length : {3, 300'000, 5, 700'000, 1'000}) {
    const std::string name = "op" + std::to_string(length);
    said[name] = std::string(length, static_cast<char>('a' + said.size()));
    text += (said.size() > 1 ? "," : "") + std::string(R"({"ph":"X","name":")") + name + R"(","ts":)" +
            std::to_string(said.size()) + R"(,"dur":1,"args":{"text":")" + said[name] + R"("}})";
  }
  const auto trace = load_snapshot({folder.write("a.json", text + "]")}, test_pool())->trace;
  const auto again = perfetto_again(folder, exported(*trace, {}, export_perfetto).text);
  REQUIRE(again->slices.size() == said.size());
  for (std::size_t i = 0; i < again->slices.size(); ++i) {
    const auto record = load_args(again->sources.front(), again->slices.ref[i]);
    REQUIRE(record.ok());
    const auto& nodes = record.value().nodes;
    const auto arg = std::ranges::find(nodes, "text", &ArgNode::key);
    REQUIRE(arg != nodes.end());
    CHECK((arg->value == said[name_of(*again, id_at<SliceId>(i))]));  // extra parentheses: too long to print
  }
}
