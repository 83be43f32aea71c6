#include "ui/panels/bars/panel_places.h"

#include <cmath>

#include "ui/widgets/bar.h"

namespace tv {
namespace {

constexpr float kSamePlace = 1.5f;  // ImGui rounds positions and sizes, so a window may differ by this many pixels

bool about_same(const Area& a, const Area& b) {
  const auto near = [](float one, float other) { return std::abs(one - other) <= kSamePlace; };
  return near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height);
}

}  // namespace

const ChartPanel& PanelPlaces::charts() const {
  static const ChartPanel none;
  const auto found = charts_.find(charts_shown_);
  return found == charts_.end() ? none : found->second.panel;
}

std::optional<ImVec2> PanelPlaces::place_of_chip(std::size_t chip, bool its_x) const {
  const auto found = charts_.find(charts_shown_);
  return found == charts_.end() ? std::nullopt : found->second.filters.place_of(chip, its_x);
}

void PanelPlaces::draw(const PanelContext& context, const WindowLayout& layout, ImVec2 window) {
  spots_.clear();
  charts_shown_.clear();
  for (auto& [id, area] : drawn_) area = {};
  const ShownPanels& shown = context.workspace.state().panels.shown();
  draw_edges(context, layout, window);
  tabs_.draw(context, area_of(layout.bar), layout.one_half, spots_);
  draw_place(context, "left half", layout.left, shown.left, false);
  draw_place(context, "right half", layout.right, shown.right, !layout.one_half);
  draw_place(context, "side", layout.side, shown.side, true);
  for (const OwnPanel& own : shown.own) draw_separate_window(context, own, window);
}

void PanelPlaces::draw_edge(const PanelContext& context, const WindowBox& box, PanelSize which, const char* name) {
  if (box.empty()) return;
  const BarWindow edge(name, area_of(box), context.backdrop, context.theme.border);
  ImGui::SetCursorPos({0, 0});
  ImGui::Dummy({box.width, box.height});
  spots_.add_last_item(name);
  const bool over = ImGui::IsWindowHovered();
  if (over || dragged_ == which) {
    ImGui::SetMouseCursor(which == PanelSize::Drawer ? ImGuiMouseCursor_ResizeNS : ImGuiMouseCursor_ResizeEW);
  }
  if (!over || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  if (!ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    dragged_ = which;
    return;
  }
  const PanelLayout defaults;
  const float share = which == PanelSize::Drawer ? defaults.drawer_share
                      : which == PanelSize::Left ? defaults.left_share
                                                 : defaults.side_share;
  context.push(command::SizePanels{which, share});
}

void PanelPlaces::draw_edges(const PanelContext& context, const WindowLayout& layout, ImVec2 window) {
  draw_edge(context, layout.splitter, PanelSize::Drawer, "edge drawer");
  draw_edge(context, layout.divider, PanelSize::Left, "edge halves");
  draw_edge(context, layout.side_edge, PanelSize::Side, "edge side");
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragged_.reset();
  if (!dragged_) return;
  const ImVec2 moved = ImGui::GetIO().MouseDelta, mouse = ImGui::GetIO().MousePos;
  if (moved.x == 0 && moved.y == 0) return;  // a press without a move changes nothing
  float share = 0;
  switch (*dragged_) {
    case PanelSize::Drawer: share = (layout.working.bottom() - mouse.y) / layout.working.height; break;
    case PanelSize::Left: share = mouse.x / (layout.working.width - layout.divider.width); break;
    case PanelSize::Side: share = (window.x - mouse.x) / window.x; break;
  }
  context.push(command::SizePanels{*dragged_, share});
}

void PanelPlaces::draw_title(const PanelContext& context, const PanelInfo& panel) {
  const float room = ImGui::GetContentRegionAvail().x, x = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(panel.title.data(), panel.title.data() + panel.title.size());
  ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", panel.hint.data());
  ImGui::SameLine(x + room - panel_buttons_width(context));
  draw_panel_buttons(context, panel, spots_);
}

void PanelPlaces::draw_place(const PanelContext& context, const char* name, const WindowBox& box, const std::string& id,
                             bool title) {
  const PanelInfo* const panel = find_panel(id);
  if (!panel || box.empty()) return;
  const BarWindow window(name, area_of(box), context.backdrop, context.theme.panel);
  if (title) draw_title(context, *panel);
  draw_panel(context, *panel);
}

// ImGui lets the user move and resize the window, and the result goes into the layout. If the layout changes otherwise, the
// window follows it.
void PanelPlaces::draw_separate_window(const PanelContext& context, const OwnPanel& own, ImVec2 window) {
  const PanelInfo* const panel = find_panel(own.id);
  if (!panel) return;
  const Area wanted{std::floor(own.x * window.x), std::floor(own.y * window.y), std::floor(own.width * window.x),
                    std::floor(own.height * window.y)};
  Area& last = separate_windows_[own.id];
  const bool layout_changed = !about_same(last, wanted);
  if (layout_changed) {
    ImGui::SetNextWindowPos(wanted.min());
    ImGui::SetNextWindowSize(wanted.size());
    last = wanted;
  }
  const std::string name = std::string(panel->title) + "###own " + own.id;
  const float least = context.theme.px(160);
  ImGui::SetNextWindowSizeConstraints({least, least / 2}, window);
  ImGui::Begin(name.c_str(), nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse |
                                          ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar |
                                          ImGuiWindowFlags_NoScrollWithMouse);
  draw_title(context, *panel);
  draw_panel(context, *panel);
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::End();
  const Area now{at.x, at.y, size.x, size.y};
  if (layout_changed || about_same(now, last)) return;
  last = now;
  context.push(command::PlaceOwnPanel{{own.id, at.x / window.x, at.y / window.y, size.x / window.x, size.y / window.y}});
}

std::optional<Area> PanelPlaces::area_of_panel(std::string_view id) const {
  const auto found = drawn_.find(id);
  return found == drawn_.end() || found->second.width <= 0 ? std::nullopt : std::optional(found->second);
}

void PanelPlaces::draw_panel(const PanelContext& context, const PanelInfo& panel) {
  const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const auto drawn = drawn_.find(panel.id);
  (drawn == drawn_.end() ? drawn_[std::string(panel.id)] : drawn->second) = {corner.x, corner.y, room.x, room.y};
  ImGui::PushID(panel.id.data(), panel.id.data() + panel.id.size());
  Charts* charts = nullptr;
  if (panel.chart) {
    charts = &charts_[std::string(panel.id)];
    if (charts_shown_.empty()) charts_shown_ = panel.id;
    if (panel.chart->of == RunPart::Rollout) charts->filters.draw(context);
    if (panel.chart->of == RunPart::Slices) draw_brushed_slices(context);
    charts->panel.draw_controls(context, *panel.chart);
  }
  ImGui::BeginChild("content");
  if (charts) {
    charts->panel.draw(context, *panel.chart);
  } else if (SidePanel* const side_panel = panels_.find(panel.id)) {
    side_panel->draw(context);
  }
  ImGui::EndChild();
  ImGui::PopID();
}

}  // namespace tv
