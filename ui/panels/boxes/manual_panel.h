// The manual, over the window: the list of pages on the left, the current page on the right, links, and a box that searches all
// pages. Draws a ManualLayout (core/view/manual/manual_layout.h).
//
//   Up, Down, Page Up, Page Down, Space, Home, End: scroll     Left, Right: the previous, the next page     / or Ctrl+F: find
//   Esc: close
//
// Only what is in sight is drawn. The layout is computed when the page, the width or the text size changes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view/manual/manual_layout.h"
#include "ui/panels/panel.h"
#include "ui/widgets/area.h"
#include "ui/widgets/named_places.h"

namespace tv {

class ManualPanel {
 public:
  /// Opens the page of a topic. An empty topic closes the manual, or opens it at the page shown last.
  void open(std::string_view topic);
  void close() { open_ = false; }
  bool open() const { return open_; }
  void draw(const PanelContext& context, const Area& window);

  /// Whether the search box takes the keyboard in this frame, so that typed text must be held back for it.
  bool expects_text() const { return asks_words_; }
  /// For scripts: the page, the number of blocks with a hit on it, and the scroll position in the last frame.
  std::string topic() const;
  std::size_t hits() const { return hits_.size(); }
  float scroll() const { return scroll_; }
  /// The middle of what was drawn: "find", "close", "page formats", "link Perfetto". Links outside the view have none.
  std::optional<ImVec2> place_of(std::string_view what) const;

 private:
  void take_keys(const PanelContext& context);
  void draw_bar(const PanelContext& context);
  void draw_topics(const PanelContext& context);
  void draw_page(const PanelContext& context);
  void draw_fragment(const PanelContext& context, const ManualFragment& fragment, ImVec2 at);
  void go_to(std::size_t page);
  void find(std::string_view words);
  void next_hit(int by);

  bool open_ = false, appears_ = false, asks_words_ = false;
  std::size_t page_ = 0;
  std::string words_;
  std::vector<std::size_t> hits_;            // blocks of the page that contain a hit
  std::vector<std::size_t> hits_of_pages_;   // number of blocks with a hit on each page
  std::optional<std::size_t> at_hit_;        // index in hits_
  bool to_hit_ = false;                      // the page is yet to be scrolled to at_hit_
  std::optional<float> scroll_to_;
  float scroll_ = 0, scroll_by_ = 0;
  ManualLayout layout_;
  std::pair<std::size_t, std::pair<float, float>> layout_of_{SIZE_MAX, {0, 0}};  // layout_ is for this page, width and text size
  NamedPlaces places_;
};

}  // namespace tv
