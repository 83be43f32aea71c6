// A workspace for tests: commands in, frames of 1/60 s on its own clock.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/session/workspace/workspace.h"
#include "core/view/timeline/minimap.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/temp_dir.h"

namespace tv::test {

class TestDesk {
 public:
  explicit TestDesk(std::shared_ptr<Settings> settings = std::make_shared<Settings>(), LoadOptions options = {})
      : ws(test_pool(), {}, std::move(options), std::move(settings)) {}

  Workspace ws;

  void frame() {
    now_s_ += kFrame;
    ws.begin_frame(kFrame, now_s_, geometry);
  }
  /// Runs until nothing moves, and long enough for the next view to count as a separate step.
  void settle() {
    frame();
    wait_until([&] {
      if (ws.answering()) frame();
      return !ws.answering();
    });
    for (int i = 0; ws.state().moving() && i < 600; ++i) frame();
    REQUIRE(!ws.state().moving());
    now_s_ += 1;
    frame();
  }
  void wait() {
    wait_until([&] { return !ws.session().status().running(); });
    settle();
  }
  /// Runs until all reading and computing has ended, and the results are shown.
  void wait_for_all() {
    wait_until([&] {
      frame();
      return !ws.busy();
    });
    settle();
  }
  template <class C>
  void apply(C command) {
    ws.apply(command);
    settle();
  }
  void open(std::vector<std::string> paths, bool add = false) {
    ws.apply(command::OpenPaths{std::move(paths), add});
    wait();
  }
  void select(std::string_view name) { apply(command::SelectSlice{slice_named(ws.trace(), name), true}); }

  std::string selected() const { return name_of(ws.trace(), ws.state().selection.slice); }
  Viewport everything() const { return fit(shown_extent(ws.trace()), reachable_extent(ws.trace())); }
  bool shows_everything() const { return ws.state().view() == everything(); }
  LaneId lane(std::string_view name) const {
    for (std::size_t l = 0; l < ws.trace().lanes.size(); ++l) {
      if (ws.trace().lanes[l].name == name) return id_at<LaneId>(l);
    }
    REQUIRE_MESSAGE(false, "no lane ", name);
    return {};
  }

  TimelineGeometry geometry;

 private:
  static constexpr double kFrame = 1.0 / 60;
  double now_s_ = 0;
};

// 1 ms of two threads: on one a step with two operations, the first with a kernel in it, on the other a wait.
inline std::string steps(const TempDir& folder, const char* file = "steps.json", std::int64_t shift_us = 0) {
  return folder.write(file, "[" + event("step", shift_us, 1000) + "," + event("forward", shift_us + 100, 300) + "," +
                                event("kernel", shift_us + 150, 100) + "," + event("backward", shift_us + 500, 400) + "," +
                                event("wait", shift_us + 200, 600, 3) + "]");
}

}  // namespace tv::test
