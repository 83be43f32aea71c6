// The window on the user's screen: GLFW, an OpenGL 3.3 core context, ImGui's input and drawing. A process has only one.
//
//   auto window = Window::create({.title = "traceview"}, keys, fonts);
//   while (!window->should_close()) {
//     window->wait(seconds);                     // events arrive
//     window->begin_frame(); ... panels ...; window->end_frame(backdrop);
//   }
//
// Call everything except wake() on the main thread.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/session/persistence/saved_session.h"
#include "ui/gl/gl_api.h"
#include "ui/gl/image.h"
#include "ui/widgets/backdrop.h"
#include "ui/widgets/input/keys.h"
#include "ui/widgets/text/fonts.h"

namespace tv {

struct WindowOptions {
  std::string title = "traceview";
  int width = 1400, height = 860;  ///< at content scale 1
  bool visible = true;
  std::optional<WindowPlace> place = {};  ///< the window's previous place; ignored if that is not on any screen
};

std::string glfw_version();  ///< version of GLFW, and the platforms that it was built for

class Window {
 public:
  /// Also creates the ImGui context. `keys` and `fonts` must outlive the window.
  static Result<Window> create(const WindowOptions& options, Keys& keys, Fonts& fonts);
  Window(Window&&) noexcept;
  Window& operator=(Window&&) noexcept;
  ~Window();

  const GlApi& gl() const;
  /// The driver has lost the GL context: destroy everything made with gl(), then call renew().
  bool lost() const { return gl().lost(); }
  /// Replaces the window by a new one with its own GL context; ImGui's context stays. `software`: draws without the graphics card.
  Result<void> renew(bool software);

  /// The user closed the window. For a window that another program destroys, see when_window_gone() (x_errors.h).
  bool should_close() const;
  void request_close(bool close = true);
  /// The window's place; for a maximised or full-screen window, the place before that. None if minimised.
  std::optional<WindowPlace> place() const;
  /// The window is not visible: drawing would be wasted.
  bool minimised() const;

  /// Handles the pending events. If there are none, waits for an event, at most `seconds` (0: does not wait; infinity: no limit).
  /// True if there was an event or a wake().
  bool wait(double seconds);
  /// Ends a wait(). Can be called on any thread.
  static void wake();
  static double now_s();

  /// Starts the next frame, with as much input as one frame can distinguish (input_queue.h). `sharpness`: picture pixels per screen
  /// pixel; if not 1, the frame is not shown.
  void begin_frame(float sharpness = 1);
  /// Some input waits for the next frame.
  bool input_waiting() const;
  /// A text box is about to open: keys typed from now on are meant for it.
  void expect_text();
  /// Draws the frame and shows it. `screenshot` receives a copy; a frame that is sharper than the screen is drawn only into the
  /// copy. False: there is no memory for the copy.
  bool end_frame(const Backdrop& backdrop, Image* screenshot = nullptr);

  /// The desktop's scale where the window is, at least 1 and rounded to eighths: 1 at 96 dpi, 1.5, 2.
  float content_scale() const;
  /// Framebuffer pixels per ImGui unit: 1 on X11 and Windows.
  float pixel_ratio() const;
  /// The factor by which sizes in ImGui units have to grow: content_scale / pixel_ratio.
  float ui_scale() const { return content_scale() / pixel_ratio(); }

  /// Whether the window got the keyboard since the last call. The user may have worked in another program before.
  bool take_focused();
  /// Files dropped since the last call.
  struct Drop {
    std::vector<std::string> paths;  ///< paths or addresses, as the file manager gave them (given_path.h)
    std::optional<bool> shift;       ///< whether Shift was down; none: unknown
    std::optional<std::pair<float, float>> at;  ///< position in the window; none: unknown
    bool empty() const { return paths.empty(); }
  };
  Drop take_dropped();
  /// The position of files being dragged over the window (known on X11 only).
  std::optional<std::pair<float, float>> drag_at() const;
  /// Identifies the window to other programs, for dialogs that belong to it (display_facts.h).
  std::string name() const;
  /// Whether Shift is down, even while another program has the keyboard; none: unknown.
  std::optional<bool> shift_down() const;

  void set_title(const std::string& title);
  void set_clipboard(const std::string& text);
  std::string clipboard() const;
  void set_fullscreen(bool on);
  bool fullscreen() const;

  /// The key's label in the user's keyboard layout, for the help: "Z" for Key::W on AZERTY.
  std::string key_cap(Key key) const;

 private:
  struct State;
  explicit Window(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tv
