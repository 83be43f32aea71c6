#include "ui/desk_view.h"

namespace tv {

DeskView::DeskView(Desk& desk, Keys& keys, Fonts& fonts, TimelineCanvas& canvas, std::function<void()> wake)
    : desk_(desk), keys_(keys), fonts_(fonts), canvas_(canvas), wake_(std::move(wake)) {}

Interface& DeskView::interface() {
  const std::uint64_t id = desk_.current_id();
  if (id != shown_id_) {  // tabs may have been closed
    std::erase_if(interfaces_, [&](const auto& each) { return !desk_.index_of(each.first); });
    shown_id_ = id;
  }
  std::unique_ptr<Interface>& found = interfaces_[id];
  if (!found) {
    found = std::make_unique<Interface>(desk_.current(), keys_, fonts_, canvas_, wake_, id);
    found->set_about(about_);
  }
  return *found;
}

void DeskView::prepare(float display_scale, float pixel_ratio) {
  interface().prepare(display_scale, pixel_ratio);
}

void DeskView::frame(ImVec2 size, float dt_s, double now_s) {
  Interface& current = interface();
  current.set_tabs(desk_.tabs());
  current.frame(size, dt_s, now_s);
  if (std::string given = current.take_given_command(); !given.empty()) last_command_ = std::move(given);
}

}  // namespace tv
