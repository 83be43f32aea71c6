#include "core/session/state/panel_state.h"

#include <algorithm>
#include <utility>

namespace tv {
namespace {

constexpr std::string_view kDetails = "details";

// A chart can be shown while its data are being analysed, because it displays the progress itself.
bool can_be_shown(std::string_view id, const PanelData& data) {
  const PanelInfo* const panel = find_panel(id);
  return panel && ((data.pending && panel->chart) || offered(*panel, data));
}

}  // namespace

void PanelState::set_layout(PanelLayout layout) {
  layout_ = std::move(layout);
  by_data_ = layout_.left.empty();
  if (by_data_ && !place_of(layout_, wanted_)) layout_.left = wanted_;
}

void PanelState::follow(const PanelData& data, bool of_selection, bool loaded) {
  if (loaded) choose(data);
  if (of_selection) {
    if (!selected_) selected(false);
  } else if (selected_) {
    layout_.right_in_front = false;  // the chart is in front again
  }
  selected_ = of_selection;
  shown_ = shown_panels(layout_, [&](std::string_view id) { return can_be_shown(id, data); },
                        {wanted_, "statistics", kDetails, "problems"});
  if (const PanelInfo* const panel = find_panel(shown_.left); panel && group_of_ != shown_.left) {
    group_ = panel->group;
    group_of_ = shown_.left;
    last_of_[static_cast<std::size_t>(group_)] = shown_.left;
    looked_for_.clear();
  }
}

// Shows the panel that fits the opened files, until the user has chosen one. A chosen panel stays as long as it has something to
// show.
void PanelState::choose(const PanelData& data) {
  if (!by_data_) {
    if (can_be_shown(layout_.left, data)) return;
    by_data_ = true;
  }
  if (layout_.left == "problems") return;
  for (const std::string_view id : {wanted_, std::string_view("statistics"), kDetails}) {
    const auto place = place_of(layout_, id);
    if (!can_be_shown(id, data) || place.value_or(PanelPlace::Left) != PanelPlace::Left) continue;
    layout_.left = std::string(id);
    return;
  }
}

void PanelState::selected(bool clicked) {
  if (layout_.beside && layout_.right.empty() && !place_of(layout_, kDetails)) layout_.right = std::string(kDetails);
  if (clicked && layout_.right == kDetails) layout_.right_in_front = true;
}

void PanelState::forget() {
  if (!by_data_) return;  // the user's choice stays
  layout_.left = std::string(wanted_);
  if (layout_.right == kDetails) layout_.right.clear();
}

void PanelState::look_for(std::string_view id) {
  const PanelInfo* const panel = find_panel(id);
  if (!panel) return;
  group_ = panel->group;
  looked_for_ = std::string(id);
}

void PanelState::toggle(std::string_view id) {
  if (id == "drawer") {
    layout_.drawer = !layout_.drawer;
    return;
  }
  const auto place = place_of(layout_, id);
  const bool in_drawer = place == PanelPlace::Left || place == PanelPlace::Right;
  const bool hidden_by_other_half = one_half_ && layout_.right_in_front != (place == PanelPlace::Right);
  if (!place || (in_drawer && (!layout_.drawer || hidden_by_other_half))) return show(id);
  by_data_ = false;
  place == PanelPlace::Left ? void(layout_.drawer = false) : close_panel(layout_, id);
}

void PanelState::show(std::string_view id) {
  const auto place = place_of(layout_, id);
  if (!place || place == PanelPlace::Left) by_data_ = false;
  show_panel(layout_, id);
  looked_for_.clear();
  if (const PanelInfo* const panel = find_panel(id)) group_ = panel->group;
}

void PanelState::show_number(int number, const PanelData& data) {
  const std::vector<const PanelInfo*> panels = panels_of(group_, data);
  if (number >= 1 && number <= static_cast<int>(panels.size())) show(panels[static_cast<std::size_t>(number - 1)]->id);
}

void PanelState::show_group(PanelGroup group, const PanelData& data) {
  const std::vector<const PanelInfo*> panels = panels_of(group, data);
  if (panels.empty()) return;
  const auto last = std::ranges::find(panels, last_of_[static_cast<std::size_t>(group)], &PanelInfo::id);
  show(last == panels.end() ? panels.front()->id : (*last)->id);
}

void PanelState::next_group(bool forward, const PanelData& data) { show_group(tv::next_group(group_, forward, data), data); }

void PanelState::move(std::string_view id, PanelPlace place) {
  if (!find_panel(id)) return;
  if (place == PanelPlace::Left) by_data_ = false;
  move_panel(layout_, id, place);
}

void PanelState::close(std::string_view id) {
  const bool shown_with_selection = layout_.beside;
  close_panel(layout_, id);
  if (!selected_) layout_.beside = shown_with_selection;  // the details were empty, so the next selection may show them again
}

void PanelState::reset() {
  layout_ = {};
  by_data_ = true;
  looked_for_.clear();
  if (selected_) selected(false);
}

}  // namespace tv
