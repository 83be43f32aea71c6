#include "core/store/trace/tell_recordings.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/store/segments/compose.h"
#include "core/store/trace/trace_builder.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

struct File {
  std::string path, group;
  std::optional<std::int64_t> rank = {};
  Ns begin = 0;
};

// One thread with one slice, in a group of the file's own.
SourceView view_of(const File& file) {
  TraceSketch sketch;
  LaneSpec lane;
  lane.path = {{file.group, file.rank.value_or(0), file.path, owner_by_name(file.group, false)}, {"thread 1"}};
  sketch.lane("t", lane);
  sketch.slice("t", file.begin, 100, "work");
  SourceView view = sketch.view();
  view.info.path = file.path;
  view.info.rank = file.rank;
  return view;
}

std::shared_ptr<const Trace> at_once(const std::vector<File>& files) {
  std::vector<SourceView> views;
  for (const File& file : files) views.push_back(view_of(file));
  return build_trace(std::move(views), test_pool());
}

std::vector<std::string> outermost_names(const Trace& trace) {
  std::vector<std::string> names;
  for (std::size_t l = 0; l < trace.lanes.size(); l = idx(trace.lanes[l].subtree_end)) names.push_back(trace.lanes[l].name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("tell_recordings: two files of one rank are named by their difference, in the given order") {
  const File before{"/d/before.json", "rank 0", 0}, after{"/d/after.json", "rank 0", 0};
  CHECK(outermost_names(*at_once({before, after})) == Names{"rank 0, before", "rank 0, after"});
  CHECK(outermost_names(*at_once({after, before})) == Names{"rank 0, after", "rank 0, before"});
  CHECK(outermost_names(*at_once({before})) == Names{"rank 0"});
  CHECK(outermost_names(*at_once({before, {"/d/x.json", "rank 1", 1}})) == Names{"rank 0", "rank 1"});
}

TEST_CASE("tell_recordings: a pid does not distinguish files, and stays after the name of the file") {
  CHECK(outermost_names(*at_once({{"/d/old.nsys-rep", "python, pid 12"}, {"/d/new.nsys-rep", "python, pid 7"}})) ==
        Names{"python, old, pid 12", "python, new, pid 7"});
  CHECK(outermost_names(*at_once({{"/d/old.nsys-rep", "pid 12"}, {"/d/new.nsys-rep", "pid 12"}})) == Names{"pid 12, old", "pid 12, new"});
  // Files that are named after processes add nothing.
  CHECK(outermost_names(*at_once({{"/d/worker_12.nsys-rep", "python, pid 12"}, {"/d/worker_7.nsys-rep", "python, pid 7"}})) ==
        Names{"python, pid 12", "python, pid 7"});
}

TEST_CASE("tell_recordings: ranks that were recorded twice form two recordings, and a file next to them belongs to one") {
  const auto trace = at_once({{"/a/r0.json", "rank 0", 0}, {"/a/r1.json", "rank 1", 1}, {"/a/r2.json", "rank 2", 2},
                              {"/b/r0.json", "rank 0", 0}, {"/b/r1.json", "rank 1", 1}});
  CHECK(outermost_names(*trace) == Names{"rank 0, a", "rank 0, b", "rank 1, a", "rank 1, b", "rank 2"});
  Names recordings;
  for (const SourceInfo& source : trace->sources) recordings.emplace_back(recording_of(source));
  CHECK(recordings == Names{"a", "a", "a", "b", "b"});
  // Programs without a rank may be two of one run.
  const auto one_folder_each = at_once({{"/a/t.json", "trace"}, {"/b/t.json", "trace"}});
  for (const SourceInfo& source : one_folder_each->sources) CHECK(recording_of(source).empty());
}

TEST_CASE("tell_recordings: a view names its lanes as if all had been read at once, and knows the name of each alone") {
  const std::vector<File> files = {{"/d/a.json", "rank 0", 0, 0}, {"/d/b.json", "rank 0", 0, 500}, {"/d/c.json", "rank 0", 0, 900}};
  const auto ab = at_once({files[0], files[1]});
  REQUIRE(outermost_names(*ab) == Names{"rank 0, a", "rank 0, b"});
  auto all = compose({ab, at_once({files[2]})});
  REQUIRE(all);
  CHECK(outermost_names(**all) == outermost_names(*at_once(files)));
  CHECK(outermost_names(**all) == Names{"rank 0, a", "rank 0, b", "rank 0, c"});
  for (std::size_t s = 0; s < files.size(); ++s) CHECK((*all)->sources[s].facts == at_once(files)->sources[s].facts);
  const LaneFiles of_all(**all);
  for (std::size_t l = 0; l < (*all)->lanes.size(); l = idx((*all)->lanes[l].subtree_end)) {
    CHECK(of_all.name_alone(id_at<LaneId>(l)) == "rank 0");
  }
}

TEST_CASE("tell_recordings: files of one path in two packed traces are different files") {
  const auto packed = [](const char* pack) {
    const auto trace = std::const_pointer_cast<Trace>(at_once({{"rank0.json", "rank 0", 0}}));
    trace->sources.front().packed = PackedText{pack, 1, "text 0"};
    return std::shared_ptr<const Trace>(trace);
  };
  auto both = compose({packed("/p/one.tvx"), packed("/p/two.tvx")});
  REQUIRE(both);
  CHECK(outermost_names(**both) == Names{"rank 0, one", "rank 0, two"});
}
