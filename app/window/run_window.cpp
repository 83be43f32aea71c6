#include "app/window/run_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "app/key_settings.h"
#include "app/line/load_options.h"
#include "app/load_user_state.h"
#include "app/stage/png.h"
#include "app/stage/run_screenshot.h"
#include "app/terminal/say.h"
#include "app/window/copy_picture.h"
#include "app/window/diagnostics.h"
#include "app/window/display_gone.h"
#include "app/window/frame_pacer.h"
#include "app/window/new_file_path.h"
#include "app/window/start_messages.h"
#include "app/window/window_glfw.h"
#include "app/window/x_errors.h"
#include "core/base/text/count_text.h"
#include "core/base/text/path_parts.h"
#include "core/io/files/folder_watch.h"
#include "core/io/written/new_file.h"
#include "core/session/desk/desk.h"
#include "core/session/desk/desktop_dialog.h"
#include "core/session/desk/desktop_theme.h"
#include "core/session/desk/window_title.h"
#include "core/session/workspace/workspace.h"
#include "ui/desk_view.h"
#include "ui/gl/timeline_renderer.h"

namespace tv {
namespace fs = std::filesystem;
namespace {

// How long each frame sleeps. Input tests set it, to simulate frames as slow as over remote X.
std::chrono::milliseconds frame_delay() {
  const char* given = std::getenv("TRACEVIEW_FRAME_DELAY_MS");
  return std::chrono::milliseconds(given ? std::clamp(std::atoi(given), 0, 5000) : 0);
}

std::string first_of_lines(const std::string& text) {
  const auto lines = std::ranges::count(text, '\n');
  return text.substr(0, text.find('\n')) + (lines > 1 ? fmt::format(" (and {})", count_text(lines - 1, "more line")) : std::string());
}

class WindowLoop {
 public:
  WindowLoop(Window window, const Options& options, UserState& user_state, Keys& keys, Fonts& fonts, std::string first_notice)
      : window_(std::move(window)),
        first_notice_(std::move(first_notice)),
        user_state_(user_state),
        pool_(options.threads),
        desk_(pool_, Window::wake, load_options(options, *user_state.settings()), user_state.settings()),
        keys_(keys),
        fonts_(fonts),
        uses_key_file_(!options.safe_mode) {
    watch_files();
    ask_theme();
    desk_.set_native_dialogs(dialog_.available());
  }

  // Clears the handlers first, because what they would save is destroyed before the window.
  ~WindowLoop() {
    when_display_gone(nullptr);
    when_window_gone(nullptr);
  }
  WindowLoop(const WindowLoop&) = delete;
  WindowLoop& operator=(const WindowLoop&) = delete;

  Result<void> run(std::vector<std::string> paths) {
    if (auto made = make_renderer(); !made) return made;
    when_display_gone([this] {
      const std::vector<Workspace*> views = views_of(desk_);
      user_state_.save({last_s_, views, desk_.current_index(), {}});
      return std::ranges::any_of(views, [](const Workspace* view) { return view->session().anything_open(); });
    });
    when_window_gone([this] { user_state_.quit({last_s_, views_of(desk_), desk_.current_index(), {}}); });
    TimelineCanvas canvas(&*renderer_);
    DeskView view(desk_, keys_, fonts_, canvas, Window::wake);
    view.set_about(diagnostics(window_.gl(), fonts_.files()));
    if (!first_notice_.empty()) view.interface().notify(first_notice_, Window::now_s());
    const bool reopens = user_state_.settings()->reopen == ReopenChoice::Always && user_state_.last_session() && !user_state_.crashed();
    if (!paths.empty()) {
      desk_.apply(command::OpenPaths{std::move(paths), false});
    } else if (reopens) {
      apply_user_state(user_state_, desk_, command::ReopenSession{});
    }
    while (!window_.should_close()) {
      const bool moves = view.interface().animating() || !shots_.empty() || window_.drag_at();
      const Activity activity{moves, desk_.loading() || view.interface().panels().others().busy(), window_.input_waiting(), !window_.minimised()};
      const double wait_s = std::min(pacer_.wait_s(Window::now_s(), activity), user_state_.wait_s(Window::now_s()));
      if (window_.wait(wait_s)) pacer_.wake();
      look_around(view.interface());
      take_dropped(view.interface());
      take_answer(view.interface());
      const bool drawn = pacer_.due(Window::now_s(), activity);
      if (drawn) {
        draw(view);
        pacer_.drawn(Window::now_s(), activity);
        if (window_.lost()) {
          if (auto renewed = renew(); !renewed) return renewed;
          view.set_about(diagnostics(window_.gl(), fonts_.files()));
          view.interface().notify(losses_ < kLossesOfACard
                                      ? "the graphics driver was reset; the window was recreated"
                                      : "the graphics driver was reset repeatedly; the window is now drawn without the graphics card",
                                  Window::now_s());
        }
      }
      remember(view.interface(), drawn);
    }
    const std::vector<Workspace*> views = views_of(desk_);
    user_state_.quit({Window::now_s(), views, desk_.current_index(), window_.place()});
    return {};
  }

 private:
  static constexpr int kLossesOfACard = 3;  // after this many losses in quick succession, the window uses software OpenGL
  static constexpr double kLongestStep_s = 0.1;  // limits jumps after an idle time

  static std::optional<ImVec2> place(const std::optional<std::pair<float, float>>& at) {
    return at ? std::optional(ImVec2{at->first, at->second}) : std::nullopt;
  }

  Result<void> make_renderer() {
    auto made = TimelineRenderer::create(window_.gl());
    if (!made) return made.error();
    renderer_.emplace(std::move(*made));
    return {};
  }

  // Reopens the window after the GPU was reset or removed: with software OpenGL if this happens repeatedly.
  Result<void> renew() {
    constexpr double kSoon_s = 30;
    losses_ = Window::now_s() - lost_s_ < kSoon_s ? losses_ + 1 : 1;
    lost_s_ = Window::now_s();
    renderer_.reset();
    if (auto renewed = window_.renew(losses_ >= kLossesOfACard); !renewed) return renewed;
    if (auto made = make_renderer(); !made) return made;
    title_.clear();
    pacer_.wake();
    return {};
  }

  void remember(Interface& interface, bool drawn) {
    const std::vector<Workspace*> views = views_of(desk_);
    user_state_.follow({Window::now_s(), views, desk_.current_index(), window_.place(), drawn});
    if (std::string notice = user_state_.take_notice(); !notice.empty()) {
      interface.notify(std::move(notice), Window::now_s());
      pacer_.wake();
    }
  }

  void watch_files() {
    const auto folder = [](const std::string& path) { return std::string(folder_of(path)); };
    std::vector<std::string> folders = {folder(user_state_.settings_path())};
    if (uses_key_file_) folders.push_back(folder(key_file_path()));
    watch_.emplace(folders, Window::wake);
  }

  // Picks up edited settings and key files, and changes of the desktop's theme.
  void look_around(Interface& interface) {
    const bool focused = window_.take_focused();
    if (focused && user_state_.settings()->theme == ThemeChoice::System) ask_theme();
    if (!watch_->take() && !focused) return;
    user_state_.look_again();
    const auto wrong = uses_key_file_ ? use_changed_key_file() : std::nullopt;
    if (wrong) interface.notify(wrong->empty() ? "the keys of " + std::string(last_part(key_file_path())) + " are in use now" : first_of_lines(*wrong), Window::now_s());
    pacer_.wake();
  }

  // Asks in the background, because the desktop may take seconds to answer.
  void ask_theme() {
    if (asking_theme_.exchange(true)) return;
    theme_asker_ = std::jthread([this](const std::stop_token& stop) {
      desktop_theme_ = ask_desktop_theme(stop).value_or(desktop_theme_.load());
      asking_theme_ = false;
      if (!stop.stop_requested()) Window::wake();
    });
  }

  void take_dropped(Interface& interface) {
    Window::Drop drop = window_.take_dropped();
    if (!drop.empty()) interface.drop(std::move(drop.paths), place(drop.at), drop.shift.value_or(keys_.shift()));
  }

  void ask_desktop(Interface& interface, const WindowRequests& requests) {
    if (!requests.open_dialog && !requests.choose_file) return;
    if (dialog_.open()) return interface.notify("a dialog is already open, maybe behind this window", Window::now_s());
    asking_tab_ = desk_.current_id();
    dialog_command_ = requests.open_dialog.value_or(command::OpenDialog{});
    const FilePurpose opens = dialog_command_.folder ? FilePurpose::OpenFolder : FilePurpose::OpenTraces;
    const std::vector<std::string>& paths = desk_.current().session().paths();
    const std::string folder = paths.empty() ? std::string() : std::string(folder_of(paths.front()));
    dialog_.ask(requests.choose_file.value_or(FileQuestion{opens, {}}), folder, window_.name());
  }

  // Hands the answer to the tab that asked, which may no longer be the current one. If that tab is closed, the answer is dropped.
  void take_answer(Interface& interface) {
    const auto answer = dialog_.take();
    const auto tab = answer ? desk_.index_of(asking_tab_) : std::nullopt;
    if (!tab) return;
    Workspace& workspace = desk_.at(*tab);
    const bool opens = answer->question.purpose == FilePurpose::OpenTraces || answer->question.purpose == FilePurpose::OpenFolder;
    if (answer->failed) {
      desk_.set_native_dialogs(false);  // from now on, the window's own dialog is used
      opens ? workspace.apply(dialog_command_) : workspace.apply(command::ChooseFile{answer->question});
    } else if (!opens) {
      workspace.apply(command::FilesChosen{answer->question.purpose, answer->paths});
    } else if (dialog_command_.add || dialog_command_.new_tab || asking_tab_ != desk_.current_id()) {
      if (!answer->paths.empty()) workspace.apply(command::OpenPaths{answer->paths, dialog_command_.add, dialog_command_.new_tab});
    } else {
      interface.drop(answer->paths, std::nullopt, false);  // asks whether to replace what is open or add to it
    }
  }

  void draw(DeskView& view) {
    Interface& interface = view.interface();
    user_state_.settings()->desktop_theme = desktop_theme_;
    interface.set_start_page(user_state_.start_page());
    const double now = Window::now_s();
    const double dt = std::min(now - last_s_, kLongestStep_s);
    last_s_ = now;
    const auto hovers = place(window_.drag_at());
    interface.set_drop_hover(hovers, hovers && window_.shift_down().value_or(keys_.shift()));
    const float sharpness = shots_.empty() ? 1 : shots_.front().scale;
    view.prepare(window_.ui_scale(), window_.pixel_ratio() * sharpness);
    window_.begin_frame(sharpness);
    std::this_thread::sleep_for(slowed_by_);
    view.frame(ImGui::GetIO().DisplaySize, static_cast<float>(dt), now);
    if (interface.expects_text()) window_.expect_text();
    Image picture;
    const bool drawn = window_.end_frame(interface.backdrop(), shots_.empty() ? nullptr : &picture);
    save_shots(interface, picture, sharpness, drawn);
    WindowRequests requests = view.take_requests();
    if (requests.quit) window_.request_close();
    ask_desktop(interface, requests);
    if (requests.toggle_full_screen) window_.set_fullscreen(!window_.fullscreen());
    for (const Command& asked : requests.user_state) apply_user_state(user_state_, desk_, asked);
    for (const std::string& text : requests.copies) {
      window_.set_clipboard(text);
      interface.notify("copied", now);
    }
    for (const command::SaveText& file : requests.files) save(interface, file);
    shots_.insert(shots_.end(), requests.screenshots.begin(), requests.screenshots.end());
    if (requests.edit_keys) edit_keys(interface);
    if (requests.mouse_to_save) {
      if (const auto saved = save_mouse_preset(*requests.mouse_to_save); !saved) interface.notify(saved.error().text(), now);
    }
    set_title();
  }

  // Saves the screenshots that have this frame's scale. The others wait for a frame with their scale.
  void save_shots(Interface& interface, const Image& picture, float sharpness, bool drawn) {
    std::vector<command::Screenshot> later;
    for (command::Screenshot& shot : std::exchange(shots_, {})) {
      if (shot.scale != sharpness) {
        later.push_back(std::move(shot));
      } else if (drawn) {
        save(interface, picture, shot);
      } else {
        interface.notify("the picture is too large for the graphics driver: take it with a smaller scale", Window::now_s());
      }
    }
    shots_ = std::move(later);
  }

  void save(Interface& interface, const Image& picture, const command::Screenshot& shot) {
    // Areas are in ImGui's units, which on some screens are several pixels.
    const float ratio = static_cast<float>(picture.width) / std::max(1.0f, ImGui::GetIO().DisplaySize.x);
    const auto pixels = [ratio](float units) { return static_cast<int>(std::lround(units * ratio)); };
    command::ScreenArea area = shot.area;
    if (!shot.of.empty()) {
      const auto shown = interface.area_shown(shot.of);
      if (!shown) return interface.notify("no picture is saved: its subject is not shown in the window", Window::now_s());
      area = {shown->x, shown->y, shown->width, shown->height};
    }
    const bool whole = area.width <= 0 || area.height <= 0;
    const Image part = whole ? picture : cropped(picture, pixels(area.x), pixels(area.y), pixels(area.width), pixels(area.height));
    std::string instead;
    if (shot.copy) {
      const Result<void> copied = copy_picture(png_bytes(part));
      if (copied) return interface.notify(fmt::format("copied the picture, {} x {} pixels", part.width, part.height), Window::now_s());
      instead = copied.error().message + "; ";
    }
    const fs::path path = shot.path.empty() ? new_file_path(shot.name, ".png") : fs::path(shot.path);
    report_saved(interface, path, write_png(path, part), instead);
  }

  void save(Interface& interface, const command::SaveText& file) {
    const fs::path name = file.name;
    const fs::path path = new_file_path(name.stem().string(), name.extension().string());
    report_saved(interface, path, write_whole(NewFile::create(path.string()), file.text));
  }

  void edit_keys(Interface& interface) {
    const auto path = key_file_to_edit();
    if (path) window_.set_clipboard(path.value());
    interface.notify(path ? "keys are in " + path.value() + " (path copied); changes there take effect at once" : path.error().text(),
                     Window::now_s());
    watch_files();  // the folder may be new
  }

  void report_saved(Interface& interface, const fs::path& path, const Result<void>& written, const std::string& before = {}) {
    interface.notify(written ? before + "saved " + path.string() : written.error().text(), Window::now_s());
  }

  void set_title() {
    std::string title = window_title(desk_.current());
    if (title != title_) window_.set_title(title_ = title);
  }

  Window window_;
  std::optional<TimelineRenderer> renderer_;  // in the window's OpenGL context
  std::string first_notice_;  // shown in the first frame
  UserState& user_state_;
  ThreadPool pool_;
  Desk desk_;
  Keys& keys_;
  Fonts& fonts_;
  FramePacer pacer_;
  std::chrono::milliseconds slowed_by_ = frame_delay();
  double last_s_ = 0, lost_s_ = 0;
  int losses_ = 0;
  DesktopDialog dialog_{dialog_programs(), Window::wake};
  std::uint64_t asking_tab_ = 0;        // the tab that the desktop's dialog is for
  command::OpenDialog dialog_command_;  // says what to do with the answer
  std::string title_;
  std::vector<command::Screenshot> shots_;  // taken with the next frame
  const bool uses_key_file_;  // the user's; not with --safe-mode
  std::optional<FolderWatch> watch_;
  std::atomic<ThemeKind> desktop_theme_ = ThemeKind::Dark;
  std::atomic<bool> asking_theme_ = false;
  std::jthread theme_asker_;
};

int draw_instead(const Options& options, const Error& why) {
  Options picture = options;
  picture.output = free_path(options.picture);
  say(stderr, "traceview: {}: the view is drawn into a picture instead\n", why.message);
  const int exit = run_screenshot(picture);
  std::error_code code;
  const fs::path written = fs::absolute(picture.output, code);
  if (fs::exists(written, code)) say(stderr, "traceview: {}\n", written.string());
  return exit;
}

}  // namespace

int run_window(const Options& options) {
  const StartMessages words = start_messages(options);
  say(stderr, "{}", words.text);
  if (words.fatal) return exit_code::kNotRecognised;
  const std::string wrong_keys = options.safe_mode ? std::string() : use_key_file();
  say(stderr, "{}", wrong_keys);
  Keys keys;
  Fonts fonts;
  const auto user_state = load_user_state(options, Window::wake);
  WindowOptions wanted;
  wanted.place = user_state->window_place();
  auto window = Window::create(wanted, keys, fonts);
  if (!window && !options.picture.empty() && !options.paths.empty()) return draw_instead(options, window.error());
  if (!window) {
    say(stderr, "traceview: {}\n", window.error().text());
    return exit_code::kNoDisplay;
  }
  std::string first = first_of_lines(wrong_keys);
  if (!options.safe_mode && user_state->settings_path().empty())
    first += (first.empty() ? "" : "; ") + std::string("settings, recent files and the session are not kept: neither HOME nor XDG_CONFIG_HOME is set");
  const Result<void> done = WindowLoop(std::move(*window), options, *user_state, keys, fonts, std::move(first)).run(options.paths);
  if (done) return exit_code::kOk;
  say(stderr, "traceview: {}\n", done.error().text());
  return exit_code::kFailed;
}

}  // namespace tv
