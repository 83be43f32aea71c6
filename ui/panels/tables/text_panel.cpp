#include "ui/panels/tables/text_panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

void dim_line(const PanelContext& context, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(with_letters(text.c_str()));
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

}  // namespace

std::string TextPanel::lit() const { return drawn_ && !drawn_->lines.empty() ? drawn_->lines[drawn_->selected].text : std::string(); }

std::optional<ImVec2> TextPanel::place_of(std::string_view what) const {
  return place_in(places_, what);
}

void TextPanel::draw(const PanelContext& context) {
  places_.clear();
  const Workspace& workspace = context.workspace;
  const SliceId slice = workspace.state().selection.slice;
  const std::optional<TextPlace>& place = workspace.state().selection.text;
  if (slice == kNone<SliceId> && !place) {
    drawn_.reset();
    drawn_of_ = {};
    return dim_line(context, "Select a slice to see the lines of its file. A click on a line goes to what it describes.");
  }
  const Asked now{workspace.shared_snapshot(), slice, place};
  const auto asked = memo_.get(now, [](const Asked& key) {
    const Trace& trace = *key.snapshot->trace;
    return key.place ? source_lines(trace, id_at<SourceId>(key.place->source), key.place->byte) : source_lines(trace, key.slice);
  });
  if (!asked.value || !asked.fresh) {
    if (!drawn_) return dim_line(context, "...");
    return draw_lines(context, *drawn_, false);  // the old lines stay until the new ones are ready
  }
  if (!asked.value->ok()) {
    drawn_.reset();
    return dim_line(context, asked.value->error().text());
  }
  const bool changed = !(std::exchange(drawn_of_, now) == now), moved = !drawn_ || changed;
  if (moved) drawn_ = asked.value->value();
  draw_lines(context, *drawn_, moved);
}

void TextPanel::draw_lines(const PanelContext& context, const SourceLines& lines, bool scroll) {
  dim_line(context, fmt::format("{}, from byte {}{}", lines.path, lines.lines.empty() ? 0 : lines.lines.front().begin,
                                lines.to_end ? ", to its end" : ""));
  ImGui::BeginChild("lines", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PushFont(context.fonts.mono());
  const float row = ImGui::GetTextLineHeightWithSpacing();
  if (scroll) {
    const float above = (ImGui::GetWindowHeight() - row) / 2;
    ImGui::SetScrollY(std::max(0.0f, row * static_cast<float>(lines.selected) - above));
    ImGui::SetScrollX(0);
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.lines.size()), row);
  while (clipper.Step()) {
    for (int l = clipper.DisplayStart; l < clipper.DisplayEnd; ++l) {
      const auto at = static_cast<std::size_t>(l);
      const SourceLine& line = lines.lines[at];
      ImGui::PushID(l);
      ImGui::PushStyleColor(ImGuiCol_Text, line.begins ? context.theme.text : context.theme.text_dim);
      want_letters(line.text);
      const std::string shown = line.cut ? line.text + " ..." : line.text;
      const ImVec2 corner = ImGui::GetCursorScreenPos();  // the highlight extends a little to the left
      if (ImGui::Selectable("##line", at == lines.selected, 0, {std::max(text_width(shown), ImGui::GetContentRegionAvail().x), 0}) &&
          line.slice != kNone<SliceId>) {
        context.push(command::SelectSlice{line.slice, true});
      }
      ImGui::SameLine(0, 0);
      ImGui::SetCursorScreenPos(corner);
      ImGui::TextUnformatted(shown.c_str());
      ImGui::PopStyleColor();
      ImGui::PopID();
      const ImVec2 middle{corner.x + row, corner.y + row / 2};
      if (at == lines.selected) places_.emplace_back("lit", middle);
      if (at == lines.selected + 1) places_.emplace_back("next", middle);
      if (at + 1 == lines.selected) places_.emplace_back("previous", middle);
    }
  }
  ImGui::PopFont();
  ImGui::EndChild();
}

}  // namespace tv
