#include "app/window/window_glfw.h"

#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cfloat>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

#include "app/window/display_facts.h"
#include "app/window/display_gone.h"
#include "app/window/imgui_gl.h"
#include "app/window/window_keys.h"
#include "app/window/window_opening.h"
#include "app/window/x_errors.h"
#include "core/io/files/given_path.h"
#include "imgui.h"
#include "ui/gl/offscreen.h"
#include "ui/imgui_memory.h"
#include "ui/widgets/input/input_feed.h"

namespace tv {

namespace {

constexpr double kLongWait_s = 3600;    // GLFW requires a finite time
constexpr double kClockTick_s = 0.002;  // a wait without events may end this much early
constexpr double kDragMemory_s = 0.25;  // X11 reports the position of a moving drag more often than that

std::atomic<bool> woken = false;
std::mutex glfw_mutex;  // keeps wake(), which any thread may call, from running while GLFW restarts

/// Restarts GLFW, so that it loads the currently selected driver. Preserves GLFW's time.
bool load_glfw_again() {
  const std::scoped_lock lock(glfw_mutex);
  const double now_s = glfwGetTime();
  glfwTerminate();
  if (!glfwInit()) return false;
  glfwSetTime(now_s);
  return true;
}

void* load_glfw(const char* name) { return reinterpret_cast<void*>(glfwGetProcAddress(name)); }

}  // namespace

std::string glfw_version() { return glfwGetVersionString(); }

/// Members are in the order of creation, so that they are destroyed in reverse.
struct Window::State {
  State(Keys& keys_in, Fonts& fonts_in) : keys(keys_in), fonts(fonts_in) {}
  ~State();

  Result<void> open(const WindowOptions& options, bool software);
  void close();
  void listen();
  void notice_drag(double x, double y);
  void notice_key(int key, int scancode, int action, int modifiers);
  void notice_lost_releases();
  void update_scale();
  void notice(InputEvent event);
  bool pressed() const;
  static State& of(GLFWwindow* window) { return *static_cast<State*>(glfwGetWindowUserPointer(window)); }

  Keys& keys;
  Fonts& fonts;
  GLFWwindow* window = nullptr;
  GlApi gl;
  std::optional<ImGuiGl> imgui_gl;
  std::optional<InputFeed> input;

  bool happened = false;  // some event arrived
  bool focused = false;   // the window got the keyboard since take_focused()
  Window::Drop dropped;
  bool mouse_inside = false;
  std::bitset<GLFW_KEY_LAST + 1> went_up_elsewhere;  // keys that are up although GLFW still considers them pressed
  ImVec2 mouse{-FLT_MAX, -FLT_MAX};  // according to the events; a query would return X11's current position
  double dragged_at_s = -1;
  double last_frame_s = 0;
  float sharpness = 1, scale = 1;
  double polled_s = 0;    // when the last poll for events ended
  double unpolled_s = 0;  // time without a poll before the current one
  int place_before_fullscreen[4] = {};  // x, y, width, height
  WindowPlace normal;   // the window's last place while it was not maximised
};

Window::State::~State() {
  close();
  ImGui::DestroyContext();
  glfwTerminate();
}

// ImGui's context must exist.
Result<void> Window::State::open(const WindowOptions& options, bool software) {
  if (!software || !select_software_gl()) window = open_window_at_previous_place(options);
  if (!window && select_software_gl() && load_glfw_again()) window = open_window_at_previous_place(options);
  if (!window) return no_display("no window with OpenGL 3.3 can be opened");
  set_icon(window);
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  auto loaded = GlApi::load(load_glfw);
  if (!loaded) return loaded.error();
  gl = *loaded;
  survive_x_errors();
  watch_window(x11_window(window));
  if (options.place) normal = *options.place;
  ImGui_ImplGlfw_InitForOpenGL(window, false);
  scale = content_scale_of(window);
  listen();
  imgui_gl.emplace();
  return imgui_gl->loaded();
}

void Window::State::close() {
  watch_window(0);
  if (imgui_gl) {
    imgui_gl.reset();
    ImGui_ImplGlfw_Shutdown();
  }
  if (window) glfwDestroyWindow(std::exchange(window, nullptr));
}

/// Installs our callbacks. ImGui's backend installs none: ImGui gets its input from InputFeed.
void Window::State::listen() {
  glfwSetWindowUserPointer(window, this);
  glfwSetInputMode(window, GLFW_LOCK_KEY_MODS, GLFW_TRUE);
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
    of(w).notice_key(key, scancode, action, modifiers);
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) {
    InputEvent event{.kind = InputKind::Character};
    event.character = static_cast<char32_t>(character);
    of(w).notice(event);
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
    InputEvent event{.kind = InputKind::Button, .down = action == GLFW_PRESS};
    event.button = static_cast<std::uint8_t>(button);
    event.x = of(w).mouse.x;
    event.y = of(w).mouse.y;
    of(w).notice(event);
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    InputEvent event{.kind = InputKind::Wheel};
    event.x = static_cast<float>(x);
    event.y = static_cast<float>(y);
    of(w).notice(event);
  });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int has_keyboard) {
    of(w).happened = true;
    if (!has_keyboard) return of(w).notice(InputEvent{.kind = InputKind::FocusLost});
    of(w).focused = true;
    of(w).update_scale();  // the user may have changed it in another program
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    of(w).happened = true;
    std::vector<std::string> given;
    if (const auto uris = dropped_uris(w)) given = uri_list(*uris);
    if (given.empty()) given.assign(paths, paths + count);
    of(w).dropped.paths = std::move(given);
    const auto facts = pointer_facts(w);
    of(w).dropped.shift = facts ? std::optional(facts->shift) : std::nullopt;
    if (facts) of(w).dropped.at = {of(w).mouse.x, of(w).mouse.y};  // the last position of the drag: X11 reports it before each drop
    of(w).dragged_at_s = -1;
  });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    of(w).happened = true;
    of(w).mouse_inside = entered != 0;
    if (entered) of(w).notice_lost_releases();
    if (!entered && !of(w).pressed()) of(w).notice(InputEvent{.kind = InputKind::Move, .x = -FLT_MAX, .y = -FLT_MAX});
  });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    of(w).notice_drag(x, y);
    of(w).mouse = {static_cast<float>(x), static_cast<float>(y)};
    of(w).notice(InputEvent{.kind = InputKind::Move, .x = of(w).mouse.x, .y = of(w).mouse.y});
  });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w).happened = true; });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) {
    of(w).happened = true;
    of(w).update_scale();
  });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).happened = true; });
  glfwSetWindowIconifyCallback(window, [](GLFWwindow* w, int) { of(w).happened = true; });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { of(w).happened = true; });
}

void Window::State::notice(InputEvent event) {
  happened = true;
  event.time_s = now_s();
  event.doubt_s = unpolled_s;
  input->add(event);
}

void Window::State::notice_key(int key, int scancode, int action, int modifiers) {
  happened = true;
  const bool lost = key >= 0 && went_up_elsewhere.test(static_cast<std::size_t>(key));
  if (lost) went_up_elsewhere.reset(static_cast<std::size_t>(key));
  if (action == GLFW_REPEAT && !lost) return;  // Keys and ImGui generate repeats themselves
  InputEvent event{.kind = InputKind::Key, .down = action != GLFW_RELEASE};
  event.place = key_at_position(key);
  event.print = printed_key(key, scancode);
  const bool writes = ((modifiers & GLFW_MOD_NUM_LOCK) != 0) != ((modifiers & GLFW_MOD_SHIFT) != 0);
  const Key moves = keypad_navigation_key(key);
  if (moves != Key::None) {
    InputEvent mover = event;
    mover.place = mover.print = moves;
    if (!event.down) notice(mover);  // Num Lock may have changed since the key went down, so both keys are released
    if (event.down && !writes) event = mover;
  }
  notice(event);
}

/// While a window manager moves the window, it holds the keyboard and gets the release of Alt, which began the move. GLFW then
/// still considers Alt pressed and reports the next press as a repeat. The move is over when the mouse returns to the window.
void Window::State::notice_lost_releases() {
  const auto held = held_keys();
  if (!held) return;
  for (int key = GLFW_KEY_SPACE; key <= GLFW_KEY_LAST; ++key) {
    const std::size_t index = static_cast<std::size_t>(key);
    if (glfwGetKey(window, key) != GLFW_PRESS || went_up_elsewhere.test(index)) continue;
    const int code = glfwGetKeyScancode(key);
    if (code < 0 || held->test(static_cast<std::size_t>(code))) continue;
    notice_key(key, code, GLFW_RELEASE, 0);
    went_up_elsewhere.set(index);
  }
}

void Window::State::update_scale() {
  const float now = content_scale_of(window);
  if (now == scale) return;
  scale = now;
  limit_size(window, scale);
}

bool Window::State::pressed() const {
  for (int button = GLFW_MOUSE_BUTTON_1; button <= GLFW_MOUSE_BUTTON_LAST; ++button)
    if (glfwGetMouseButton(window, button) == GLFW_PRESS) return true;
  return false;
}

/// GLFW has no event for files that are dragged over the window. On X11 it reports the drag's positions as mouse positions. They
/// can be told apart, because the mouse has not entered the window: it belongs to the program that the files come from.
void Window::State::notice_drag(double x, double y) {
  int width = 0, height = 0;
  glfwGetWindowSize(window, &width, &height);
  const bool inside = x >= 0 && y >= 0 && x < width && y < height;
  if (inside && !pressed() && !mouse_inside) dragged_at_s = now_s();
}

Result<Window> Window::create(const WindowOptions& options, Keys& keys, Fonts& fonts) {
  glfwSetErrorCallback(nullptr);
  skip_absent_wayland();
  if (!glfwInit()) return no_display("no window can be opened");
  when_display_gone(nullptr);  // nothing is open yet
  make_imgui_throw_bad_alloc();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;  // the settings file stores the layout
  auto state = std::make_unique<State>(keys, fonts);
  state->input.emplace(keys);
  if (auto opened = state->open(options, false); !opened) return opened.error();
  return Window(std::move(state));
}

Result<void> Window::renew(bool software) {
  WindowOptions options;
  options.place = place();
  const bool filled = fullscreen();
  state_->close();
  state_->notice({.kind = InputKind::FocusLost});  // no key will be released in a window that is gone
  if (auto opened = state_->open(options, software); !opened) return opened;
  set_fullscreen(filled);
  return {};
}

Window::Window(std::unique_ptr<State> state) : state_(std::move(state)) {}
Window::Window(Window&&) noexcept = default;
Window& Window::operator=(Window&&) noexcept = default;
Window::~Window() = default;

const GlApi& Window::gl() const { return state_->gl; }
bool Window::should_close() const { return glfwWindowShouldClose(state_->window); }
void Window::request_close(bool close) { glfwSetWindowShouldClose(state_->window, close); }
std::optional<WindowPlace> Window::place() const {
  if (minimised()) return std::nullopt;
  WindowPlace& normal = state_->normal;
  normal.maximised = glfwGetWindowAttrib(state_->window, GLFW_MAXIMIZED);
  if (fullscreen()) {
    const int(&before)[4] = state_->place_before_fullscreen;
    normal = {before[0], before[1], before[2], before[3], false};
  } else if (!normal.maximised) {
    glfwGetWindowPos(state_->window, &normal.x, &normal.y);
    glfwGetWindowSize(state_->window, &normal.width, &normal.height);
  }
  return normal;
}

bool Window::minimised() const { return glfwGetWindowAttrib(state_->window, GLFW_ICONIFIED); }

bool Window::wait(double seconds) {
  survive_x_errors();
  const double begin_s = now_s();
  state_->unpolled_s = std::max(0.0, begin_s - state_->polled_s);
  if (seconds > 0 && !woken) {
    glfwWaitEventsTimeout(std::min(seconds, kLongWait_s));
  } else {
    glfwPollEvents();
  }
  state_->polled_s = now_s();
  const bool awake = woken.exchange(false), event = std::exchange(state_->happened, false);
  // GLFW does not report that another program has destroyed the window. But an unreported event still ends the wait, and drawing
  // into the window may cause an error that does not name the window.
  const bool unreported = !awake && !event && state_->polled_s - begin_s < seconds - kClockTick_s;
  if (take_x_error() || unreported) {
    survive_x_errors();
    query_window(state_->window);
  }
  return awake || event;
}

void Window::wake() {
  woken = true;
  const std::scoped_lock lock(glfw_mutex);
  glfwPostEmptyEvent();
}

double Window::now_s() { return glfwGetTime(); }

void Window::begin_frame(float sharpness) {
  state_->imgui_gl->new_frame(state_->fonts);
  ImGui_ImplGlfw_NewFrame();
  state_->sharpness = sharpness;
  ImVec2& ratio = ImGui::GetIO().DisplayFramebufferScale;  // just set by GLFW's backend
  ratio = {ratio.x * sharpness, ratio.y * sharpness};
  const double now = now_s();
  state_->input->begin_frame(now);
  ImGui::NewFrame();
  state_->keys.new_frame(static_cast<float>(std::min(now - state_->last_frame_s, 0.1)));
  state_->last_frame_s = now;
  for (const char32_t typed : ImGui::GetIO().InputQueueCharacters)
    state_->fonts.add_code_points({&typed, 1});  // so that the text box can show it
}

bool Window::input_waiting() const { return state_->input->waiting(); }
void Window::expect_text() { state_->input->expect_text(); }

bool Window::end_frame(const Backdrop& backdrop, Image* screenshot) {
  ImGui::Render();
  if (screenshot && state_->sharpness != 1) {
    const ImDrawData& data = *ImGui::GetDrawData();
    const auto pixels = [](float units, float ratio) { return static_cast<int>(std::lround(units * ratio)); };
    auto target = Offscreen::create(state_->gl, pixels(data.DisplaySize.x, data.FramebufferScale.x),
                                    pixels(data.DisplaySize.y, data.FramebufferScale.y));
    if (!target) return false;
    target->begin(backdrop.color());
    state_->imgui_gl->draw(state_->gl, backdrop);
    *screenshot = target->read();
    state_->gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
    return true;  // the screen keeps the previous frame
  }
  state_->imgui_gl->draw(state_->gl, backdrop);
  if (screenshot) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(state_->window, &width, &height);
    *screenshot = read_framebuffer(state_->gl, width, height);
  }
  glfwSwapBuffers(state_->window);
  return true;
}

float Window::content_scale() const {
  return std::max(1.0f, std::round(state_->scale * 8) / 8);  // 1.0104 of a 97 dpi monitor would only blur
}

float Window::pixel_ratio() const {
  int pixels = 0, units = 0, ignored = 0;
  glfwGetFramebufferSize(state_->window, &pixels, &ignored);
  glfwGetWindowSize(state_->window, &units, &ignored);
  return pixels > 0 && units > 0 ? static_cast<float>(pixels) / static_cast<float>(units) : 1.0f;
}

bool Window::take_focused() { return std::exchange(state_->focused, false); }
Window::Drop Window::take_dropped() { return std::exchange(state_->dropped, {}); }
std::optional<bool> Window::shift_down() const {
  const auto facts = pointer_facts(state_->window);
  return facts ? std::optional(facts->shift) : std::nullopt;
}
std::string Window::name() const { return window_name(state_->window); }

// A drag that does not move is not reported. It is assumed to go on as long as the mouse button is down over the window.
std::optional<std::pair<float, float>> Window::drag_at() const {
  if (state_->dragged_at_s < 0) return std::nullopt;
  if (now_s() - state_->dragged_at_s >= kDragMemory_s) {
    const auto facts = pointer_facts(state_->window);
    int width = 0, height = 0;
    glfwGetWindowSize(state_->window, &width, &height);
    const bool over = facts && facts->button && facts->x >= 0 && facts->y >= 0 && facts->x < width && facts->y < height;
    if (!over || state_->mouse_inside) {
      state_->dragged_at_s = -1;
      return std::nullopt;
    }
  }
  return std::pair(state_->mouse.x, state_->mouse.y);
}

void Window::set_title(const std::string& title) { glfwSetWindowTitle(state_->window, title.c_str()); }
void Window::set_clipboard(const std::string& text) { glfwSetClipboardString(state_->window, text.c_str()); }

std::string Window::clipboard() const {
  const char* text = glfwGetClipboardString(state_->window);
  return text ? text : "";
}

bool Window::fullscreen() const { return glfwGetWindowMonitor(state_->window) != nullptr; }

void Window::set_fullscreen(bool on) {
  if (on == fullscreen()) return;
  int(&place)[4] = state_->place_before_fullscreen;
  if (!on) {
    glfwSetWindowMonitor(state_->window, nullptr, place[0], place[1], place[2], place[3], GLFW_DONT_CARE);
    return;
  }
  glfwGetWindowPos(state_->window, &place[0], &place[1]);
  glfwGetWindowSize(state_->window, &place[2], &place[3]);

  // The monitor that contains the window's centre.
  const int middle_x = place[0] + place[2] / 2, middle_y = place[1] + place[3] / 2;
  GLFWmonitor* chosen = glfwGetPrimaryMonitor();
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    int x = 0, y = 0;
    glfwGetMonitorPos(monitors[i], &x, &y);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    if (mode && middle_x >= x && middle_x < x + mode->width && middle_y >= y && middle_y < y + mode->height)
      chosen = monitors[i];
  }
  if (const GLFWvidmode* mode = chosen ? glfwGetVideoMode(chosen) : nullptr)
    glfwSetWindowMonitor(state_->window, chosen, 0, 0, mode->width, mode->height, mode->refreshRate);
}

std::string Window::key_cap(Key key) const { return tv::key_cap(key); }

}  // namespace tv
