// The mouse gestures on the timeline: a table for each preset, so that users of another viewer keep their habits. Perfetto's is
// the default. Tracy's follows its manual (0.14): the wheel zooms, a right drag moves, a left drag measures. Chrome's
// (chrome://tracing) has modes, on the keys 1 to 4, for what a left drag does. The preset in use is global to the program, like
// the live key table.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tv {

enum class MousePreset : std::uint8_t { Perfetto, Tracy, Chrome, kCount };
inline constexpr std::size_t kMousePresets = static_cast<std::size_t>(MousePreset::kCount);
std::string_view name(MousePreset preset);     ///< one word: "perfetto"
std::string_view meaning(MousePreset preset);  ///< for menus
std::optional<MousePreset> mouse_preset(std::string_view word);

/// What dragging with the left button does when no key is held.
enum class MouseMode : std::uint8_t { Select, Pan, Zoom, Timing, kCount };

struct MouseHabit {
  MousePreset preset = MousePreset::Perfetto;
  MouseMode mode = MouseMode::Select;
  bool operator==(const MouseHabit&) const = default;
};
MouseHabit mouse_habit();
void use_mouse(MouseHabit habit);

struct MouseModifiers {
  bool ctrl = false, shift = false, alt = false, space = false;
};
enum class DragButton : std::uint8_t { Left, Right, Middle };
enum class DragAct : std::uint8_t {
  Area,       ///< in the lanes that the drag crosses
  AreaOfAll,  ///< in all lanes
  Pan,
  ZoomTo,     ///< the dragged time fills the view
  ZoomOut,    ///< the visible range shrinks into the dragged time
  ZoomUp,     ///< dragging up zooms in, down zooms out, around the start of the drag
  Measure,    ///< shows the duration while the button is down
};
/// What a drag on lanes does. Alt has no effect here: it only turns off snapping.
DragAct drag_act(MouseHabit habit, DragButton button, MouseModifiers held);

enum class WheelAct : std::uint8_t { Scroll, Pan, Zoom, RowHeight };
struct WheelRule {
  WheelAct act = WheelAct::Scroll;
  double speed = 1;  ///< speed of zooming
};
/// What the wheel does on lanes. `on_names`: over lane names, where a wheel that zooms without a key scrolls.
WheelRule wheel_rule(MouseHabit habit, MouseModifiers held, bool on_names = false);

}  // namespace tv
