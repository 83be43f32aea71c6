#include "ui/panels/timeline/split_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/analysis/gpu/step_ranges.h"
#include "core/view/keys/keymap.h"
#include "core/view/words/chart_text.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/chart_draw.h"
#include "ui/widgets/text/label.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kHeadHeight = 24, kHeadPad = 8, kMenuRoom = 14, kMostTitle = 330, kLeastHalfHeight = 60;
constexpr std::size_t kMostItems = 400;

const char* word_of(SplitHalf half) { return half == SplitHalf::Upper ? "upper" : "lower"; }

}  // namespace

SplitAreas split_areas(const Split* split, const Area& all, const Theme& theme) {
  SplitAreas out;
  out.upper = all;
  const float head = std::floor(theme.px(kHeadHeight));
  const float room = std::floor(all.height - 2 * head);
  if (!split || room < 2) return out;
  const float least = std::min(theme.px(kLeastHalfHeight), std::floor(room / 2));
  const float upper = std::clamp(std::floor(room * split->share), least, room - least);
  out.upper_head = {all.x, all.y, all.width, head};
  out.upper = {all.x, all.y + head, all.width, upper};
  out.lower_head = {all.x, all.y + head + upper, all.width, head};
  out.lower = {all.x, out.lower_head.y + head, all.width, room - upper};
  return out;
}

void SplitHeader::record_place(std::string what, ImVec2 low, ImVec2 high) {
  places_.emplace_back(std::move(what), ImVec2{(low.x + high.x) / 2, (low.y + high.y) / 2});
}

std::optional<ImVec2> SplitHeader::place_of(std::string_view what) const {
  if (const auto place = place_in(places_, what)) return place;
  const auto found = std::ranges::find_if(places_, [&](const auto& each) { return what.starts_with("item ") && each.first.starts_with(what); });
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

void SplitHeader::draw(const PanelContext& context, const SplitAreas& areas) {
  places_.clear();
  std::unique_ptr<DrawingRecord> record;
  if (std::exchange(record_next_, false)) {
    shapes_.clear();
    record = std::make_unique<DrawingRecord>(shapes_);
  }
  for (const SplitHalf half : kHalves) draw_half(context, areas, half);
}

// Draws a flat button as wide as its text, with a triangle if a click opens a menu.
bool SplitHeader::button(const PanelContext& context, const Area& bar, float& x, const char* id, std::string_view text, bool menu,
                         const std::string& hint) {
  const Theme& theme = context.theme;
  const float pad = theme.px(kHeadPad), mark = menu ? theme.px(kMenuRoom) : 0;
  const std::string shown = chart_elided(text, theme.px(kMostTitle), ImGui::GetFontSize(), imgui_chart_measure());
  const float width = std::ceil(text_width(shown)) + 2 * pad + mark;
  const ImVec2 low{x, bar.y + 2}, high{x + width, bar.y + bar.height - 2};
  ImGui::SetCursorScreenPos(low);
  const bool pressed = ImGui::InvisibleButton(id, {width, high.y - low.y});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) {
    list.AddRectFilled(low, high, theme.accent_soft, theme.px(3));
    if (!hint.empty()) ImGui::SetTooltip("%s", with_letters(hint.c_str()));
  }
  draw_text(list, {low.x + pad, bar.y + (bar.height - ImGui::GetFontSize()) / 2}, theme.text, shown);
  if (menu) {
    const ImVec2 mid{high.x - pad - theme.px(1), bar.y + bar.height / 2};
    const float r = theme.px(3.5f);
    fill_triangle(list, {mid.x - r, mid.y - r * 0.6f}, {mid.x + r, mid.y - r * 0.6f}, {mid.x, mid.y + r * 0.7f}, theme.text_dim);
  }
  x += width + theme.px(2);
  return pressed;
}

bool SplitHeader::item(const std::string& title, bool on, bool enabled) {
  ImGui::PushID(static_cast<int>(places_.size()));
  const bool chosen = ImGui::MenuItem(whole_label(title).c_str(), nullptr, on, enabled);
  ImGui::PopID();
  record_place("item " + title, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  return chosen;
}

void SplitHeader::draw_half(const PanelContext& context, const SplitAreas& areas, SplitHalf half) {
  const Workspace& workspace = context.workspace;
  const Split& split = *workspace.state().split();
  const Theme& theme = context.theme;
  const Area& bar = areas.head(half);
  const std::string side = word_of(half);
  const BarWindow window((side + " half").c_str(), bar, context.backdrop, theme.header);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(bar.min(), bar.max(), false);  // drawing may reach the edges of the bar, without its padding
  if (DrawingRecord::is_recording()) fill_box(list, bar.min(), bar.max(), theme.header);
  if (half == SplitHalf::Lower) draw_edge(context, areas);
  const SplitTitle& title = workspace.state().halves.titles[ix(half)];
  const StepSource* const steps = workspace.state().halves.steps[ix(half)];
  // The mark has the colour of the half's view on the minimap.
  const Rgba mark = half == SplitHalf::Upper ? theme.accent : theme.warning;
  fill_box(list, {bar.x, bar.y + theme.px(4)}, {bar.x + theme.px(3), bar.y + bar.height - theme.px(4)}, mark);
  float x = bar.x + theme.px(4);
  const auto popup = [&](const char* name, const auto& items) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(8), theme.px(6)});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {theme.px(600), theme.px(420)});
    if (ImGui::BeginPopup(name)) {
      items();
      ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
  };
  const auto part = [&](const char* what, std::string_view words, bool menu, const std::string& hint) {
    const float from = x;
    const bool pressed = button(context, bar, x, what, words, menu, hint);
    record_place(side + " " + what, {from, bar.y}, {x, bar.y + bar.height});
    return pressed;
  };
  if (part("lanes", title.lanes, true, title.lanes + "\nChoose which lanes this half shows")) ImGui::OpenPopup("lanes of a half");
  popup("lanes of a half", [&] { lane_items(context, half); });
  if (steps && !steps->steps.empty()) {
    const bool at_step = split.by == SplitBy::Steps;
    if (at_step && part("previous", "<", false, "Go to the previous step in this half")) context.push(command::NextSplitStep{half, false});
    if (part("step", at_step ? title.at : std::string_view("at a step"), true, "Choose which step of " + steps->of + " is aligned with the other half's step")) {
      ImGui::OpenPopup("steps of a half");
    }
    popup("steps of a half", [&] { step_items(context, half, *steps); });
    if (at_step && part("next", ">", false, "Go to the next step in this half")) context.push(command::NextSplitStep{half, true});
  }
  if (half == SplitHalf::Upper) {
    if (part("align", fmt::format("aligned {}", meaning(split.by)), true, "Choose how the halves are aligned")) ImGui::OpenPopup("aligned");
    popup("aligned", [&] { align_items(context, half); });
    const float close = std::ceil(text_width("\u00d7")) + 2 * theme.px(kHeadPad);
    x = std::max(x, bar.x + bar.width - close);
    const std::string hint = "Show one timeline again" + key_in_brackets(Action::ToggleSplit);
    if (part("close", "\u00d7", false, hint)) context.push(command::ToggleSplit{});
  } else {
    std::string words = split_difference(split);
    if (split.by == SplitBy::Slices && !title.at.empty()) words = title.at + ": " + words;
    draw_text_fitted(list, {x + theme.px(kHeadPad), bar.y + (bar.height - ImGui::GetFontSize()) / 2}, bar.x + bar.width - x - theme.px(kHeadPad),
                     theme.text_dim, words);
  }
  draw_line(list, {bar.x, bar.y + bar.height - 1}, {bar.x + bar.width, bar.y + bar.height - 1}, theme.border);
  list.PopClipRect();
}

// The lower header is the handle that resizes the halves, except where it has buttons.
void SplitHeader::draw_edge(const PanelContext& context, const SplitAreas& areas) {
  const Theme& theme = context.theme;
  const Area& bar = areas.lower_head;
  ImGui::SetCursorScreenPos(bar.min());
  ImGui::InvisibleButton("edge", bar.size());
  ImGui::SetItemAllowOverlap();
  record_place("edge", {bar.x + bar.width * 0.8f, bar.y}, {bar.x + bar.width * 0.8f, bar.y + bar.height});
  dragged_ = ImGui::IsItemActive();
  const bool hovered = ImGui::IsItemHovered();
  if (hovered || dragged_) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  const float dy = ImGui::GetIO().MouseDelta.y, room = areas.upper.height + areas.lower.height;
  if (dragged_ && dy != 0) context.push(command::SizeSplit{(areas.upper.height + dy) / std::max(1.0f, room)});
  ImGui::GetWindowDrawList()->AddLine({bar.x, bar.y}, {bar.x + bar.width, bar.y}, hovered || dragged_ ? theme.accent : theme.text_disabled,
                                      theme.px(2));
}

// Offers the outermost lanes and groups, and the groups directly inside these.
void SplitHeader::lane_items(const PanelContext& context, SplitHalf half) {
  const Workspace& workspace = context.workspace;
  const Trace& trace = workspace.trace();
  const std::vector<std::string>& chosen = workspace.state().split()->lanes[ix(half)];
  if (item("All lanes", chosen.empty())) context.push(command::ChooseSplitLanes{half, {}});
  const std::vector<std::string>& other_lanes = workspace.state().split()->lanes[ix(other(half))];
  const std::vector<std::string> keys = lane_keys(trace);
  ImGui::Separator();
  std::size_t listed = 0;
  for (std::size_t l = 0; l < trace.lanes.size() && listed < kMostItems; ++l) {
    const Lane& lane = trace.lanes[l];
    const bool group = idx(lane.subtree_end) > l + 1;
    if (lane.depth > 1 || (lane.depth == 1 && !group)) continue;
    ++listed;
    const auto id = id_at<LaneId>(l);
    if (lane.depth > 0) ImGui::Indent(context.theme.px(14));
    std::string words = lane.name;
    if (std::ranges::count(other_lanes, keys[l]) > 0) words += half == SplitHalf::Upper ? "  (shown below)" : "  (shown above)";
    if (item(words, std::ranges::count(chosen, keys[l]) > 0)) context.push(command::ChooseSplitLanes{half, {id}});
    if (lane.depth > 0) ImGui::Unindent(context.theme.px(14));
  }
  ImGui::Separator();
  ImGui::TextDisabled("%s: only the lane under the mouse", key_or_title(Action::IsolateLanes).c_str());
}

void SplitHeader::step_items(const PanelContext& context, SplitHalf half, const StepSource& steps) {
  const Split& split = *context.workspace.state().split();
  const std::size_t none = steps.steps.size();
  const std::size_t now = split.by == SplitBy::Steps ? step_at(steps, split.at[ix(half)]).value_or(none) : none;
  for (std::size_t s = 0; s < std::min(steps.steps.size(), kMostItems); ++s) {
    if (item(fmt::format("{}  ({})", steps.steps[s].name, format_duration(steps.steps[s].range.length())), now == s)) {
      context.push(command::AlignSplit{SplitBy::Steps, half, static_cast<std::uint32_t>(s)});
    }
    if (now == s && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  }
}

void SplitHeader::align_items(const PanelContext& context, SplitHalf half) {
  const Workspace& workspace = context.workspace;
  const SplitBy now = workspace.state().split()->by;
  for (std::size_t b = 0; b < static_cast<std::size_t>(SplitBy::kCount); ++b) {
    const auto by = static_cast<SplitBy>(b);
    const bool can = by == SplitBy::Slices  ? workspace.state().selection.has_slice() && !workspace.state().selection.also.empty()
                     : by == SplitBy::Steps ? workspace.state().halves.steps[0] && workspace.state().halves.steps[1]
                                            : true;
    std::string title = fmt::format("Aligned {}", meaning(by));
    if (by == SplitBy::Slices && !can) title += " (click one, Ctrl+click the other)";
    if (item(title, now == by, can)) context.push(command::AlignSplit{by, half});
  }
}

}  // namespace tv
