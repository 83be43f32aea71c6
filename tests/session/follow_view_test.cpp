// The view and the selection of a workspace while its files grow.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/session/followed_files.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

// A workspace that follows a rollout whose steps are an hour apart.
class FollowedDesk {
 public:
  FollowedDesk() {
    for (int step = 1; step <= 3; ++step) add(step, 2);
    desk.open({folder.path("run")});
    desk.apply(command::Follow{});
    catch_up();
  }
  void add(int step, int workers) const {
    for (int worker = 0; worker < workers; ++worker) {
      std::string text;
      for (int request = 0; request < 3; ++request) {
        text += R"({"timestamp": "2026-01-05T)" + std::string(step < 10 ? "0" : "") + std::to_string(step) + ":00:1" + std::to_string(request) +
                R"(", "step": )" + std::to_string(step) + R"(, "workid": )" + std::to_string(worker) +
                R"(, "event": "turn_engine_call", "duration_sec": 0.5, "extra": {"request_id": "r)" + std::to_string(request) +
                R"(", "turn": 0, "generated_tokens": 10}})" + "\n";
      }
      folder.write("run/step_" + std::to_string(step) + "/worker_" + std::to_string(worker) + ".jsonl", text);
    }
  }
  void catch_up() {
    desk.ws.session().look_now();
    wait_until([&] {
      desk.frame();
      return desk.ws.session().up_to_date() && !desk.ws.busy();
    });
    desk.settle();
  }
  double end() const { return static_cast<double>(shown_extent(desk.ws.trace()).end); }

  TempDir folder;
  TestDesk desk;
};

}  // namespace

TEST_CASE("workspace: while following, a view stays in place, but a view of everything or of the end follows the data") {
  FollowedDesk followed;
  TestDesk& desk = followed.desk;
  CHECK(desk.ws.session().follow_text().starts_with("Following 6 files"));
  CHECK(desk.shows_everything());
  followed.add(4, 2);
  followed.catch_up();
  CHECK(desk.shows_everything());
  const double first_end = followed.end();
  // A view in the middle.
  desk.apply(command::ZoomTo{{10'000'000'000, 20'000'000'000}});
  const Viewport middle = desk.ws.state().view();
  followed.add(5, 2);
  followed.catch_up();
  CHECK(followed.end() > first_end);
  CHECK(desk.ws.state().view() == middle);
  // A view that reaches a little past the end.
  const double end = followed.end();
  desk.apply(command::ShowTime{end - 9.8e9, 10e9});
  followed.add(6, 2);
  followed.catch_up();
  CHECK(followed.end() > end);
  CHECK(desk.ws.state().view().span == 10e9);
  CHECK(desk.ws.state().view().end() == doctest::Approx(followed.end() + 0.2e9).epsilon(1e-9));
  // Without following, the view stays.
  desk.apply(command::Follow{false});
  desk.wait_for_all();
  CHECK(desk.ws.session().follow_text().empty());
  const Viewport at_end = desk.ws.state().view();
  followed.add(7, 2);
  desk.apply(command::Reload{});
  desk.wait_for_all();
  CHECK(desk.ws.state().view() == at_end);
}

TEST_CASE("workspace: while following, selections of slices, ranges, lanes and gaps stay") {
  FollowedDesk followed;
  TestDesk& desk = followed.desk;
  const SliceId slice = [&] {
    for (const SliceId id : desk.ws.trace().ids()) {
      if (desk.ws.trace().name_of(id).find("engine") != std::string::npos) return id;
    }
    return kNone<SliceId>;
  }();
  REQUIRE(slice != kNone<SliceId>);
  const std::string of(desk.ws.trace().name_of(slice));
  const LaneId lane = desk.ws.trace().row(desk.ws.trace().row_of(slice)).lane;
  const std::string lane_name = desk.ws.trace().lane(lane).name;
  int step = 4;
  const auto grows = [&] {
    followed.add(step, step);  // with one more worker
    ++step;
    followed.catch_up();
  };
  desk.apply(command::SelectSlice{slice});
  desk.apply(command::SelectSameName{});
  grows();
  CHECK(desk.selected() == of);
  CHECK(desk.ws.trace().name_of(desk.ws.state().selection.slice) == desk.ws.trace().labels.name(desk.ws.state().selection.same_name));
  desk.apply(command::ClearSelection{});
  desk.apply(command::SelectRange{{1'000, 2'000}, {desk.lane(lane_name)}});
  grows();
  REQUIRE(desk.ws.state().selection.range);
  CHECK(*desk.ws.state().selection.range == TimeRange{1'000, 2'000});
  REQUIRE(desk.ws.state().selection.lanes.size() == 1);
  CHECK(desk.ws.trace().lane(desk.ws.state().selection.lanes[0]).name == lane_name);
  desk.apply(command::ClearSelection{});
  desk.apply(command::NextGap{false});
  REQUIRE(desk.ws.state().selected.gap);
  const TimeRange gap = desk.ws.state().selected.gap->gap.time;
  grows();
  REQUIRE(desk.ws.state().selected.gap);
  CHECK(desk.ws.state().selected.gap->gap.time == gap);
  CHECK(desk.ws.state().selection.gap == desk.ws.state().selected.gap->gap);
}

TEST_CASE("follow: only the new log is read, and clock offsets apply without reading anything") {
  FollowedDesk followed;
  Session& session = followed.desk.ws.session();
  followed.add(4, 1);
  followed.catch_up();
  CHECK(session.status().bytes_total == fs::file_size(followed.folder.path("run/step_4/worker_0.jsonl")));
  LoadOptions moved;
  moved.clocks = {{"worker_1.jsonl", 3 * kSecond}};
  session.read_with(&ReadSettings::clocks, moved.clocks);
  followed.catch_up();
  CHECK(session.status().bytes_total == 0);
  const auto at_once = load_snapshot({followed.folder.path("run")}, test_pool(), moved)->trace;
  CHECK(first_difference(shown_text(*at_once), shown_text(followed.desk.ws.trace())) == "");
}
