// A window's workspace for growth kinds. A frame is made when the window was woken or something moves, not by the clock,
// so a busy machine does the same work.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/session/desk/view_state.h"
#include "core/session/workspace/workspace.h"
#include "tests/growth/stages.h"

namespace tv::test {

class GrowthWindow {
  // Background computations may outlive the window.
  struct Woken {
    void set() {
      const std::lock_guard lock(mutex);
      woke = true;
      changed.notify_all();
    }
    void wait() {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, std::chrono::seconds(1), [&] { return std::exchange(woke, false); });
    }
    std::mutex mutex;
    std::condition_variable changed;
    bool woke = false;
  };

  const std::shared_ptr<Woken> woken_ = std::make_shared<Woken>();

 public:
  GrowthWindow() : ws(test_pool(), [woken = woken_] { woken->set(); }, growth_options()) {}

  Workspace ws;

  /// Makes frames until nothing is computed and nothing moves.
  void settle() {
    for (int frames = 0;; ++frames) {
      REQUIRE_MESSAGE(frames < 2000, "the window does not come to rest");
      now_s_ += 1.0 / 60;
      ws.begin_frame(1.0 / 60, now_s_, TimelineGeometry());
      if (ws.state().moving()) continue;
      if (!ws.busy()) break;
      woken_->wait();
    }
    now_s_ += 1;  // the next view is a separate step
    ws.take_requests();
    ws.take_notice();
  }
  template <class C>
  void apply(C command) {
    ws.apply(command);
    settle();
  }
  void open(std::vector<std::string> paths) { apply(command::OpenPaths{std::move(paths)}); }
  void draw() {
    FrameParams params;
    params.width_px = 1000;
    params.height_px = 600;
    params.scroll_y = ws.state().scroll_y();
    params.palette = &ws.palette();
    params.selected = ws.state().selection.slice;
    params.highlighted = ws.state().selection.same_name;
    if (!ws.search().hits().empty()) params.hits = &ws.search().hits();
    const auto lit = ws.lit_slices();
    params.brushed = lit.get();
    builder_.build(ws.snapshot(), ws.state().layout(), ws.state().view(), params, frame_);
  }

 private:
  double now_s_ = 0;
  FrameBuilder builder_;
  TimelineFrame frame_;
};

/// Runs common user actions, which work with any trace, in a window.
inline void use_window(Meter& meter, const std::vector<std::string>& paths) {
  using namespace command;
  GrowthWindow window;
  Workspace& ws = window.ws;
  meter.stage("window open", [&] { window.open(paths), window.draw(); });
  meter.stage("window select", [&] {
    for (const SliceId slice : some_slices(ws.trace())) window.apply(SelectSlice{slice});
    window.apply(NextSlice{}), window.apply(ParentSlice{}), window.apply(ChildSlice{});
    window.apply(FollowFlow{}), window.apply(FollowFlow{true, true});
    window.apply(SelectSameName{}), window.draw();
    for (int i = 0; i < 3; ++i) window.apply(NextGap{});
    window.apply(NextSlowest{}), window.apply(NextStep{}), window.apply(NextStep{true, true});
    window.apply(SelectEverything{}), window.draw();
    window.apply(CopyText{}), window.apply(ClearSelection{});
  });
  meter.stage("window search", [&] {
    window.apply(Search{"o"}), window.draw();
    for (int i = 0; i < 3; ++i) window.apply(NextHit{});
    (void)ws.search().list();
    window.settle();
    window.apply(Search{"dur", true}), window.apply(NextHit{}), window.draw();
    window.apply(Search{""});
    window.apply(FilterSlices{"dur > 4us && name ~ o"}), window.draw(), window.apply(FilterSlices{});
  });
  meter.stage("window lanes", [&] {
    window.apply(ToggleOverview{}), window.draw();
    window.apply(CollapseAll{true}), window.draw(), window.apply(CollapseAll{false}), window.draw();
    for (std::size_t by = 0; by < static_cast<std::size_t>(LaneSort::kCount); ++by) window.apply(SortLanes{static_cast<LaneSort>(by)});
    window.apply(SortLanes{}), window.apply(FilterLanes{"1"}), window.draw(), window.apply(FilterLanes{});
    std::vector<LaneId> lanes;
    for (std::size_t l = 0; l < ws.trace().lanes.size(); l += 2) lanes.push_back(id_at<LaneId>(l));
    window.apply(ChooseLanes{ChooseLanes::What::Hide, lanes}), window.draw();
    window.apply(ChooseLanes{ChooseLanes::What::ShowAll});
    window.apply(ChooseLanes{ChooseLanes::What::Pin, lanes}), window.draw();
    window.apply(SelectRange{{shown_extent(ws.trace())}, lanes});
  });
  meter.stage("window state", [&] {
    const std::string state = view_state_json(ws);
    REQUIRE(apply_view_state(ws, state).ok());
    window.settle(), window.draw();
  });
}

}  // namespace tv::test
