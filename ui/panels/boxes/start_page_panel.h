// The page shown before anything is open: a StartPage (core/session/persistence/start_page.h), with formats and keys on the
// right, or below in a narrow window. The keyboard reaches all of it: Tab and arrows, Home, End, Enter or Space. On an entry of
// the list, P pins the entry and Delete removes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/session/persistence/start_page.h"
#include "ui/panels/panel.h"

namespace tv {

class StartPagePanel {
 public:
  void draw(const PanelContext& context, const Area& area, const StartPage& page);
  /// For scripts: the position of a clickable item in the last frame, by a part of its text.
  std::optional<ImVec2> place_of(std::string_view text) const;
  /// The item that has the keyboard focus: "session", "open", "entry 0"; empty: none.
  const std::string& focus() const { return focus_; }

 private:
  void take_keys(const PanelContext& context, const StartPage& page);
  void step(int by, bool over_buttons);
  bool item(const PanelContext& context, std::string id, bool clicked);
  void draw_first(const PanelContext& context, const StartPage& page, float width);
  void draw_session(const PanelContext& context, const StartPage::Session& session, float width);
  void draw_drop_zone(const PanelContext& context, const StartPage& page, float width);
  void draw_recent(const PanelContext& context, const StartPage& page, float width);
  void draw_entry(const PanelContext& context, const StartPage::Entry& entry, std::size_t index, float width);
  void draw_formats(const PanelContext& context, float width) const;
  void draw_keys(const PanelContext& context) const;
  void heading(const PanelContext& context, const char* text) const;
  bool button(const PanelContext& context, std::string id, const char* title);

  std::vector<std::pair<std::string, ImVec2>> places_;
  std::vector<std::string> items_;  // focusable items, in order
  std::string focus_;
  bool focus_moved_ = false, chosen_ = false;
};

}  // namespace tv
