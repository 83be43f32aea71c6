// The window without a display: desk, interface and offscreen renderer, driven frame by frame. Screenshots and scripts use it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/line/options.h"
#include "app/load_user_state.h"
#include "app/stage/window_offscreen.h"
#include "core/session/desk/desk.h"
#include "ui/desk_view.h"
#include "ui/gl/timeline_renderer.h"

namespace tv {

/// The requests of commands to the window. Without a window they are only recorded.
struct AskedOfWindow {
  std::size_t screenshots = 0;
  command::Screenshot last_shot = {};
  std::vector<command::SaveText> files;
  std::string copied;  ///< the last text copied
  bool quit = false, full_screen = false, edit_keys = false;
};

/// Wall times of frames that were not drawn. A long one would have frozen the window.
struct FrameTimes {
  std::size_t count = 0;
  double longest_s = 0;
};

class HeadlessStage {
 public:
  explicit HeadlessStage(const Options& options);

  Desk& desk() { return desk_; }
  Workspace& workspace() { return desk_.current(); }
  Interface& interface() { return view_.interface(); }
  const DeskView& view() const { return view_; }
  UserState& user_state() { return *user_state_; }
  HeadlessIo& io() { return window_.io(); }

  /// Only drawn frames need OpenGL. screenshot() opens OpenGL too; call this to fail before a long load.
  Result<void> open_gl();
  /// Simulates a resize, or a move to another screen. `width` and `height` are multiplied by `scale`.
  Result<void> resize(int width, int height, double scale);
  /// Runs n frames of 1/60 s, without drawing them.
  void frames(int n);
  /// Waits until loading and alignment have finished: with few frames, or with sixty per second like a window.
  void wait_until_loaded(bool at_sixty = false);
  /// Looks for new data in followed files, and runs frames until the data are shown.
  void catch_up();
  /// Runs sixty frames per second for this long. Calls `shown` once for each new snapshot, after the first frame that shows all
  /// its analyses.
  void live(double seconds, const std::function<void()>& shown);
  /// Runs frames until nothing moves (at most ten seconds of frames) and all background results have arrived (without a limit).
  void settle();
  /// Draws one more frame and waits until the GPU has finished. Requires open_gl().
  void drawn_frame();
  /// Draws one more frame and returns the picture.
  Result<Image> screenshot();
  /// The name of the OpenGL driver. Requires open_gl().
  const char* driver() const;
  /// The half of a split view that places in scripts refer to.
  SplitHalf half() { return workspace().state().split() ? half_ : SplitHalf::Upper; }
  void set_half(SplitHalf half) { half_ = half; }
  const AskedOfWindow& asked() const { return asked_; }
  /// Times of the frames since the last call of this function.
  FrameTimes take_frame_times() { return std::exchange(frame_times_, {}); }
  double now_s() const { return static_cast<double>(frame_) / 60.0; }

 private:
  void frame(bool draw);
  void take_requests();
  void remember();

  Options options_;
  ThreadPool pool_;
  Keys keys_;
  Fonts fonts_;
  std::unique_ptr<UserState> user_state_;
  Desk desk_;
  OffscreenWindow window_;
  std::optional<TimelineRenderer> renderer_;
  TimelineCanvas canvas_;
  DeskView view_;
  SplitHalf half_ = SplitHalf::Upper;
  AskedOfWindow asked_;
  long long frame_ = 0;
  FrameTimes frame_times_;
};

}  // namespace tv
