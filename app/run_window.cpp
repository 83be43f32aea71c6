#include "app/run_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <thread>

#include "app/first_words.h"
#include "app/frame_pacer.h"
#include "app/key_settings.h"
#include "app/load_options.h"
#include "app/png.h"
#include "app/run_screenshot.h"
#include "app/window_glfw.h"
#include "core/io/new_file.h"
#include "core/session/window_title.h"
#include "core/session/workspace.h"
#include "ui/gl/timeline_renderer.h"
#include "ui/interface.h"

namespace tv {
namespace fs = std::filesystem;
namespace {

// A new file: in ~/Pictures when there is one, else where the program was started.
fs::path new_file_path(const std::string& name, std::string_view ending) {
  const char* home = std::getenv("HOME");
  const fs::path pictures = home ? fs::path(home) / "Pictures" : fs::path();
  std::error_code code;
  const fs::path folder = fs::is_directory(pictures, code) ? pictures : fs::current_path(code);
  const std::time_t now = std::time(nullptr);
  char stamp[32];
  std::strftime(stamp, sizeof(stamp), "%Y-%m-%d_%H-%M-%S", std::localtime(&now));
  return folder / fmt::format("{}_{}{}", name, stamp, ending);
}

// Frames as slow as over remote X, for tests of what the user does meanwhile: so many milliseconds are slept in each.
std::chrono::milliseconds frame_delay() {
  const char* given = std::getenv("TRACEVIEW_FRAME_DELAY_MS");
  return std::chrono::milliseconds(given ? std::clamp(std::atoi(given), 0, 5000) : 0);
}

class WindowLoop {
 public:
  WindowLoop(Window window, const Options& options, Keys& keys, Fonts& fonts, std::string words)
      : window_(std::move(window)),
        words_(std::move(words)),
        pool_(options.threads),
        workspace_(pool_, Window::wake, load_options(options)),
        keys_(keys),
        fonts_(fonts) {
    if (options.light) workspace_.set_theme(ThemeKind::Light);
  }

  Result<void> run(std::vector<std::string> paths) {
    auto renderer = TimelineRenderer::create(window_.gl());
    if (!renderer) return renderer.error();
    TimelineCanvas canvas(&*renderer);
    Interface interface(workspace_, keys_, fonts_, canvas, Window::wake);
    if (!words_.empty()) interface.notify(words_, Window::now_s());
    if (!paths.empty()) workspace_.apply(command::OpenPaths{std::move(paths), false});
    while (!window_.should_close()) {
      const Activity activity{interface.animating() || window_.drag_hovers() || window_.input_waiting(), workspace_.session().status().running(), !window_.minimised()};
      if (window_.wait(pacer_.wait_s(Window::now_s(), activity))) pacer_.wake();
      take_dropped();
      if (!pacer_.due(Window::now_s(), activity)) continue;
      draw(interface);
      pacer_.drawn(Window::now_s());
    }
    return {};
  }

 private:
  static constexpr double kLongestStep_s = 0.1;  // after an idle time nothing jumps

  void take_dropped() {
    Window::Drop drop = window_.take_dropped();
    if (!drop.empty()) workspace_.apply(command::OpenPaths{std::move(drop.paths), drop.shift.value_or(keys_.shift())});
  }

  void draw(Interface& interface) {
    const double now = Window::now_s();
    const double dt = std::min(now - last_s_, kLongestStep_s);
    last_s_ = now;
    const bool hovers = window_.drag_hovers();
    interface.set_drop_target(hovers, hovers && window_.shift_down().value_or(keys_.shift()));
    interface.prepare(window_.ui_scale(), window_.pixel_ratio());
    window_.begin_frame();
    std::this_thread::sleep_for(slowed_by_);
    interface.frame(ImGui::GetIO().DisplaySize, static_cast<float>(dt), now);
    if (interface.expects_text()) window_.expect_text();
    Image picture;
    window_.end_frame(interface.backdrop(), shots_.empty() ? nullptr : &picture);
    for (const command::Screenshot& shot : std::exchange(shots_, {})) save(interface, picture, shot);
    WindowRequests requests = workspace_.take_requests();
    if (requests.quit) window_.request_close();
    if (requests.toggle_full_screen) window_.set_fullscreen(!window_.fullscreen());
    for (const std::string& text : requests.copies) {
      window_.set_clipboard(text);
      interface.notify("copied", now);
    }
    for (const command::SaveText& file : requests.files) save(interface, file);
    if (requests.edit_keys) edit_keys(interface);
    if (requests.keep_mouse) {
      if (const auto kept = keep_mouse_in_file(*requests.keep_mouse); !kept) interface.notify(kept.error().text(), now);
    }
    shots_ = std::move(requests.screenshots);
    set_title();
  }

  void save(Interface& interface, const Image& picture, const command::Screenshot& shot) {
    const fs::path path = shot.path.empty() ? new_file_path(shot.name, ".png") : fs::path(shot.path);
    // Areas are in ImGui's units, which on some screens are several pixels.
    const float ratio = static_cast<float>(picture.width) / std::max(1.0f, ImGui::GetIO().DisplaySize.x);
    const auto pixels = [ratio](float units) { return static_cast<int>(std::lround(units * ratio)); };
    const command::ScreenArea& area = shot.area;
    const bool whole = area.width <= 0 || area.height <= 0;
    const Result<void> written =
        write_png(path, whole ? picture
                              : cropped(picture, pixels(area.x), pixels(area.y), pixels(area.width), pixels(area.height)));
    report_saved(interface, path, written);
  }

  void save(Interface& interface, const command::SaveText& file) {
    const fs::path name = file.name;
    const fs::path path = new_file_path(name.stem().string(), name.extension().string());
    auto saved = NewFile::create(path.string());
    Result<void> written = saved ? saved.value().append(file.text) : Result<void>(saved.error());
    if (written) written = saved.value().commit();
    report_saved(interface, path, written);
  }

  void edit_keys(Interface& interface) {
    const auto path = key_file_to_edit();
    if (path) window_.set_clipboard(path.value());
    interface.notify(path ? "keys are in " + path.value() + " (copied); they count from the next start" : path.error().text(),
                     Window::now_s());
  }

  void report_saved(Interface& interface, const fs::path& path, const Result<void>& written) {
    interface.notify(written ? "saved " + path.string() : written.error().text(), Window::now_s());
  }

  void set_title() {
    std::string title = window_title(workspace_);
    if (title != title_) window_.set_title(title_ = title);
  }

  Window window_;
  std::string words_;  // to be said first
  ThreadPool pool_;
  Workspace workspace_;
  Keys& keys_;
  Fonts& fonts_;
  FramePacer pacer_;
  std::chrono::milliseconds slowed_by_ = frame_delay();
  double last_s_ = 0;
  std::string title_;
  std::vector<command::Screenshot> shots_;  // taken with the next frame
};

}  // namespace

namespace {

int draw_instead(const Options& options, const Error& why) {
  Options picture = options;
  picture.output = free_path(options.picture);
  fmt::print(stderr, "traceview: {}: the view is drawn into a picture instead\n", why.message);
  const int exit = run_screenshot(picture);
  std::error_code code;
  const fs::path written = fs::absolute(picture.output, code);
  if (fs::exists(written, code)) fmt::print(stderr, "traceview: {}\n", written.string());
  return exit;
}

}  // namespace

int run_window(const Options& options) {
  const FirstWords words = first_words(options);
  fmt::print(stderr, "{}", words.text);
  if (words.fatal) return exit_code::kNotRecognised;
  const std::string wrong_keys = use_key_file();
  fmt::print(stderr, "{}", wrong_keys);
  const auto lines = std::ranges::count(wrong_keys, '\n');
  Keys keys;
  Fonts fonts;
  auto window = Window::create({}, keys, fonts);
  if (!window && !options.picture.empty() && !options.paths.empty()) return draw_instead(options, window.error());
  if (!window) {
    fmt::print(stderr, "traceview: {}\n", window.error().text());
    return exit_code::kNoDisplay;
  }
  std::string first_line = wrong_keys.substr(0, wrong_keys.find('\n'));
  if (lines > 1) first_line += fmt::format(" (and {} more lines)", lines - 1);
  const Result<void> done = WindowLoop(std::move(*window), options, keys, fonts, std::move(first_line)).run(options.paths);
  if (done) return exit_code::kOk;
  fmt::print(stderr, "traceview: {}\n", done.error().text());
  return exit_code::kFailed;
}

}  // namespace tv
