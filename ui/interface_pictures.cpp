// Functions of the interface for its own dialogs, for vector pictures, and for the areas and names of panels.
#include <algorithm>

#include "ui/interface.h"

namespace tv {

bool Interface::execute_without_workspace(const Command& any) {
  if (const auto* const chosen = any.get_if<command::NoteCommand>()) given_command_ = chosen->id;
  if (const auto* const toggle = any.get_if<command::ToggleDialog>()) {
    if (toggle->dialog == command::Dialog::Export) {
      export_.toggle(workspace_);
    } else {
      about_open_ = !about_open_;
    }
    return true;
  }
  if (const auto* const page = any.get_if<command::OpenManual>()) {
    manual_.open(page->topic);
    return true;
  }
  if (const auto* const turn = any.get_if<command::NextTable>()) {
    if (!keys_.next_table(turn->forward)) workspace_.say("no table is shown: open a panel that has one, such as Statistics or Hits");
    return true;
  }
  if (any.is<command::ClearSelection>() && (about_open_ || export_.open() || manual_.open())) {
    about_open_ = false;
    manual_.close();
    export_.close();
    return true;
  }
  const auto* const shot = any.get_if<command::Screenshot>();
  if (!shot || !shot->svg || shot->of != "timeline") return false;
  svg_wanted_ = *shot;  // for the next frame
  timeline_.record_next();
  if (workspace_.state().split()) {
    lower_.record_next();
    split_header_.record_next();
  }
  return true;
}

// Saves this frame if the last one requested it.
void Interface::save_svg(double now_s) {
  if (!svg_wanted_) return;
  auto picture = timeline_.take_picture();
  if (const auto below = lower_.take_picture(); picture && below) {
    const std::vector<DrawnShape> heads = split_header_.take_shapes();
    const Area all = *area_shown("timeline");
    picture->shapes.insert(picture->shapes.end(), below->shapes.begin(), below->shapes.end());
    picture->shapes.insert(picture->shapes.end(), heads.begin(), heads.end());
    picture->y = all.y;
    picture->height = all.height;
  }
  const std::string name = std::exchange(svg_wanted_, std::nullopt)->name;
  if (!picture) return notify("there are no lanes to draw: open a trace first" + key_in_brackets(Action::Open), now_s);
  TimelineSvg svg = timeline_svg(*picture);
  if (!svg.note.empty()) notify(svg.note, now_s);
  workspace_.apply(command::SaveText{name + ".svg", std::move(svg.text)});
}

void Interface::draw_dialogs(const PanelContext& context, const Area& whole) {
  if (about_open_) about_open_ = draw_about(context, whole, about_);
  manual_.draw(context, whole);
  export_.draw(context, whole);
  if (std::string message = export_.take_message(); !message.empty()) notify(std::move(message), context.now_s);
}

std::optional<Area> Interface::area_shown(std::string_view what) const {
  if (what == "timeline") {
    Area all = timeline_.picture_area();
    if (!workspace_.state().split()) return all;
    // The headers are included, because they name the halves.
    const Area lower = lower_.picture_area();
    if (lower.y < all.y + all.height) return all;  // there was room for only one
    const float head = std::max(0.0f, lower.y - all.y - all.height);
    return Area{all.x, all.y - head, all.width, lower.y + lower.height - all.y + head};
  }
  std::optional<Area> panel = panels_.area_of_panel(what);
  if (!panel) return panel;
  // The margin keeps text away from the edge of the picture.
  const float margin = theme_.px(8), left = std::min(panel->x, margin), top = std::min(panel->y, margin);
  return Area{panel->x - left, panel->y - top, panel->width + left + margin, panel->height + top + margin};
}

std::vector<std::pair<std::string, std::string>> Interface::panels_with_data() const {
  const PanelData data = workspace_.panel_data();
  std::vector<std::pair<std::string, std::string>> all;
  for (const PanelInfo& panel : panel_table()) {
    if (offered(panel, data)) all.emplace_back(panel.id, panel.title);
  }
  return all;
}

}  // namespace tv
