// The position of each panel: a plain value of ids and numbers, so that it can be compared and saved.
//
//   +-- timeline ----------------------------+--------+
//   |                                        |  side  |     own: windows inside the main one, anywhere
//   +-- drawer: left -----------+-- right ---+        |
//   |  what the tabs switch     |  Details   |        |
//   +---------------------------+------------+--------+
//
// Invariant: no panel is in two places. A layout may contain ids of panels that do not exist or have no data now: shown_panels()
// leaves them out, so a trace without these data leaves the layout as it is. Shares are from 0 to 1, of what they divide.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

/// The subjects of panels. Tabs of one subject are adjacent.
enum class PanelGroup : std::uint8_t { Rollout, Training, Pipeline, Gpu, Trace, kCount };

enum class PanelPlace : std::uint8_t {
  Left,   ///< left half of the drawer: the bar's tabs switch it
  Right,  ///< right half of the drawer: the selection is shown here automatically
  Side,   ///< at the right edge of the window, next to lanes and drawer
  Own,    ///< a window of its own inside the main one
};

/// A panel in a window of its own: shares of the main window.
struct OwnPanel {
  std::string id;
  float x = 0.3f, y = 0.2f, width = 0.4f, height = 0.4f;
  bool operator==(const OwnPanel&) const = default;
};

struct PanelLayout {
  std::string left = "statistics";
  std::string right, side;      ///< empty: no panel
  std::vector<OwnPanel> own;    ///< the topmost last
  bool drawer = true;           ///< the drawer is shown
  bool beside = true;           ///< the right half shows the selection automatically
  bool right_in_front = false;  ///< which half is shown if there is room for only one
  float drawer_share = 0.38f;   ///< of the height below the minimap; the same for every panel
  float left_share = 0.6f;      ///< of the drawer's width
  float side_share = 0.3f;      ///< of the window's width
  bool operator==(const PanelLayout&) const = default;
};

/// None: it is not shown anywhere.
std::optional<PanelPlace> place_of(const PanelLayout& layout, std::string_view id);
/// Brings the panel to the front wherever it is; if it is nowhere, shows it in the left half.
void show_panel(PanelLayout& layout, std::string_view id);
/// Moves a panel from wherever it was. Between the left half and the right half or the side, it swaps places with the panel that
/// it displaces; any other displaced panel is no longer shown.
void move_panel(PanelLayout& layout, std::string_view id, PanelPlace place);
/// The right half's panel takes the place of a panel that is closed in the left half; if there is none, the drawer closes.
void close_panel(PanelLayout& layout, std::string_view id);

/// The new position of a dragged boundary, limited to useful values.
enum class PanelSize : std::uint8_t { Drawer, Left, Side };
void set_panel_size(PanelLayout& layout, PanelSize which, float share);
/// Moves or resizes a panel's own window, and keeps its title bar reachable.
void set_own_panel(PanelLayout& layout, const OwnPanel& to);

/// Tidies a layout from any file: no panel twice, sizes within their limits.
PanelLayout tidy_panels(PanelLayout layout);

/// The panel in each place. Empty: none.
struct ShownPanels {
  std::string left, right, side;
  std::vector<OwnPanel> own;
  bool operator==(const ShownPanels&) const = default;
  bool has(std::string_view id) const;
};
/// Panels that are not `offered` are left out. In the left half such a panel is replaced by the first of `instead` that is
/// offered and not shown elsewhere.
ShownPanels shown_panels(const PanelLayout& layout, const std::function<bool(std::string_view)>& offered,
                         const std::vector<std::string_view>& instead);

}  // namespace tv
