#include "core/store/draft/unread_sources.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

SourceInfo unread_source(std::string path, std::string reason, SourceState state = SourceState::Rejected) {
  SourceInfo source;
  source.path = std::move(path);
  source.reason = std::move(reason);
  source.state = state;
  return source;
}

}  // namespace

TEST_CASE("unread_lines: a few files are named, many with the same reason share a line") {
  std::vector<SourceInfo> sources;
  sources.push_back(unread_source("run/trace.json", "", SourceState::Ready));
  for (int i = 0; i < 5000; ++i) {
    sources.push_back(unread_source("run/src/" + std::to_string(i) + (i % 5 == 0 ? ".md" : ".py"), "text of a format"));
  }
  sources.push_back(unread_source("run/LICENSE", "text of a format"));
  sources.push_back(unread_source("run/empty.json", "the file is empty"));
  for (int i = 0; i < 8; ++i) sources.push_back(unread_source("run/rank" + std::to_string(i) + ".json", "", SourceState::LeftOut));
  CHECK(unread_lines(sources) ==
        std::vector<std::string>{"5,001 files: text of a format (4,000 .py, 1,000 .md, 1 without ending; run/src/0.md, ...)",
                                 "run/empty.json: the file is empty",
                                 "8 files: left out: part of another rank, role, step or device (all .json; run/rank0.json, ...)"});
  CHECK(nothing_read(sources, {"run"}).empty());
}

TEST_CASE("unread_lines: thousands of different reasons are cut to a few lines") {
  std::vector<SourceInfo> sources;
  for (int i = 0; i < 2000; ++i) sources.push_back(unread_source("f", "broken at byte " + std::to_string(i)));
  const auto lines = unread_lines(sources);
  REQUIRE(lines.size() == 21);
  CHECK(lines.back() == "1,980 more files are not shown: \"traceview info --json\" gives the reason for each");
}

TEST_CASE("nothing_read: a log without the data for its charts is reported with what it has") {
  SourceInfo log;
  log.path = "train.log";
  log.state = SourceState::Ready;
  CHECK(nothing_read({log}, {"train.log"}).empty());
  log.problems.add(ProblemKind::no_steps, 0, "5 timed calls, but no line of metrics");
  CHECK(why_empty(log) == "5 timed calls, but no line of metrics");
  CHECK(nothing_read({log, unread_source("y", "empty")}, {"d"}) == "train.log: 5 timed calls, but no line of metrics");
  SourceInfo trace = log;
  trace.problems = {};
  trace.slices = 1;
  CHECK(nothing_read({log, trace}, {"d"}).empty());
  SourceInfo quiet;
  quiet.state = SourceState::Ready;
  quiet.problems.add(ProblemKind::no_jobs, 0, {});
  CHECK(why_empty(quiet) == info(ProblemKind::no_jobs).help);
}

TEST_CASE("nothing_read: an empty folder, one file and several files have messages of their own") {
  CHECK(nothing_read({}, {"a", "b"}) == "there are no files in a, b (hidden files are not read)");
  CHECK(nothing_read({unread_source("x.txt", "text")}, {"x.txt"}) == "x.txt: text");
  CHECK(nothing_read({unread_source("x", "text"), unread_source("y", "text")}, {"d"}) == "none of the 2 files could be read: text");
  CHECK(nothing_read({unread_source("x", "text"), unread_source("y", "empty")}, {"d"}) == "none of the 2 files could be read");
}
