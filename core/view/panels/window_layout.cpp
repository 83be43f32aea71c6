#include "core/view/panels/window_layout.h"

#include <algorithm>
#include <cmath>

namespace tv {
namespace {

// At scale 1.
constexpr float kTop = 34, kTabs = 26, kStepStrip = 46, kLeastForSteps = 440, kMinimap = 30, kStatus = 26, kSplitter = 5, kBar = 30;
constexpr float kLeastDrawer = 190;    // height at which a chart is still readable
constexpr float kLeastHalf = 380;      // px per half; narrower ones cannot be read
constexpr float kLeastSide = 220, kLeastLanes = 320;
constexpr float kMostUnasked = 0.75f;  // share of the height for a drawer that the user has not resized, so that lanes stay visible
constexpr float kMostOfSmall = 0.5f;   // share of the height that limits kLeastDrawer in a low window

}  // namespace

WindowLayout window_layout(const WindowParts& window, const PanelLayout& layout, const ShownPanels& shown) {
  const auto px = [&](float size) { return std::floor(size * window.scale); };
  WindowLayout out;
  // A low window has no step strip: the key N also goes to steps.
  const float steps = window.steps && window.height >= px(kLeastForSteps) ? px(kStepStrip) : 0;
  const float tabs = window.tabs ? px(kTabs) : 0;
  const float above = px(kTop) + tabs + steps, minimap = px(kMinimap), status = px(kStatus), splitter = px(kSplitter);
  const float below = std::max(above + minimap + 1, window.height - status);

  // Limits the side's width, so that lanes have room.
  const float most_side = window.width - px(kLeastLanes);
  const bool has_side = !shown.side.empty() && most_side >= px(kLeastSide);
  const float side =
      has_side ? std::clamp(std::floor(layout.side_share * window.width), px(kLeastSide), most_side) : 0;
  const float width = window.width - side - (has_side ? splitter : 0);

  out.top = {0, 0, window.width, px(kTop)};
  out.tabs = {0, px(kTop), window.width, tabs};
  out.steps = {0, px(kTop) + tabs, window.width, steps};
  out.minimap = {0, above, width, minimap};
  out.working = {0, above + minimap, width, below - above - minimap};
  out.status = {0, below, window.width, status};
  if (has_side) {
    out.side_edge = {width, above, splitter, below - above};
    out.side = {width + splitter, above, side, below - above};
  }

  const float whole = out.working.height;
  float drawer = 0;
  if (!shown.left.empty()) {
    const bool dragged = layout.drawer_share != PanelLayout().drawer_share;
    float wanted = std::floor(whole * layout.drawer_share);
    if (!dragged && window.lanes_px > 0) {
      wanted = std::clamp(whole - splitter - std::ceil(window.lanes_px), wanted, std::floor(whole * kMostUnasked));
    }
    const float least = dragged ? px(kBar) * 2 : std::min(px(kLeastDrawer), std::floor(whole * kMostOfSmall));
    drawer = std::clamp(std::max(wanted, least), 0.0f, std::max(0.0f, whole - splitter - 1));
  }
  const float gap = drawer > 0 ? splitter : 0;
  const float timeline = whole - drawer - gap;
  out.timeline = {0, out.working.y, width, timeline};
  out.splitter = {0, out.timeline.bottom(), width, gap};
  if (drawer <= 0) return out;
  const float bar = std::min(px(kBar), drawer);
  out.bar = {0, out.splitter.bottom(), width, bar};
  const float y = out.bar.bottom(), height = drawer - bar;
  const bool both = !shown.right.empty();
  out.one_half = both && width < 2 * px(kLeastHalf) + splitter;
  if (!both || out.one_half) {
    const WindowBox all{0, y, width, height};
    const bool right = both && layout.right_in_front;
    (right ? out.right : out.left) = all;
    (right ? out.left : out.right) = {0, y, 0, 0};
    return out;
  }
  const float room = width - splitter;
  const float left = std::clamp(std::floor(room * layout.left_share), px(kLeastHalf) / 2, room - px(kLeastHalf) / 2);
  out.left = {0, y, left, height};
  out.divider = {left, y, splitter, height};
  out.right = {left + splitter, y, room - left, height};
  return out;
}

}  // namespace tv
