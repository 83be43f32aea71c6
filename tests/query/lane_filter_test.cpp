#include "core/query/lane_filter.h"

#include <doctest/doctest.h>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// rank 0 .. 11, each with GPU 0 / stream 7, GPU 0 / stream 20, worker_3
std::shared_ptr<const Trace> twelve_ranks() {
  TraceSketch sketch;
  for (int r = 0; r < 12; ++r) {
    const std::string rank = "rank " + std::to_string(r);
    for (const auto& path : {std::vector<LaneSegment>{{rank}, {"GPU 0"}, {"stream 7"}},
                             std::vector<LaneSegment>{{rank}, {"GPU 0"}, {"stream 20"}},
                             std::vector<LaneSegment>{{rank}, {"worker_3 (NCCL)"}}}) {
      LaneSpec spec;
      spec.path = path;
      std::string track;
      for (const LaneSegment& segment : path) track += segment.name + "/";
      sketch.lane(track, spec).slice(track, 0, 10);
    }
  }
  return sketch.build();
}

// The number of chosen lanes that are not groups, and their ranks.
std::string chosen_text(const Trace& trace, std::string_view text) {
  auto chosen = chosen_lanes(trace, text);
  if (!chosen) return chosen.error().message;
  std::size_t leaves = 0;
  std::string ranks, last;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (!chosen->lanes[l] || trace.lanes[l].kind == LaneKind::Group) continue;
    ++leaves;
    const std::string rank = trace.path_of(id_at<LaneId>(l))[0].substr(5);
    if (rank != last) ranks += (ranks.empty() ? "" : " ") + rank;
    last = rank;
  }
  return std::to_string(leaves) + " of " + ranks + (chosen->as_expression ? " as expression" : "");
}

}  // namespace

TEST_CASE("chosen_lanes: words, rank numbers and expressions choose lanes") {
  const auto trace = twelve_ranks();
  const std::pair<const char*, const char*> cases[] = {
      {"", "36 of 0 1 2 3 4 5 6 7 8 9 10 11"},
      {"  ", "36 of 0 1 2 3 4 5 6 7 8 9 10 11"},
      {"rank 0..3", "12 of 0 1 2 3"},
      {"RANK 0..3,7  stream 7", "5 of 0 1 2 3 7"},
      {"rank 1", "3 of 1"},
      {"rank 01", "3 of 1"},
      {"rank 1 stream", "2 of 1"},
      {"stream 2", "0 of "},
      {"stream20 rank 2", "0 of "},
      {"worker 3 rank 9..20", "3 of 9 10 11"},
      {"!stream rank 1..2", "2 of 1 2"},
      {"stream !rank 0..9", "4 of 10 11"},
      {"rank 0..3,7 stream !20", "5 of 0 1 2 3 7"},
      {"!nccl !stream 7", "12 of 0 1 2 3 4 5 6 7 8 9 10 11"},
      {"!/stream/", "12 of 0 1 2 3 4 5 6 7 8 9 10 11"},
      {"nccl rank 5", "1 of 5"},
      {"5", "3 of 5"},
      {"rank 3..1", "3..1 is not a list of numbers; write ranges with the smaller number first: 0..3,7"},
      // Words and expressions together.
      {"rank 1 !/stream/", "1 of 1"},
      {"rank 0..3,7 nccl !stream", "5 of 0 1 2 3 7"},
      {"!/nccl/ rank 0..1 /7$/", "2 of 0 1"},
      {"/stream 20/ !rank 0..9", "2 of 10 11"},
      {"/^rank 0 / GPU [01]/ !20", "1 of 0"},  // a slash between names does not end an expression
      {"/stream/ 20 rank 4", "1 of 4"},
      {"rank 2 !/(/", "not a regular expression: ("},
      // Errors are reported.
      {"rank 0..", "0.. is not a list of numbers; write ranges with the smaller number first: 0..3,7"},
      {"rank 0-3", "0-3 is not a list of numbers; write ranges with the smaller number first: 0..3,7"},
      {"rank 1 ! stream", "write \"!\" directly before what it excludes: !cpu"},
      {"/stream", "an expression needs a slash at its end, too: /stream/"},
      {"/^rank [12]$|stream 7$/", "12 of 0 1 2 3 4 5 6 7 8 9 10 11"},
      {"/RANK 1 \\/ gpu/", "2 of 1"},
      {"rank 0 / GPU 0 / stream 20", "1 of 0"},
      {"(nccl)", "12 of 0 1 2 3 4 5 6 7 8 9 10 11"},
      // The earlier syntax of export --lanes.
      {"rank 1[01] / GPU", "4 of 10 11 as expression"},
      {"GPU.*20$", "12 of 0 1 2 3 4 5 6 7 8 9 10 11 as expression"},
      {"no.such", "0 of "},
  };
  for (const auto& [text, expected] : cases) {
    const auto& shown_text = text;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(std::string(shown_text));
    // An error of a regular expression includes the library's message.
    if (std::string_view(expected).starts_with("not a regular")) {
      CHECK(chosen_text(*trace, text).starts_with(expected));
    } else {
      CHECK(chosen_text(*trace, text) == expected);
    }
  }
  for (const char* wrong : {"/thread (/", "thread ("}) {
    CHECK(chosen_text(*trace, wrong).starts_with("not a regular expression"));
  }
}

// A file's author chooses how long a lane's name is; an expression may come from someone else's view file.
TEST_CASE("chosen_lanes: an expression neither hangs nor crashes the program, even on very long names") {
  TraceSketch sketch;
  LaneSpec spec;
  spec.path = {{std::string(300'000, 'a')}};
  sketch.lane("long", spec).slice("long", 0, 10);
  const auto trace = sketch.build();
  for (const char* expression : {"/a.*7/", "/(a*)*b/", "/(a|aa)+$/", "a.*7"}) {
    CAPTURE(std::string(expression));
    CHECK(chosen_lanes(*trace, expression).ok());
  }
  CHECK(chosen_lanes(*trace, "/^(a+)+$/").value().lanes[0]);
  // Neither do deeply nested brackets: the library accepts or rejects them.
  const auto nested = chosen_lanes(*trace, "/" + std::string(100'000, '(') + "a" + std::string(100'000, ')') + "/");
  CHECK((nested.ok() ? nested.value().lanes[0] : !nested.error().message.empty()));
}

TEST_CASE("chosen_lanes: groups are chosen too, by their own path") {
  const auto trace = twelve_ranks();
  auto chosen = chosen_lanes(*trace, "rank 2..3");
  std::size_t groups = 0;
  for (std::size_t l = 0; l < trace->lanes.size(); ++l) groups += chosen->lanes[l] && trace->lanes[l].kind == LaneKind::Group;
  CHECK(groups == 4);
  CHECK(joined_path(*trace, id_at<LaneId>(2)) == "rank 0 / GPU 0 / stream 7");
}
