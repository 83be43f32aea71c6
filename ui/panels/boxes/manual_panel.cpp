#include "ui/panels/boxes/manual_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/view/manual/manual.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kManualWidth = 1080, kTopicsWidth = 232, kManualMargin = 14;
constexpr float kTitleSize = 1.4f, kHeadingSize = 1.15f, kCodeSize = 0.95f;

// The font of a style, and its size relative to the usual size.
struct Writing {
  ImFont* font;
  float size;
};

Writing writing_of(const Fonts& fonts, ManualStyle style, std::string_view text) {
  switch (style) {
    case ManualStyle::Title: return {Fonts::bold_for(text), kTitleSize};
    case ManualStyle::Heading: return {Fonts::bold_for(text), kHeadingSize};
    case ManualStyle::Strong: return {Fonts::bold_for(text), 1};
    case ManualStyle::Code: return {fonts.mono(), kCodeSize};
    default: return {ImGui::GetFont(), 1};
  }
}

ManualMeasures pixel_measures(const PanelContext& context) {
  const Theme& theme = context.theme;
  const float line = ImGui::GetTextLineHeight() + theme.px(4);
  ManualMeasures measures;
  measures.width = [&fonts = context.fonts](std::string_view text, ManualStyle style) {
    const Writing writing = writing_of(fonts, style, text);
    ImGui::PushFont(writing.font);
    const float width = text_width(text) * writing.size;
    ImGui::PopFont();
    return width;
  };
  measures.line = line;
  measures.title = line * kTitleSize;
  measures.heading = line * kHeadingSize;
  measures.between_blocks = theme.px(10);
  measures.above_heading = theme.px(20);
  measures.between_items = theme.px(3);
  measures.between_rows = theme.px(6);
  measures.indent = theme.px(16);
  measures.between_columns = theme.px(18);
  measures.breaks_code = true;
  return measures;
}

}  // namespace

void ManualPanel::open(std::string_view topic) {
  if (topic.empty()) {
    appears_ = open_ = !open_;
    return;
  }
  const auto pages = manual_pages();
  const auto found = std::ranges::find(pages, topic, &ManualPage::topic);
  if (found == pages.end()) return;
  appears_ = !open_;
  open_ = true;
  go_to(static_cast<std::size_t>(found - pages.begin()));
}

std::string ManualPanel::topic() const { return open_ ? manual_pages()[page_].topic : std::string(); }

std::optional<ImVec2> ManualPanel::place_of(std::string_view what) const {
  return place_in(places_, what);
}

void ManualPanel::go_to(std::size_t page) {
  page_ = page;
  scroll_to_ = 0.0f;
  at_hit_.reset();
  hits_ = find_in_page(manual_pages()[page_], words_);
}

// Stays on the current page if it has hits, else goes to the first page that has some.
void ManualPanel::find(std::string_view words) {
  words_ = words;
  const auto pages = manual_pages();
  hits_of_pages_.clear();
  for (const ManualPage& page : pages) hits_of_pages_.push_back(find_in_page(page, words_).size());
  if (!words_.empty() && hits_of_pages_[page_] == 0) {
    const auto first = std::ranges::find_if(hits_of_pages_, [](std::size_t count) { return count > 0; });
    if (first != hits_of_pages_.end()) page_ = static_cast<std::size_t>(first - hits_of_pages_.begin());
  }
  go_to(page_);
  next_hit(1);
}

// Goes to the next hit, or the previous one if `by` is -1. After the last hit of a page, goes on to the next page with hits.
void ManualPanel::next_hit(int by) {
  if (words_.empty() || hits_of_pages_.empty()) return;
  const auto count = static_cast<int>(hits_.size());
  const int next = at_hit_ ? static_cast<int>(*at_hit_) + by : by > 0 ? 0 : count - 1;
  if (next >= 0 && next < count) {
    at_hit_ = static_cast<std::size_t>(next);
    to_hit_ = true;
    return;
  }
  const std::size_t pages = hits_of_pages_.size();
  for (std::size_t i = 1; i <= pages; ++i) {
    const std::size_t page = by > 0 ? (page_ + i) % pages : (page_ + pages - i) % pages;
    if (hits_of_pages_[page] == 0) continue;
    go_to(page);
    at_hit_ = by > 0 ? 0 : hits_.size() - 1;
    to_hit_ = true;
    return;
  }
}

void ManualPanel::take_keys(const PanelContext& context) {
  const Keys& keys = context.keys;
  asks_words_ = false;
  if (keys.text_input_active() || context.workspace.state().command_use.covers()) return;
  const float line = ImGui::GetTextLineHeightWithSpacing(), page = ImGui::GetWindowHeight() * 0.7f;
  if (keys.typed({Key::Down})) scroll_by_ += 3 * line;
  if (keys.typed({Key::Up})) scroll_by_ -= 3 * line;
  if (keys.typed({Key::PageDown}) || keys.typed({Key::Space})) scroll_by_ += page;
  if (keys.typed({Key::PageUp})) scroll_by_ -= page;
  if (keys.pressed({Key::Home})) scroll_to_ = 0.0f;
  if (keys.pressed({Key::End})) scroll_to_ = FLT_MAX;
  const std::size_t pages = manual_pages().size();
  if (keys.typed({Key::Right})) go_to((page_ + 1) % pages);
  if (keys.typed({Key::Left})) go_to((page_ + pages - 1) % pages);
  asks_words_ = keys.typed({Key::Slash}) || keys.pressed({Key::F, kCtrl});
}

void ManualPanel::draw(const PanelContext& context, const Area& window) {
  if (!open_) return;
  const Theme& theme = context.theme;
  places_.clear();
  const float around = theme.px(28);
  const float width = std::min(window.width - 2 * around, theme.px(kManualWidth)), height = window.height - 2 * around;
  ImGui::SetNextWindowPos({window.x + std::floor((window.width - width) / 2), window.y + around});
  ImGui::SetNextWindowSize({width, height});
  if (std::exchange(appears_, false)) ImGui::SetNextWindowFocus();
  if (ImGui::Begin("Manual", nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                          ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollbar |
                                          ImGuiWindowFlags_NoScrollWithMouse)) {
    take_keys(context);
    draw_bar(context);
    draw_topics(context);
    ImGui::SameLine(0, theme.px(kManualMargin));
    draw_page(context);
  }
  ImGui::End();
}

void ManualPanel::draw_bar(const PanelContext& context) {
  const Theme& theme = context.theme;
  ImGui::SetNextItemWidth(theme.px(kTopicsWidth));
  if (asks_words_) {
    ImGui::SetWindowFocus();  // ImGui 1.90 ignores the next line while another window has the focus scope
    ImGui::SetKeyboardFocusHere();
  }
  char buffer[128];
  buffer[words_.copy(buffer, sizeof(buffer) - 1)] = '\0';
  const bool entered = ImGui::InputTextWithHint("##find", "Find in all pages  /", buffer, sizeof(buffer),
                                                ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  places_.emplace_back("find", middle_of_item());
  if (words_ != buffer) find(buffer);
  if (entered) {
    next_hit(ImGui::GetIO().KeyShift ? -1 : 1);
    ImGui::SetKeyboardFocusHere(-1);
  }
  if (!words_.empty()) {
    std::size_t all = 0;
    for (const std::size_t count : hits_of_pages_) all += count;
    ImGui::SameLine();
    ImGui::TextUnformatted(all == 0 ? "not found" : fmt::format("{} here, {} in all; Enter: next", hits_.size(), all).c_str());
  }
  const float close = text_width("Close") + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine(ImGui::GetWindowWidth() - close - ImGui::GetStyle().WindowPadding.x);
  if (ImGui::Button("Close")) open_ = false;
  places_.emplace_back("close", middle_of_item());
}

void ManualPanel::draw_topics(const PanelContext& context) {
  ImGui::BeginChild("topics", {context.theme.px(kTopicsWidth), 0});
  const auto pages = manual_pages();
  for (std::size_t p = 0; p < pages.size(); ++p) {
    const std::size_t found = p < hits_of_pages_.size() ? hits_of_pages_[p] : 0;
    const bool dim = !words_.empty() && found == 0;
    ImGui::PushStyleColor(ImGuiCol_Text, dim ? context.theme.text_dim : context.theme.text);
    const std::string title = found > 0 && !words_.empty() ? fmt::format("{} ({})", pages[p].title, found) : pages[p].title;
    if (ImGui::Selectable(fmt::format("{}##{}", title, pages[p].topic).c_str(), p == page_)) go_to(p);
    ImGui::PopStyleColor();
    places_.emplace_back("page " + pages[p].topic, middle_of_item());
  }
  ImGui::EndChild();
}

void ManualPanel::draw_page(const PanelContext& context) {
  const Theme& theme = context.theme;
  ImGui::BeginChild("page", {0, 0});
  const ManualPage& page = manual_pages()[page_];
  const float width = ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize - theme.px(8);
  const std::pair<std::size_t, std::pair<float, float>> now{page_, {width, ImGui::GetFontSize()}};
  if (std::exchange(layout_of_, now) != now) layout_ = lay_out_manual(page, width, pixel_measures(context));
  if (std::exchange(to_hit_, false) && at_hit_) {  // only once, or the page could not be scrolled away from the hit
    const auto& stretch = layout_.blocks[hits_[*at_hit_]];
    const float y = scroll_to_.value_or(ImGui::GetScrollY());
    const bool in_sight = stretch.y >= y && stretch.y + stretch.height <= y + ImGui::GetWindowHeight();
    if (!in_sight) scroll_to_ = std::max(0.0f, stretch.y - ImGui::GetWindowHeight() / 3);
  }
  if (scroll_to_) ImGui::SetScrollY(std::min(*std::exchange(scroll_to_, std::nullopt), layout_.height));
  if (const float by = std::exchange(scroll_by_, 0.0f); by != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0f, layout_.height));
  scroll_ = ImGui::GetScrollY();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = ImGui::GetWindowPos().y - theme.px(40), bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  for (std::size_t b = 0; b < page.blocks.size(); ++b) {
    const ImVec2 low{origin.x, origin.y + layout_.blocks[b].y}, high{origin.x + width, low.y + layout_.blocks[b].height};
    if (high.y < top || low.y > bottom) continue;
    const float pad = theme.px(4);
    if (page.blocks[b].kind == ManualBlock::Kind::Code) fill_box(list, {low.x, low.y - pad}, {high.x, high.y + pad}, theme.header, theme.px(3));
    const auto hit = std::ranges::find(hits_, b);
    if (hit == hits_.end()) continue;
    const bool here = at_hit_ && hits_[*at_hit_] == b;
    outline_box(list, {low.x - pad, low.y - pad / 2}, {high.x, high.y + pad / 2}, here ? theme.accent : theme.border, theme.px(3));
  }
  for (const float rule : layout_.rules) {
    draw_line(list, {origin.x, origin.y + rule}, {origin.x + width, origin.y + rule}, theme.border);
  }
  for (const ManualFragment& fragment : layout_.fragments) {
    const ImVec2 at{origin.x + fragment.x, origin.y + fragment.y};
    if (at.y >= top && at.y <= bottom) draw_fragment(context, fragment, at);
  }
  ImGui::Dummy({width, layout_.height + theme.px(24)});
  ImGui::EndChild();
}

void ManualPanel::draw_fragment(const PanelContext& context, const ManualFragment& fragment, ImVec2 at) {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool link = !fragment.target.empty();
  const Rgba color = link ? theme.accent : theme.text;
  const Writing writing = writing_of(context.fonts, fragment.style, fragment.text);
  ImGui::PushFont(writing.font);
  draw_text(list, at, color, fragment.text, writing.size);
  ImGui::PopFont();
  if (!link) return;
  const float line = ImGui::GetTextLineHeight();
  const ImVec2 low = at, high{at.x + fragment.width, at.y + line};
  draw_line(list, {low.x, high.y}, {high.x, high.y}, color);
  places_.emplace_back("link " + fragment.text, ImVec2{(low.x + high.x) / 2, (low.y + high.y) / 2});
  if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(low, high)) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const ManualPage* const page = find_manual_page(fragment.target);
  if (!page) ImGui::SetTooltip("%s\nA click copies the address.", fragment.target.c_str());
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  if (page) {
    context.push(command::OpenManual{fragment.target});
  } else {
    context.push(command::CopyText{fragment.target});
    context.workspace.say("copied: " + fragment.target);
  }
}

}  // namespace tv
