#include "ui/widgets/table/table_parts.h"

#include <algorithm>
#include <string>

#include "core/view/words/chart_text.h"
#include "ui/widgets/chart_draw.h"
#include "ui/widgets/text/letters.h"

namespace tv {
namespace {

float width_of(std::string_view text) { return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x; }

constexpr std::size_t kLongestCut = 2000;  // bytes; a longer text is clipped at the edge of its column instead

std::string cut_in_the_middle(std::string_view text, float width) {
  return chart_elided(text, width, ImGui::GetFontSize(), imgui_chart_measure());
}

float mark_width() { return ImGui::GetFontSize() * 0.75f; }

// Draws a triangle, because fonts may lack the glyph. It points up for ascending order, and is smaller for a secondary key.
void draw_mark(ImVec2 at, bool falling, bool second) {
  const float size = ImGui::GetFontSize(), half = size * (second ? 0.15f : 0.24f), x = at.x + mark_width() / 2, y = at.y + size / 2;
  const float tip = falling ? y + half : y - half, base = falling ? y - half : y + half;
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
  if (falling) {
    list->AddTriangleFilled({x - half, base}, {x + half, base}, {x, tip}, color);
  } else {
    list->AddTriangleFilled({x - half, base}, {x, tip}, {x + half, base}, color);
  }
}

// Whether an item of this width at the cursor would be clipped on the right: the column is too narrow, or only partly visible.
bool is_cut(float width) {
  constexpr float kRounding = 1;
  return ImGui::GetCursorScreenPos().x + width > ImGui::GetWindowDrawList()->GetClipRectMax().x + kRounding;
}

void wrapped_tooltip(std::string_view text) {
  want_letters(text);
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 40);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

// Draws dots instead of a number that does not fit, because its first digits alone would be a different number.
void dots_for_number(std::string_view text) {
  ImGui::TextDisabled("..");
  if (ImGui::IsItemHovered()) wrapped_tooltip(text);
}

}  // namespace

bool table_head(const TableHead& head, std::size_t column) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, width = width_of(head.title);
  ImGui::PushID(static_cast<int>(column));
  const bool clicked =
      ImGui::Selectable("##head", false, ImGuiSelectableFlags_DontClosePopups, {room, ImGui::GetTextLineHeight()});
  ImGui::PopID();
  // The sort mark is on the inner side of the title, so that the title is aligned with the cells.
  want_letters(head.title);
  const float x = head.number ? at.x + std::max(room - width, head.key > 0 ? mark_width() : 0.0f) : at.x;
  ImGui::GetWindowDrawList()->AddText({x, at.y}, ImGui::GetColorU32(ImGuiCol_Text), head.title.data(),
                                      head.title.data() + head.title.size());
  if (head.key > 0) draw_mark({head.number ? x - mark_width() : x + width, at.y}, head.falling, head.key > 1);
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) {
    wrapped_tooltip(std::string(head.meaning.empty() ? head.title : head.meaning) +
                    (head.key > 0 ? ". Click to reverse the order" : ". Click to sort by this column, Shift+click to add it to the sort keys"));
  }
  return clicked;
}

float table_head_width(std::string_view title, std::string_view widest) {
  return std::max(width_of(title) + mark_width(), width_of(widest));
}

void table_cell(std::string_view text, bool number, const std::string* whole) {
  const float room = ImGui::GetContentRegionAvail().x - width_of(text);
  want_letters(text);
  if (number && is_cut(room < 0 ? width_of(text) : ImGui::GetContentRegionAvail().x)) return dots_for_number(text);
  if (number) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(room, 0.0f));
  // Leaves out the middle, because names differ at the end as often as at the beginning.
  const std::string cut = room < 0 && !number && text.size() < kLongestCut ? cut_in_the_middle(text, ImGui::GetContentRegionAvail().x) : std::string();
  const std::string_view shown = cut.empty() ? text : std::string_view(cut);
  ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
  const bool shortened = whole && *whole != text;
  if ((room < 0 || shortened) && ImGui::IsItemHovered()) wrapped_tooltip(shortened ? std::string_view(*whole) : text);
}

}  // namespace tv
