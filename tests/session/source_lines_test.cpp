#include "core/session/records/source_lines.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "core/read/registry.h"
#include "core/session/load/load_job.h"
#include "tests/io/archives.h"
#include "tests/read/fixture_cases.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("source_lines: each line of a log belongs to the record in it or before it, and the step's line is selected") {
  const TempDir folder;
  const std::string metrics = " - timing_s/gen:2.0 - timing_s/update_actor:1.0 - timing_s/step:3.5";
  const std::string path = folder.write("train.log", "begin\n\x1b[36m(pid=1)\x1b[0m step:1" + metrics + "\nprinted\tbetween\nstep:2" + metrics + "\nend\n");
  const auto trace = load_snapshot({path}, test_pool())->trace;
  SliceId second = kNone<SliceId>;
  for (std::size_t s = 0; s < trace->slices.size(); ++s) {
    if (trace->labels.name(trace->slices.label[s]) == "step 2") second = id_at<SliceId>(s);
  }
  REQUIRE(second != kNone<SliceId>);
  const auto made = source_lines(*trace, second);
  REQUIRE(made.ok());
  const SourceLines& lines = made.value();
  REQUIRE(lines.lines.size() == 5);
  CHECK(lines.from_start);
  CHECK(lines.to_end);
  CHECK(lines.selected == 3);
  CHECK(lines.lines[3].slice == second);
  CHECK(lines.lines[0].text == "begin");
  CHECK(lines.lines[0].slice == kNone<SliceId>);
  CHECK(lines.lines[1].text == "(pid=1) step:1" + metrics);
  CHECK(lines.lines[1].begins);
  CHECK(lines.lines[2].text == "printed between");
  CHECK_FALSE(lines.lines[2].begins);
  CHECK(lines.lines[2].slice == lines.lines[1].slice);
  CHECK(lines.lines[4].slice == second);
}

TEST_CASE("source_lines: shows the lines around the byte of a problem, in a plain and in a compressed file") {
  const TempDir folder;
  std::string text = "[\n";
  for (int i = 0; i < 20'000; ++i) text += event("e" + std::to_string(i), i * 10, 5) + ",\n";
  const std::size_t wrong = text.size();
  text += "{\"ph\":\"X\",\"name\":\"nowhere\",\"pid\":1,\"tid\":1,\"dur\":5},\n" + event("last", 300'000, 5) + "]\n";
  for (const std::string& path : {folder.write("a.json", text), folder.write("b.json.gz", gzipped(text))}) {
    CAPTURE(path);
    const auto trace = load_snapshot({path}, test_pool())->trace;
    const ProblemCount& problem = trace->sources[0].problems.entries().front();
    CHECK(problem.kind == ProblemKind::bad_time);
    REQUIRE(problem.examples.front().byte_offset == wrong);
    const auto made = source_lines(*trace, id_at<SourceId>(0), wrong);
    REQUIRE(made.ok());
    const SourceLine& lit = made.value().lines[made.value().selected];
    CHECK(lit.begin == wrong);
    CHECK(lit.text.find("nowhere") != std::string::npos);
    const auto end = source_lines(*trace, id_at<SourceId>(0), text.size());
    REQUIRE(end.ok());
    CHECK(end.value().to_end);
    CHECK(end.value().selected + 1 == end.value().lines.size());
  }
}

TEST_CASE("source_lines: JSON on one line is split into a line per record, and long lines are cut") {
  const TempDir folder;
  std::string text = "[";
  for (int i = 0; i < 4000; ++i) text += (i ? "," : "") + event("e" + std::to_string(i), i * 10, 5);
  text += R"(,{"ph":"X","name":"huge","ts":50000,"dur":1,"args":{"text":")" + std::string(20'000, 'x') + "\"}}]";
  const auto trace = load_snapshot({folder.write("trace.json", text)}, test_pool())->trace;
  const SliceId middle = slice_named(*trace, "e2000");
  const auto made = source_lines(*trace, middle);
  REQUIRE(made.ok());
  const SourceLines& lines = made.value();
  CHECK_FALSE(lines.from_start);
  CHECK_FALSE(lines.to_end);
  REQUIRE(lines.lines.size() > 100);
  CHECK(lines.lines[lines.selected].slice == middle);
  CHECK(lines.lines[lines.selected].text.find("\"e2000\"") != std::string::npos);
  CHECK(lines.lines[lines.selected + 1].slice == slice_named(*trace, "e2001"));
  const auto last = source_lines(*trace, slice_named(*trace, "huge"));
  REQUIRE(last.ok());
  CHECK(last.value().to_end);
  CHECK(last.value().lines.back().cut);
  CHECK(last.value().lines.back().text.size() == SourceLines::kLongestLine);
}

TEST_CASE("source_lines: a long line is cut between two characters") {
  const TempDir folder;
  for (const std::string before : {"", "x", "xx"}) {
    CAPTURE(before);
    std::string text = R"([{"ph":"X","name":"huge","ts":0,"dur":1,"args":{"text":")" + before;
    for (int i = 0; i < 4000; ++i) text += "\u5b57";
    const auto trace = load_snapshot({folder.write("trace.json", text + "\"}}]")}, test_pool())->trace;
    const auto made = source_lines(*trace, slice_named(*trace, "huge"));
    REQUIRE(made.ok());
    const std::string& line = made.value().lines.back().text;
    CHECK(line.ends_with("\u5b57"));
    CHECK(line.size() <= SourceLines::kLongestLine);
    CHECK(line.size() > SourceLines::kLongestLine - 3);
  }
}

TEST_CASE("source_lines: in every text fixture the selected line contains the record's offset, and lines are in order") {
  for (const FixtureCase& fixture : fixture_cases()) {
    CAPTURE(fixture.path);
    const auto trace = load_snapshot({fixture.path}, test_pool())->trace;
    for (std::size_t s = 0; s < trace->slices.size(); s += 1 + trace->slices.size() / 5) {
      const ItemRef ref = trace->slices.ref[s];
      const SourceInfo& source = trace->sources[idx(ref.source())];
      const auto made = source_lines(*trace, id_at<SliceId>(s));
      if (find_reader(source.format)->open_table) {
        CHECK_FALSE(made.ok());
        continue;
      }
      REQUIRE(made.ok());
      const auto& lines = made.value().lines;
      const std::size_t lit = made.value().selected;
      REQUIRE(lit < lines.size());
      CHECK(lines[lit].begin <= ref.offset());
      if (lit + 1 < lines.size()) CHECK(lines[lit + 1].begin > ref.offset());
      for (std::size_t l = 1; l < lines.size(); ++l) CHECK(lines[l - 1].begin < lines[l].begin);
    }
  }
}

TEST_CASE("source_lines: a missing file gives an error") {
  const TempDir folder;
  const std::string path = folder.write("trace.json", "[" + event("e", 0, 5) + "]");
  const auto trace = load_snapshot({path}, test_pool())->trace;
  std::filesystem::remove(path);
  CHECK_FALSE(source_lines(*trace, id_at<SliceId>(0)).ok());
}
