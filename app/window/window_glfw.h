// The window on the user's screen: GLFW, an OpenGL 3.3 core context, ImGui's input and drawing. One per
// process.
//
//   auto window = Window::create({.title = "traceview"}, keys, fonts);
//   while (!window->should_close()) {
//     window->wait(seconds);                     // events arrive
//     window->begin_frame(); ... panels ...; window->end_frame(backdrop);
//   }
//
// All but wake() belong to the main thread.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/session/kept/saved_session.h"
#include "ui/gl/gl_api.h"
#include "ui/gl/image.h"
#include "ui/widgets/backdrop.h"
#include "ui/widgets/input/keys.h"
#include "ui/widgets/text/fonts.h"

namespace tv {

/// Exit status when there is no display to open a window on.
inline constexpr int kExitNoDisplay = 6;

struct WindowOptions {
  std::string title = "traceview";
  int width = 1400, height = 860;  ///< at content scale 1
  bool visible = true;
  std::optional<WindowPlace> place = {};  ///< where it stood before; not used where no screen shows that
};

std::string glfw_version();  ///< and what it was built for

class Window {
 public:
  /// Makes the ImGui context too. `keys` and `fonts` must outlive the window.
  static Result<Window> create(const WindowOptions& options, Keys& keys, Fonts& fonts);
  Window(Window&&) noexcept;
  Window& operator=(Window&&) noexcept;
  ~Window();

  const GlApi& gl() const;
  /// The driver has given its OpenGL up: what was made with gl() is to go, and then renew() called.
  bool lost() const { return gl().lost(); }
  /// A new window with an OpenGL of its own in the place of this one; ImGui's context stays. `software`: without the graphics card.
  Result<void> renew(bool software);

  /// The user closed it, or another program destroyed it.
  bool should_close() const;
  void request_close(bool close = true);
  /// Where the window is, or where it would be if it did not fill the screen. None while it is minimised or after it was destroyed.
  std::optional<WindowPlace> place() const;
  /// Nothing of it can be seen: drawing would be wasted.
  bool minimised() const;

  /// Handles events that are there; when there are none, waits for some, at most `seconds` (0: does not wait;
  /// infinity: as long as it takes). True when something happened: an event or wake().
  bool wait(double seconds);
  /// From any thread: ends a wait().
  static void wake();
  static double now_s();

  /// The next frame, with as much of what the user did as it can tell apart (input_queue.h).
  /// `sharpness`: pixels of a picture for one of the screen; the frame is then not shown.
  void begin_frame(float sharpness = 1);
  /// Some of what the user did waits for another frame.
  bool input_waiting() const;
  /// A text box was opened: what was typed since is meant for it.
  void expect_text();
  /// Draws what the panels made of the frame and shows it; with `screenshot`, keeps a copy.
  /// A frame that is sharper than the screen is drawn into the copy alone; false: there is no memory for it.
  bool end_frame(const Backdrop& backdrop, Image* screenshot = nullptr);

  /// Real pixels per unit at 96 dpi of the monitor the window is on: 1, 1.5, 2.
  float content_scale() const;
  /// Framebuffer pixels per ImGui unit: 1 on X11 and Windows.
  float pixel_ratio() const;
  /// By how much sizes in ImGui units have to grow: content_scale / pixel_ratio.
  float ui_scale() const { return content_scale() / pixel_ratio(); }

  /// The window got the keyboard since the last call: whoever works at it may have been elsewhere meanwhile.
  bool take_focused();
  /// What was dropped since the last call.
  struct Drop {
    std::vector<std::string> paths;  ///< or addresses, as the file manager gave them (given_path.h)
    std::optional<bool> shift;       ///< whether it was down; none: nobody says
    std::optional<std::pair<float, float>> at;  ///< in the window; none: nobody says
    bool empty() const { return paths.empty(); }
  };
  Drop take_dropped();
  /// Where files are being dragged over the window (known on X11 only).
  std::optional<std::pair<float, float>> drag_at() const;
  /// For dialogs of other programs that belong to it (display_facts.h).
  std::string name() const;
  /// Whether Shift is down, also while the keyboard belongs to another program; none where nobody says.
  std::optional<bool> shift_down() const;

  void set_title(const std::string& title);
  void set_clipboard(const std::string& text);
  std::string clipboard() const;
  void set_fullscreen(bool on);
  bool fullscreen() const;

  /// What the user's layout prints on the key, for the help: "Z" for Key::W on AZERTY.
  std::string key_cap(Key key) const;

 private:
  struct State;
  explicit Window(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tv
