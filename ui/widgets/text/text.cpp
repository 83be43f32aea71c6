#include "ui/widgets/text/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text/utf8.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/shapes.h"

namespace tv {
namespace {

constexpr std::string_view kEllipsis = "…";

const char* end_of(std::string_view text) { return text.data() + text.size(); }

}  // namespace

float text_width(std::string_view text) {
  return ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), 1e9f, 0, text.data(), end_of(text)).x;
}

bool text_fits(std::string_view text, float width) {
  if (width <= 0) return text.empty();
  const std::string_view line = text.substr(0, text.find('\n'));
  const char* rest = nullptr;
  const float used = ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), width, 0, line.data(), end_of(line), &rest).x;
  return rest == end_of(line) && used <= width;
}

void draw_text(ImDrawList& list, ImVec2 at, Rgba color, std::string_view text, float scale) {
  if (text.empty()) return;
  want_letters(text);
  const ImVec2 pixel{std::floor(at.x), std::floor(at.y)};
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize() * scale, pixel, color, text.data(), end_of(text));
  if (!DrawingRecord::is_recording()) return;
  const float size = ImGui::GetFontSize() * scale, width = text_width(text) * scale;
  const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
  if (pixel.x + width < low.x || pixel.x > high.x || pixel.y + size < low.y || pixel.y > high.y) return;
  DrawnShape line{DrawnShape::Kind::Text, color, pixel.x, pixel.y, pixel.x + width, pixel.y + size};
  line.text = text;
  DrawingRecord::add(list, std::move(line));
}

float draw_text_fitted(ImDrawList& list, ImVec2 at, float width, Rgba color, std::string_view text, float scale) {
  if (text.empty() || width <= 0) return 0;
  // A name may contain a newline; only the first line is drawn.
  const std::string_view line = text.substr(0, text.find('\n'));
  ImFont* const font = ImGui::GetFont();
  const float size = ImGui::GetFontSize() * scale;
  const char* rest = nullptr;
  const float all = font->CalcTextSizeA(size, width, 0, line.data(), end_of(line), &rest).x;
  if (rest == end_of(line)) {
    draw_text(list, at, color, line, scale);
    return all;
  }
  const float dots = text_width(kEllipsis) * scale;
  const char* cut = nullptr;
  const float used = font->CalcTextSizeA(size, width - dots, 0, line.data(), end_of(line), &cut).x;
  if (width <= dots || cut == line.data()) return 0;
  draw_text(list, at, color, {line.data(), static_cast<std::size_t>(cut - line.data())}, scale);
  draw_text(list, {at.x + used, at.y}, color, kEllipsis, scale);
  return used + dots;
}

const char* fitting_hint(std::initializer_list<const char*> hints, float box) {
  const float room = box - 2 * ImGui::GetStyle().FramePadding.x;
  const auto fitting = std::ranges::find_if(hints, [&](const char* hint) { return text_width(hint) <= room; });
  return fitting == hints.end() ? *(hints.end() - 1) : *fitting;
}

std::size_t first_line_of(std::string_view text, float width) {
#if IMGUI_VERSION_NUM >= 19200
  const char* const at = ImGui::GetFont()->CalcWordWrapPosition(ImGui::GetFontSize(), text.data(), end_of(text), width);
#else
  const float scale = ImGui::GetFontSize() / ImGui::GetFont()->FontSize;
  const char* const at = ImGui::GetFont()->CalcWordWrapPositionA(scale, text.data(), end_of(text), width);
#endif
  const std::size_t letter = text.empty() ? 0 : std::max<std::size_t>(utf8_length(text), 1);  // at least one whole letter
  const std::size_t end = std::max(static_cast<std::size_t>(at - text.data()), letter);
  // ImGui breaks after every point and comma, even in numbers.
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  const bool in_number = end >= 2 && digit(end) && digit(end - 2) && (text[end - 1] == '.' || text[end - 1] == ',');
  const std::size_t space = in_number ? text.rfind(' ', end) : std::string_view::npos;
  return space == std::string_view::npos || space == 0 ? end : space + 1;
}

void label_and_value(const char* label, std::string_view value, float value_x, Rgba label_color) {
  ImGui::PushStyleColor(ImGuiCol_Text, label_color);
  ImGui::TextUnformatted(label);
  ImGui::PopStyleColor();
  ImGui::SameLine(value_x);
  ImGui::PushTextWrapPos(0);
  want_letters(value);
  ImGui::TextUnformatted(value.data(), end_of(value));
  ImGui::PopTextWrapPos();
}

}  // namespace tv
