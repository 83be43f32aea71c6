// Checks for every reader and every fixture. A new format gets all of them for one line in registry.cpp and one file in
// tests/fixtures/READER-ID/.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/io/files/open_stream.h"
#include "core/read/nsys/nsys_names.h"
#include "core/read/registry.h"
#include "core/read/verl/verl_events.h"
#include "core/session/load/load_job.h"
#include "core/session/records/load_args.h"
#include "core/store/logs/metric_bytes.h"
#include "tests/read/fixture_cases.h"
#include "tests/support/gen_trace.h"
#include "tests/support/golden.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

std::shared_ptr<const Trace> load(const std::string& path, std::size_t chunk_bytes = 1 << 20,
                                  ThreadPool& pool = test_pool()) {
  LoadOptions options;
  options.chunk_bytes = chunk_bytes;
  return load_snapshot({path}, pool, options)->trace;
}

// Everything shown, and its origin.
std::string everything(const Trace& trace) {
  std::string text = trace_text(trace) + metric_bytes(trace.metrics);
  for (const ItemRef ref : trace.slices.ref) {
    text += std::to_string(ref.offset()) + "/" + std::to_string(ref.flags()) + "\n";
  }
  for (const SourceInfo& source : trace.sources) {
    text += source.format + " " + std::string(name(source.state)) + " " + source.reason + " " + source.role;
    for (const auto number : {source.rank, source.worker, source.step}) {
      text += number ? " " + std::to_string(*number) : " -";
    }
    for (const std::uint64_t count : {source.slices, source.instants, source.samples, source.flows}) {
      text += " " + std::to_string(count);
    }
    text += "\n";
    for (const ProblemCount& problem : source.problems.entries()) {
      for (const ProblemExample& example : problem.examples) {
        text += std::to_string(example.byte_offset) + " " + example.excerpt + "\n";
      }
    }
  }
  return text;
}

const ArgNode* first_of(const ArgTree& tree, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const ArgNode* node = tree.find(key)) return node;
  }
  return nullptr;
}

// "UVM HtoD" from "Unified Host-to-Device (11)", as in files with tables of enumerations; "kind 99" from a bare number.
std::string copy_in_short(std::string_view said) {
  std::string out = said.starts_with("Unified ") ? "UVM " : "";
  if (!out.empty()) said.remove_prefix(std::string_view("Unified ").size());
  if (const std::size_t to = said.find("-to-"); to != std::string_view::npos) return out + said[0] + "to" + said[to + 4];
  return said.find(' ') == std::string_view::npos ? "kind " + std::string(said) : std::string(said.substr(0, said.find(' ')));
}

// A slice's name according to its database row: the first column with a name, without version and call number.
std::string name_in_row(const ArgTree& tree) {
  if (const ArgNode* kind = tree.find("copyKind")) return "Memcpy " + copy_in_short(kind->value);
  const ArgNode* node = first_of(tree, {"demangledName", "shortName", "nameId", "text", "textId"});
  return node ? std::string(without_call_number(without_api_version(node->value))) : std::string();
}

// A slice's name according to its record alone.
std::string name_in_record(const std::string& reader, const ArgTree& tree) {
  if (reader == "verl_rollout") {
    const ArgNode* event = tree.find("event");
    return event ? std::string(verl_event(event->value, true).name) : "(no event)";
  }
  if (reader == "paddle_log") return tree.find("type")->value + "_" + tree.find("micro_batch_id")->value;
  if (reader == "nsys_sqlite") return name_in_row(tree);
  const ArgNode* node = first_of(tree, {"name", "event"});
  if (!node || node->kind == ArgNode::Kind::Object || node->kind == ArgNode::Kind::Array) return {};
  return node->kind == ArgNode::Kind::Word && node->value == "null" ? std::string() : node->value;
}

bool plain(const std::string& path) { return fs::path(path).extension() != ".gz"; }

// Offsets of all records that became a slice or an instant.
std::set<std::uint64_t> offsets_of(const Trace& trace) {
  std::set<std::uint64_t> offsets;
  for (const ItemRef ref : trace.slices.ref) offsets.insert(ref.offset());
  return offsets;
}

}  // namespace

TEST_CASE("fixtures: every reader has some, and every folder belongs to a reader") {
  std::map<std::string, int> cases;
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    ++cases[fixture.reader];
    CHECK(find_reader(fixture.reader));
    CHECK(!fixture.files.empty());
  }
  for (const Reader* reader : all_readers()) {
    CAPTURE(reader->id);
    const bool alone = reader->id != "nsys_report";  // which needs nsys: nsys_export_test.cpp
    if (reader->read && alone) CHECK(cases[std::string(reader->id)] > 0);
  }
}

TEST_CASE("fixtures: each file's own reader alone has the best score") {
  for (const FixtureCase& fixture : fixture_cases()) {
    for (const std::string& file : fixture.files) {
      CAPTURE(file);
      const auto head = read_text_at(file, 0, 64 << 10);
      REQUIRE(head.ok());
      std::vector<std::string> best;
      int best_score = 0;
      for (const Reader* reader : all_readers()) {
        const int score = reader->probe({file, head.value()});
        CHECK(score >= 0);
        CHECK(score <= 100);
        if (score > best_score) best.clear();
        if (score >= std::max(best_score, 1)) best.emplace_back(reader->id);
        best_score = std::max(best_score, score);
      }
      CHECK(best == std::vector<std::string>{fixture.reader});
    }
  }
}

TEST_CASE("fixtures: every fixture's trace matches its golden") {
  std::set<std::string> goldens;
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    CHECK(goldens.insert(fixture.golden()).second);  // two fixtures of one name would share it
    const auto trace = load(fixture.path);
    CHECK(check_invariants(*trace) == "");
    for (const SourceInfo& source : trace->sources) CHECK(source.state == SourceState::Ready);
    CHECK(golden_difference(fixture.golden(), shortened(trace_text(*trace))) == "");
  }
}

TEST_CASE("fixtures: the result depends neither on the chunk size nor on the number of threads") {
  ThreadPool one(1), two(2), seven(7);
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    const std::string expected = everything(*load(fixture.path));
    for (const std::size_t chunk_bytes : {64, 1024, 1 << 20}) {
      CAPTURE(chunk_bytes);
      for (ThreadPool* pool : {&one, &two, &seven}) {
        CAPTURE(pool->size());
        CHECK(first_difference(expected, everything(*load(fixture.path, chunk_bytes, *pool))) == "");
      }
    }
  }
}

TEST_CASE("fixtures: a fixture cut anywhere keeps the records before the cut") {
  const TempDir folder;
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    const std::string bytes = read_file(fixture.files.front());
    const auto whole = load(fixture.files.front());
    const Reader* reader = find_reader(fixture.reader);
    // A damaged file may be understood differently when cut; in a clean one each record stands alone.
    const bool clean = whole->sources.front().problems.empty() && plain(fixture.files.front());
    const std::set<std::uint64_t> of_whole = offsets_of(*whole);
    Random random(bytes.size());
    const std::size_t chunk_bytes = bytes.size() > (64 << 10) ? 4096 : 64;  // else one record is thousands of chunks
    for (std::uint64_t round = 0; round < rounds(60); ++round) {
      const auto at = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(bytes.size())));
      CAPTURE(at);
      const std::string relative = fs::relative(fixture.files.front(), fixtures_folder()).string();
      const auto cut = load(folder.write(relative, std::string_view(bytes).substr(0, at)), chunk_bytes);
      REQUIRE(check_invariants(*cut) == "");
      REQUIRE(cut->sources.size() == 1);
      if (!clean) continue;
      const std::set<std::uint64_t> kept = offsets_of(*cut);
      for (const std::uint64_t offset : of_whole) {
        if (offset >= at || !reader->record_length) continue;
        const auto length = reader->record_length(std::string_view(bytes).substr(offset, at - offset));
        if (length) REQUIRE(kept.contains(offset));
      }
    }
  }
}

TEST_CASE("fixtures: every record can be decoded and contains its slice's name") {
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    const auto trace = load(fixture.path);
    const std::size_t stride = trace->slices.size() > 1000 ? 97 : 1;
    for (std::size_t i = 0; i < trace->slices.size(); i += stride) {
      const ItemRef ref = trace->slices.ref[i];
      CAPTURE(ref.offset());
      const auto tree = load_args(trace->sources[idx(ref.source())], ref);
      REQUIRE(tree.ok());
      REQUIRE(!tree.value().nodes.empty());
      // Steps of a pipeline log have no record: they use their first job's.
      if (fixture.reader == "paddle_log" && trace->labels.category(trace->slices.label[i]) == "step") continue;
      // Nor have those of a training log: its metrics give the steps and their parts.
      if (!trace->metrics.empty()) {
        CHECK(tree.value().nodes.size() > 1);
        continue;
      }
      const std::string named = name_in_record(fixture.reader, tree.value());
      const std::string_view shown = trace->labels.name(trace->slices.label[i]);
      if (fixture.reader == "nsys_sqlite") {
        CHECK(shown.starts_with(named));  // more follows in "Memcpy HtoD (Pageable -> Device)"
      } else {
        CHECK(named == shown);
      }
    }
  }
}

TEST_CASE("fixtures: counts equal those worked out by hand") {
  const auto expected = nlohmann::json::parse(read_file(fixtures_folder() + "/expected_counts.json"));
  CHECK(expected.size() >= 70);
  for (const auto& [file, counts] : expected.items()) {
    const auto& shown_file = file;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(shown_file);
    const auto trace = load(fixtures_folder() + "/" + file);
    REQUIRE(trace->sources.size() == 1);
    const SourceInfo& source = trace->sources.front();
    CHECK(source.slices == counts["slices"]);
    CHECK(source.instants == counts["instants"]);
    CHECK(source.samples == counts["counters"]);
    CHECK(source.flows == counts["flows"]);
    CHECK(trace->slice_count == source.slices);
    CHECK(trace->flows.size() == source.flows);
    // A reader may recover records that the definitions call lost, but lose no others.
    CHECK(trace->lost() <= counts["lost"]);
    if (counts["begin_ns"].is_null()) continue;
    CHECK(trace->origin_ns + trace->extent.begin == counts["begin_ns"]);
    CHECK(trace->origin_ns + trace->extent.end == counts["end_ns"]);
  }
}

TEST_CASE("fixtures: all files load into one trace, and every fixture file is ready") {
  ThreadPool pool(3);
  const auto trace = load(fixtures_folder(), 1024, pool);
  CHECK(check_invariants(*trace) == "");
  std::uint64_t ready = 0;
  for (const SourceInfo& source : trace->sources) ready += source.state == SourceState::Ready ? 1 : 0;
  std::size_t files = 0;
  for (const FixtureCase& fixture : fixture_cases()) files += fixture.files.size();
  CHECK(ready == files);  // everything else in the folder is known not to be a trace
}
