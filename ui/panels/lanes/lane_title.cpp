#include "ui/panels/lanes/lane_title.h"

#include <algorithm>
#include <string>

#include "core/view/lanes/lane_titles.h"
#include "core/view/words/chart_text.h"
#include "ui/widgets/chart_draw.h"
#include "ui/widgets/text/text.h"

namespace tv {

void draw_lane_title(ImDrawList& list, ImVec2 at, float room, Rgba color, std::string_view title,
                     std::span<const std::string_view> others) {
  const std::size_t cut = std::min(title.rfind(" / "), title.size());
  const std::string_view head = title.substr(0, cut), tail = title.substr(cut);
  const float tail_width = text_width(tail);
  constexpr float kLeastHead = 0.25f;
  if (tail.empty() || text_width(title) <= room || tail_width > room * (1 - kLeastHead)) {
    const auto fits = [&](std::string_view text) { return text_width(text) <= room; };
    const bool whole = others.empty() || fits(title);
    draw_text_fitted(list, at, room, color, whole ? std::string(title) : cut_title(title, others, fits));
    return;
  }
  const std::string shown = chart_elided(head, room - tail_width, ImGui::GetFontSize(), imgui_chart_measure());
  draw_text(list, at, color, shown);
  draw_text(list, {at.x + text_width(shown), at.y}, color, tail);
}

}  // namespace tv
