// The window without a display: workspace, interface and offscreen renderer together, driven frame by frame. Screenshots
// and scripts are played on it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/line/options.h"
#include "app/remember.h"
#include "app/stage/window_offscreen.h"
#include "core/session/desk/desk.h"
#include "ui/desk_view.h"
#include "ui/gl/timeline_renderer.h"

namespace tv {

/// What commands have asked of a window, which is not there.
struct AskedOfWindow {
  std::size_t screenshots = 0;
  command::Screenshot last_shot = {};
  std::vector<command::SaveText> files;
  std::string copied;  ///< the last one
  bool quit = false, full_screen = false, edit_keys = false;
};

/// How long frames took on the wall, but for drawing them: whether the window ever stood still.
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
  Remembered& remembered() { return *remembered_; }
  HeadlessIo& io() { return window_.io(); }

  /// Frames that are not drawn need no OpenGL. screenshot() opens it; to fail before a long load, open it first.
  Result<void> open_gl();
  /// As a person or another screen does while it runs: the size before scaling, and the scale of everything.
  Result<void> resize(int width, int height, double scale);
  /// Runs n frames of 1/60 s, without drawing them.
  void frames(int n);
  /// Frames until nothing loads any more: none while it loads, or sixty in a second as a window has them.
  void wait_until_loaded(bool at_sixty = false);
  /// Looks for what is new in files that are followed, and frames until it is shown.
  void catch_up();
  /// Sixty frames a second for so long; `shown` is called after each that has another snapshot, and all that is said of it.
  void live(double seconds, const std::function<void()>& shown);
  /// Frames until nothing moves and everything computed in the background has arrived (at most ten seconds of it).
  void settle();
  /// One more frame, drawn to its end, once OpenGL is open.
  void drawn_frame();
  /// Draws one more frame.
  Result<Image> screenshot();
  /// Once OpenGL is open.
  const char* driver() const;
  /// Of two timelines above each other the one in which scripts mean places.
  SplitHalf half() { return workspace().split() ? half_ : SplitHalf::Upper; }
  void set_half(SplitHalf half) { half_ = half; }
  const AskedOfWindow& asked() const { return asked_; }
  /// Of the frames since it was asked last.
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
  std::unique_ptr<Remembered> remembered_;
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
