#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/view/keys/balanced_columns.h"
#include "core/view/keys/help_lines.h"
#include "ui/panels/side_panels.h"

namespace tv {
namespace {

constexpr float kLeastColumn = 270, kMostColumn = 520;  // widths for readable lines
constexpr std::size_t kMostHelpColumns = 5;
constexpr float kKeysShare = 0.4f;                      // greatest share of a column
constexpr float kBetweenColumns = 26, kBetweenKeys = 10, kAboveHeading = 9;

// The letters and spacing of the page. Closer lines are tried first, then smaller letters; a scroll bar comes last.
struct HelpType {
  float letters = 1;  ///< relative to the usual size
  float between = 0;  ///< space in lines
};
constexpr HelpType kHelpTypes[] = {{1, 3}, {1, 0}, {0.95f, 0}, {0.9f, 0}, {0.85f, 0}, {0.8f, 0}};

float type_width(std::string_view words, const HelpType& type) {
  return ImGui::CalcTextSize(words.data(), words.data() + words.size()).x * type.letters;
}

float wrapped_height(std::string_view words, float width, const HelpType& type) {
  return ImGui::CalcTextSize(words.data(), words.data() + words.size(), false, width / type.letters).y * type.letters;
}

// The lines, distributed over columns.
struct HelpColumns {
  std::size_t count = 1;
  float column = 0, keys = 0;  ///< widths
  std::vector<float> heights;
  FlowedColumns flow;
};

HelpColumns columns_of(const std::vector<HelpLine>& lines, std::size_t count, float room, const HelpType& type, const Theme& theme) {
  HelpColumns out;
  out.count = count;
  const auto columns = static_cast<float>(count);
  out.column = std::min((room - theme.px(kBetweenColumns) * (columns - 1)) / columns, theme.px(kMostColumn));
  float word = 0;  // the widest word, which is never broken
  for (const HelpLine& line : lines) {
    if (line.heading()) continue;
    out.keys = std::max(out.keys, type_width(line.keys, type));
    for (std::size_t at = 0; at < line.keys.size();) {
      const std::size_t end = std::min(line.keys.find(' ', at), line.keys.size());
      word = std::max(word, type_width(std::string_view(line.keys).substr(at, end - at), type));
      at = end + 1;
    }
  }
  out.keys = std::max(std::min(out.keys, out.column * kKeysShare), word) + theme.px(kBetweenKeys);
  std::vector<FlowedLine> flowed;
  for (const HelpLine& line : lines) {
    const float above = line.heading() ? theme.px(kAboveHeading) : 0;
    const float text = line.heading() ? wrapped_height(line.keys, out.column, type)
                                      : std::max(wrapped_height(line.keys, out.keys - theme.px(kBetweenKeys) + 1, type),
                                                 wrapped_height(line.what, out.column - out.keys, type));
    out.heights.push_back(above + text + theme.px(type.between));
    flowed.push_back({out.heights.back(), line.heading()});
  }
  out.flow = balanced_columns(flowed, count);
  return out;
}

// Chooses the number of columns that makes the page lowest, as long as each column is wide enough to read.
HelpColumns best_columns(const std::vector<HelpLine>& lines, float room, const HelpType& type, const Theme& theme) {
  HelpColumns best = columns_of(lines, 1, room, type, theme);
  for (std::size_t count = 2; count <= kMostHelpColumns && room / static_cast<float>(count) >= theme.px(kLeastColumn) * type.letters; ++count) {
    HelpColumns next = columns_of(lines, count, room, type, theme);
    if (next.flow.height < best.flow.height) best = std::move(next);
  }
  return best;
}

void words_at(ImVec2 at, float width, Rgba color, std::string_view words) {
  ImGui::SetCursorPos(at);
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::PushTextWrapPos(at.x + width);
  ImGui::TextUnformatted(words.data(), words.data() + words.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

}  // namespace

void draw_help(const PanelContext& context, const Area& window) {
  const Theme& theme = context.theme;
  const ImGuiStyle& style = ImGui::GetStyle();
  const std::vector<HelpLine> lines = help_lines();
  const float around = theme.px(20), frame = ImGui::GetFrameHeight();
  const float most_width = window.width - 2 * around, most_height = window.height - 2 * around;
  const float at_the_sides = 2 * style.WindowPadding.x + style.ScrollbarSize;
  const float above_and_below = frame + 2 * style.WindowPadding.y + theme.px(4);
  HelpType type;
  HelpColumns columns;
  for (const HelpType& next : kHelpTypes) {
    columns = best_columns(lines, most_width - at_the_sides, type = next, theme);
    if (columns.flow.height <= most_height - above_and_below) break;
  }
  const auto count = static_cast<float>(columns.count);
  const float width = std::min(most_width, columns.column * count + theme.px(kBetweenColumns) * (count - 1) + at_the_sides);
  const float height = std::min(most_height, columns.flow.height + above_and_below);
  ImGui::SetNextWindowPos({window.x + (window.width - width) / 2, window.y + (window.height - height) / 2});
  ImGui::SetNextWindowSize({width, height});
  ImGui::SetNextWindowFocus();
  if (ImGui::Begin("Keys and mouse", nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize |
                                                  ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
    ImGui::SetWindowFontScale(type.letters);
    const ImVec2 start = ImGui::GetCursorPos();
    for (std::size_t c = 0; c < columns.flow.first.size(); ++c) {
      const float x = start.x + static_cast<float>(c) * (columns.column + theme.px(kBetweenColumns));
      const std::size_t end = c + 1 < columns.flow.first.size() ? columns.flow.first[c + 1] : lines.size();
      float y = start.y;
      for (std::size_t i = columns.flow.first[c]; i < end; ++i) {
        const HelpLine& line = lines[i];
        if (line.heading()) {
          words_at({x, y + theme.px(kAboveHeading)}, columns.column, theme.text_dim, line.keys);
        } else {
          words_at({x, y}, columns.keys - theme.px(kBetweenKeys) + 1, theme.accent, line.keys);
          words_at({x + columns.keys, y}, columns.column - columns.keys, theme.text, line.what);
        }
        y += columns.heights[i];
      }
    }
    ImGui::SetCursorPos({start.x, start.y + columns.flow.height});
    ImGui::Dummy({1, 1});
  }
  ImGui::End();
}

}  // namespace tv
