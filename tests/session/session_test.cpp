#include "core/session/workspace/session.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <atomic>

#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string trace_of(std::initializer_list<const char*> names) {
  std::string text = "[";
  std::int64_t ts = 0;
  for (const char* name : names) text += (text.size() > 1 ? "," : "") + event(name, ts += 10, 5);
  return text + "]";
}

void wait_for(const Session& session) {
  wait_until([&] { return !session.status().running(); });
}

// Names of the slices, in order.
std::string names(const Snapshot& snapshot) {
  std::string text;
  for (const SliceId slice : snapshot.trace->ids()) text += name_of(*snapshot.trace, slice) + " ";
  return text;
}

const Result<ArgTree>& args_of(Session& session, const Snapshot& snapshot, SliceId slice) {
  wait_until([&] { return session.args(snapshot, slice).tree != nullptr; });
  static std::shared_ptr<const Result<ArgTree>> tree;
  tree = session.args(snapshot, slice).tree;
  return *tree;
}

}  // namespace

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("session: without open files the snapshot is empty, not null") {
  Session session(test_pool(), {});
  REQUIRE(session.snapshot());
  CHECK(session.snapshot()->complete);
  CHECK(session.snapshot()->trace->items() == 0);
  CHECK(session.snapshot()->index);
  CHECK(!session.busy());
  CHECK(!session.status().running());
  session.reload();
  session.cancel();
  wait_for(session);
  CHECK(session.snapshot()->trace->items() == 0);
}

TEST_CASE("session: open wakes the window and gives a newer generation") {
  const TempDir folder;
  std::atomic<int> woken = 0;
  Session session(test_pool(), [&] { ++woken; });
  const std::uint64_t before = session.snapshot()->generation;
  const std::string path = folder.write("a.json", trace_of({"a1", "a2"}));
  session.open({path, path});  // the same path twice counts once
  CHECK(session.paths() == std::vector<std::string>{path});
  wait_for(session);
  CHECK(names(*session.snapshot()) == "a1 a2 ");
  CHECK(session.snapshot()->complete);
  CHECK(session.snapshot()->generation > before);
  CHECK(session.status().stage == LoadStatus::Stage::Done);
  wait_until([&] { return woken > 0; });
}

TEST_CASE("session: open replaces the open files or adds to them") {
  const TempDir folder;
  Session session(test_pool(), {});
  const std::string a = folder.write("a.json", trace_of({"a1"})), b = folder.write("b.json", trace_of({"b1"}));
  session.open({a});
  wait_for(session);
  session.open({b});
  wait_for(session);
  CHECK(names(*session.snapshot()) == "b1 ");
  session.open({a}, true);
  wait_for(session);
  CHECK(session.paths() == std::vector<std::string>{b, a});
  CHECK(session.snapshot()->trace->sources.size() == 2);
  CHECK(session.snapshot()->trace->slice_count == 2);
  session.open({a}, true);  // is open already
  wait_for(session);
  CHECK(session.snapshot()->trace->slice_count == 2);
}

TEST_CASE("session: a new view reuses overviews and labels of the previous one") {
  const TempDir folder;
  Session session(test_pool(), {});
  const auto file_of = [&](int process) {
    return folder.write(fmt::format("{}.json", process),
                        fmt::format(R"([{{"ph":"X","name":"n","pid":{},"tid":1,"ts":0,"dur":5}}])", process));
  };
  session.open({file_of(1), file_of(2)});
  wait_for(session);
  const auto before = session.snapshot();
  session.open({file_of(3)}, true);
  wait_for(session);
  const auto now = session.snapshot();
  REQUIRE(now->trace->lanes.size() > before->trace->lanes.size());
  std::size_t shared = 0;
  for (std::size_t l = 0; l < before->trace->lanes.size(); ++l) {
    const Overview* const overview = before->index->overview(id_at<LaneId>(l));
    REQUIRE(now->trace->path_of(id_at<LaneId>(l)) == before->trace->path_of(id_at<LaneId>(l)));
    if (overview && now->index->overview(id_at<LaneId>(l)) == overview) ++shared;
  }
  CHECK(shared >= 2);  // of two processes
  CHECK(now->trace->labels.name(id_at<LabelId>(0)).data() == before->trace->labels.name(id_at<LabelId>(0)).data());
}

TEST_CASE("session: open while loading: no snapshot of the old load arrives afterwards") {
  const TempDir folder;
  const std::string large = folder.write("large.json", long_trace(12 << 20));
  const std::string small = folder.write("small.json", trace_of({"small"}));
  Session session(test_pool(), {});
  for (int round = 0; round < 5; ++round) {
    session.open({large});
    if (round > 0) wait_until([&] { return session.status().bytes_done > 0; });
    session.open({small});
    const std::uint64_t then = session.snapshot()->generation;
    bool only_small = true;
    wait_until([&] {
      const auto snapshot = session.snapshot();
      if (snapshot->generation > then) only_small &= names(*snapshot) == "small ";
      return !session.status().running();
    });
    CHECK(only_small);
    CHECK(names(*session.snapshot()) == "small ");
  }
}

TEST_CASE("session: close empties the session at any stage of a load") {
  const TempDir folder;
  const std::string path = folder.write("a.json", trace_of({"a1"}));
  const std::string large = folder.write("large.json", long_trace(9 << 20));
  for (int round = 0; round < 50; ++round) {
    Session session(test_pool(), {});
    session.open({round % 10 == 0 ? large : path});
    if (round % 2 == 0) wait_until([&] { return session.status().stage >= LoadStatus::Stage::Building; });
    session.close();
    const auto snapshot = session.snapshot();
    REQUIRE(snapshot->trace->items() == 0);
    REQUIRE(session.paths().empty());
    REQUIRE(!session.status().running());
    // A late snapshot of the cancelled load would be the newest one.
    test_pool().submit([] {}).get();
    REQUIRE(session.snapshot() == snapshot);
  }
}

TEST_CASE("session: cancel keeps the last snapshot") {
  const TempDir folder;
  Session session(test_pool(), {});
  session.open({folder.write("a.json", trace_of({"a1"}))});
  wait_for(session);
  const auto shown = session.snapshot();
  session.open({folder.write("large.json", long_trace(12 << 20))});
  session.cancel();
  wait_for(session);
  const bool finished_first = session.status().stage == LoadStatus::Stage::Done;
  CHECK((finished_first || session.status().stage == LoadStatus::Stage::Cancelled));
  if (!finished_first) CHECK((session.snapshot() == shown || !session.snapshot()->complete));
}

TEST_CASE("session: reload shows what was appended to the file") {
  const TempDir folder;
  Session session(test_pool(), {});
  session.open({folder.write("a.json", "[" + event("a1", 0, 5))});
  wait_for(session);
  CHECK(names(*session.snapshot()) == "a1 ");
  folder.append("a.json", ",\n" + event("a2", 10, 5));
  session.reload();
  wait_for(session);
  CHECK(names(*session.snapshot()) == "a1 a2 ");
}

TEST_CASE("session: args of a slice are read, and a changed file gives an error until it is reloaded") {
  const TempDir folder;
  Session session(test_pool(), {});
  session.open({folder.write("a.json", trace_of({"a1", "a2"}))});
  wait_for(session);
  const auto snapshot = session.snapshot();
  for (const char* name : {"a1", "a2", "a1"}) {
    const auto& tree = args_of(session, *snapshot, slice_named(*snapshot->trace, name));
    REQUIRE(tree.ok());
    CHECK(tree.value().find("name")->value == name);
  }
  CHECK(!session.busy());
  folder.append("a.json", "  ");
  const auto& stale = args_of(session, *snapshot, slice_named(*snapshot->trace, "a2"));
  REQUIRE(!stale.ok());
  CHECK(stale.error().message == "the file has changed since it was loaded");

  session.reload();
  wait_for(session);
  const auto reloaded = session.snapshot();
  CHECK(args_of(session, *reloaded, slice_named(*reloaded->trace, "a2")).ok());
}

TEST_CASE("session: destroying it stops a load at any time, with no wake-up afterwards") {
  const TempDir folder;
  const std::string large = folder.write("large.json", long_trace(9 << 20));
  for (int round = 0; round < 10; ++round) {
    std::atomic<bool> gone = false, woken_after = false;
    {
      Session session(test_pool(), [&] { woken_after = woken_after || gone; });
      session.open({large});
      if (round % 2 == 0) session.open({large});
      if (round % 3 == 0) wait_until([&] { return session.status().bytes_done > 0; });
    }
    gone = true;
    test_pool().submit([] {}).get();
    CHECK(!woken_after);
  }
}

TEST_SUITE_END();
