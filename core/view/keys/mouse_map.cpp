#include "core/view/keys/mouse_map.h"

#include <array>
#include <vector>

#include "core/view/keys/keymap.h"

namespace tv {
namespace {

constexpr double kFinerZoom = 0.25, kFasterZoom = 3;

MouseHabit& live_habit() {
  static MouseHabit habit;
  return habit;
}

struct PresetWords {
  std::string_view name, meaning;
};
constexpr std::array<PresetWords, kMousePresets> kPresetWords = {{
    {"perfetto", "Mouse like Perfetto: the wheel scrolls, dragging selects"},
    {"tracy", "Mouse like Tracy: the wheel zooms, dragging measures, the right button moves"},
    {"chrome", "Mouse like chrome://tracing: keys 1 to 4 choose what dragging does"},
}};

// The presets that a row belongs to.
constexpr std::uint8_t kPerfetto = 1, kTracy = 2, kChrome = 4, kAll = kPerfetto | kTracy | kChrome, kNotTracy = kPerfetto | kChrome;
struct PresetGesture {
  std::uint8_t of;
  Gesture row;
};
constexpr PresetGesture kGestures[] = {
    {kPerfetto, {"Ctrl+Wheel", "Zoom at the mouse", "Mouse"}},
    {kChrome, {"Alt+Wheel, Ctrl+Wheel", "Zoom at the mouse", "Mouse"}},
    {kNotTracy, {"Wheel", "Scroll lanes; zoom on the ruler", "Mouse"}},
    {kNotTracy, {"Shift+Wheel", "Earlier, later", "Mouse"}},
    {kTracy, {"Wheel", "Zoom at the mouse; on names: scroll", "Mouse"}},
    {kTracy, {"Ctrl+Wheel, Shift+Wheel", "Zoom finer, faster", "Mouse"}},
    {kAll, {"Ctrl+Shift+Wheel", "Row height", "Mouse"}},
    {kAll, {"Click", "Select; outside all lanes: clear", "Mouse"}},
    {kAll, {"Ctrl+Click", "Add to the selection: shows the time between", "Mouse"}},
    {kAll, {"Shift+Click", "Select all slices from the selected one to this one, on its lane", "Mouse"}},
    {kAll, {"Double-click", "Select and fit; on a lane's name: collapse or expand", "Mouse"}},
    {kAll, {"Double-click a mark or span", "Name it", "Mouse"}},
    {kAll, {"Drag a lane's name", "Move it up or down", "Mouse"}},
    {kAll, {"Alt+Drag a lane's name", "Move the clock of its files; Esc restores it", "Mouse"}},
    {kAll, {"Right click on a lane's name", "Pin, hide, fold, sort", "Mouse"}},
    {kAll, {"Ctrl+Double-click", "Single out all slices of that name", "Mouse"}},
    {kAll, {"Click where nothing runs", "Select the gap: its length and cause", "Mouse"}},
    {kPerfetto, {"Drag", "Area selection, snapping to slices (Alt: free)", "Mouse"}},
    {kTracy, {"Drag", "Measure: how long from there to here, snapping to slices (Alt: free)", "Mouse"}},
    {kTracy, {"Ctrl+Drag", "Area selection, snapping to slices (Alt: free)", "Mouse"}},
    {kChrome, {"Drag", "Depends on the mode: select, move, zoom, or an area of all lanes", "Mouse"}},
    {kChrome, {"Shift+Drag", "Area selection in any mode", "Mouse"}},
    {kAll, {"Drag an area's edge", "Move it", "Mouse"}},
    {kAll, {"Click the box beside a lane's name", "Take the lane out of the area, or put it in", "Mouse"}},
    {kNotTracy, {"Ctrl+Drag, middle drag", "Zoom to the dragged time", "Mouse"}},
    {kTracy, {"Middle drag", "Zoom to the dragged time; with Ctrl, out until the view fits into that time", "Mouse"}},
    {kPerfetto | kTracy, {"Shift+Drag, right drag", "Move the view (Space+Drag, too)", "Mouse"}},
    {kChrome, {"Right drag", "Move the view (Space+Drag, too)", "Mouse"}},
    {kAll, {"Middle click", "Zoom to the slice", "Mouse"}},
    {kAll, {"Right click", "Open a menu of what can be done there", "Mouse"}},
    {kAll, {"Mouse 4, 5", "Back, forward", "Mouse"}},
    {kAll, {"Drag on the minimap", "Move the window, or one of its edges", "Mouse"}},
    {kAll, {"Drag on the steps", "Select their time as an area", "Mouse"}},
    {kAll, {"Drop files", "Replace the open files, add to them or open a new tab, by where you drop them; Shift: add", "Mouse"}},
};

std::vector<Gesture> gestures_of(std::size_t preset) {
  std::vector<Gesture> out;
  for (const PresetGesture& each : kGestures) {
    if ((each.of >> preset & 1) != 0) out.push_back(each.row);
  }
  return out;
}

}  // namespace

std::string_view name(MousePreset preset) { return kPresetWords[static_cast<std::size_t>(preset)].name; }
std::string_view meaning(MousePreset preset) { return kPresetWords[static_cast<std::size_t>(preset)].meaning; }

std::optional<MousePreset> mouse_preset(std::string_view word) {
  for (std::size_t p = 0; p < kMousePresets; ++p) {
    if (kPresetWords[p].name == word) return static_cast<MousePreset>(p);
  }
  return std::nullopt;
}

MouseHabit mouse_habit() { return live_habit(); }
void use_mouse(MouseHabit habit) { live_habit() = habit; }

DragAct drag_act(MouseHabit habit, DragButton button, MouseModifiers held) {
  if (button == DragButton::Right) return DragAct::Pan;
  const bool tracy = habit.preset == MousePreset::Tracy, chrome = habit.preset == MousePreset::Chrome;
  if (button == DragButton::Left && held.space) return DragAct::Pan;
  if (button == DragButton::Middle) return tracy && held.ctrl ? DragAct::ZoomOut : DragAct::ZoomTo;
  if (held.shift) return chrome ? DragAct::Area : DragAct::Pan;
  if (held.ctrl) return tracy ? DragAct::Area : DragAct::ZoomTo;
  switch (habit.mode) {
    case MouseMode::Pan: return DragAct::Pan;
    case MouseMode::Zoom: return DragAct::ZoomUp;
    case MouseMode::Timing: return DragAct::AreaOfAll;
    case MouseMode::Select:
    case MouseMode::kCount: break;
  }
  return tracy ? DragAct::Measure : DragAct::Area;
}

WheelRule wheel_rule(MouseHabit habit, MouseModifiers held, bool on_names) {
  if (held.ctrl && held.shift) return {WheelAct::RowHeight};
  if (habit.preset == MousePreset::Tracy && !on_names) {
    return {WheelAct::Zoom, held.ctrl ? kFinerZoom : held.shift ? kFasterZoom : 1.0};
  }
  if (held.ctrl || (held.alt && habit.preset == MousePreset::Chrome)) return {WheelAct::Zoom};
  return {held.shift ? WheelAct::Pan : WheelAct::Scroll};
}

std::span<const Gesture> gestures(MousePreset preset) {
  static const std::array<std::vector<Gesture>, kMousePresets> kByPreset = {gestures_of(0), gestures_of(1), gestures_of(2)};
  return kByPreset[static_cast<std::size_t>(preset)];
}

std::span<const Gesture> gestures() { return gestures(mouse_habit().preset); }

}  // namespace tv
