#include "core/view/panels/panel_layout.h"

#include <algorithm>
#include <utility>

namespace tv {
namespace {

constexpr float kLeastShare = 0.08f, kMostShare = 0.85f, kMostSide = 0.6f;
constexpr float kLeastOwn = 0.1f, kReachable = 0.08f;  // shares of the window: part of the title bar can always be grabbed

auto own_panel(PanelLayout& layout, std::string_view id) { return std::ranges::find(layout.own, id, &OwnPanel::id); }

// Removes the panel from every place except the left half, which always shows a panel.
void take_out(PanelLayout& layout, std::string_view id) {
  if (layout.right == id) layout.right.clear();
  if (layout.side == id) layout.side.clear();
  std::erase_if(layout.own, [&](const OwnPanel& panel) { return panel.id == id; });
}

void put_panel(PanelLayout& layout, std::string id, PanelPlace place) {
  switch (place) {
    case PanelPlace::Left: layout.left = std::move(id); break;
    case PanelPlace::Right: layout.right = std::move(id); break;
    case PanelPlace::Side: layout.side = std::move(id); break;
    case PanelPlace::Own: {
      // Offsets each window from the last one, so that none hides the title of another.
      const float shift = 0.03f * static_cast<float>(layout.own.size() % 8);
      layout.own.push_back({std::move(id), 0.3f + shift, 0.15f + shift});
      break;
    }
  }
}

}  // namespace

std::optional<PanelPlace> place_of(const PanelLayout& layout, std::string_view id) {
  if (id.empty()) return std::nullopt;
  if (layout.left == id) return PanelPlace::Left;
  if (layout.right == id) return PanelPlace::Right;
  if (layout.side == id) return PanelPlace::Side;
  const bool own = std::ranges::find(layout.own, id, &OwnPanel::id) != layout.own.end();
  return own ? std::optional(PanelPlace::Own) : std::nullopt;
}

void show_panel(PanelLayout& layout, std::string_view id) {
  if (id.empty()) return;
  switch (place_of(layout, id).value_or(PanelPlace::Left)) {
    case PanelPlace::Left:
      layout.left = std::string(id);
      layout.drawer = true;
      layout.right_in_front = false;
      break;
    case PanelPlace::Right:
      layout.drawer = true;
      layout.right_in_front = true;
      break;
    case PanelPlace::Side: break;
    case PanelPlace::Own: {
      const auto panel = own_panel(layout, id);
      std::rotate(panel, panel + 1, layout.own.end());
      break;
    }
  }
}

void move_panel(PanelLayout& layout, std::string_view id, PanelPlace place) {
  if (id.empty()) return;
  const std::string moved(id);  // `id` may refer into the layout itself
  const auto from = place_of(layout, moved);
  if (from != place) {
    take_out(layout, moved);
    if (from == PanelPlace::Left) {
      // The left half then shows the panel that the moved one displaces, or else the right half's panel.
      std::string next = place == PanelPlace::Right  ? std::exchange(layout.right, {})
                         : place == PanelPlace::Side ? std::exchange(layout.side, {})
                                                     : std::string();
      if (next.empty()) next = std::exchange(layout.right, {});
      layout.left = std::move(next);  // if empty, shown_panels() chooses one
    } else if (place == PanelPlace::Left && from) {
      std::string displaced = std::exchange(layout.left, {});
      if (!displaced.empty() && from != PanelPlace::Own) put_panel(layout, std::move(displaced), *from);
    }
    put_panel(layout, moved, place);
  }
  // Where the user puts Details decides whether the right half shows the selection automatically.
  if (moved == "details") layout.beside = place != PanelPlace::Left;
  if (place == PanelPlace::Left || place == PanelPlace::Right) {
    layout.drawer = true;
    layout.right_in_front = place == PanelPlace::Right;
  }
}

void close_panel(PanelLayout& layout, std::string_view id) {
  const std::string closed(id);
  const auto place = place_of(layout, closed);
  if (!place) return;
  if (place != PanelPlace::Left) {
    take_out(layout, closed);
    layout.right_in_front = false;
    if (closed == "details") layout.beside = false;
  } else if (layout.right.empty()) {
    layout.drawer = false;
  } else {
    layout.left = std::exchange(layout.right, {});
  }
}

void set_panel_size(PanelLayout& layout, PanelSize which, float share) {
  switch (which) {
    case PanelSize::Drawer: layout.drawer_share = std::clamp(share, kLeastShare, kMostShare); break;
    case PanelSize::Left: layout.left_share = std::clamp(share, 1 - kMostShare, kMostShare); break;
    case PanelSize::Side: layout.side_share = std::clamp(share, kLeastShare, kMostSide); break;
  }
}

void set_own_panel(PanelLayout& layout, const OwnPanel& to) {
  const auto panel = own_panel(layout, to.id);
  if (panel == layout.own.end()) return;
  panel->width = std::clamp(to.width, kLeastOwn, 1.0f);
  panel->height = std::clamp(to.height, kLeastOwn, 1.0f);
  panel->x = std::clamp(to.x, kReachable - panel->width, 1 - kReachable);
  panel->y = std::clamp(to.y, 0.0f, 1 - kReachable);
}

PanelLayout tidy_panels(PanelLayout layout) {
  PanelLayout out = layout;
  out.right.clear();
  out.side.clear();
  out.own.clear();
  if (!place_of(out, layout.right)) out.right = std::move(layout.right);
  if (!place_of(out, layout.side)) out.side = std::move(layout.side);
  for (OwnPanel& panel : layout.own) {
    if (panel.id.empty() || place_of(out, panel.id)) continue;
    out.own.push_back(panel);
    set_own_panel(out, panel);
  }
  set_panel_size(out, PanelSize::Drawer, layout.drawer_share);
  set_panel_size(out, PanelSize::Left, layout.left_share);
  set_panel_size(out, PanelSize::Side, layout.side_share);
  return out;
}

bool ShownPanels::has(std::string_view id) const {
  return !id.empty() && (left == id || right == id || side == id || std::ranges::find(own, id, &OwnPanel::id) != own.end());
}

ShownPanels shown_panels(const PanelLayout& layout, const std::function<bool(std::string_view)>& offered,
                         const std::vector<std::string_view>& instead) {
  ShownPanels out;
  const auto if_offered = [&](const std::string& id) { return !id.empty() && offered(id) ? id : std::string(); };
  out.side = if_offered(layout.side);
  for (const OwnPanel& panel : layout.own) {
    if (offered(panel.id)) out.own.push_back(panel);
  }
  if (!layout.drawer) return out;
  out.right = if_offered(layout.right);
  out.left = if_offered(layout.left);
  for (const std::string_view id : instead) {
    if (out.left.empty() && offered(id) && !out.has(id)) out.left = std::string(id);
  }
  if (out.left.empty()) out.left = std::exchange(out.right, {});
  return out;
}

}  // namespace tv
