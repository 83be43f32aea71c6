#include <fmt/format.h>

#include "ui/panels/side_panels.h"
#include "ui/widgets/text/label.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

void slice_button(const PanelContext& context, const char* label, const RelatedSlice& slice, const std::string& more,
                  float x) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(label);
  ImGui::PopStyleColor();
  ImGui::SameLine(x);
  ImGui::PushID(label);
  ImGui::PushID(static_cast<int>(idx(slice.slice)));
  const std::string text = whole_label(fmt::format("{}  ({}){}", slice.name, slice.lane, more));
  if (ImGui::SmallButton(text.c_str())) context.push(command::SelectSlice{slice.slice, true});
  ImGui::PopID();
  ImGui::PopID();
}

}  // namespace

void draw_gap_details(const PanelContext& context, const GapDetails& gap) {
  const float x = context.theme.px(90);
  const Rgba dim = context.theme.text_dim;
  const TimeStyle& style = context.workspace.state().time_style();
  ImGui::BeginChild("gap", {ImGui::GetContentRegionAvail().x * 0.5f, 0});
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(with_letters(gap.title.c_str()));
  ImGui::PopTextWrapPos();
  ImGui::SameLine();
  if (ImGui::SmallButton("Copy")) context.push(command::CopyText{});
  if (!gap.place.empty())
    label_and_value("Length", fmt::format("{}, {}", format_exact(gap.gap.time.length()), gap.place), x, dim);
  else
    label_and_value("Length", format_exact(gap.gap.time.length()), x, dim);
  std::string lane;
  for (const std::string& part : gap.lane_path) lane += (lane.empty() ? "" : " > ") + part;
  label_and_value("Lane", lane, x, dim);
  label_and_value("Start", time_sentence(style, gap.gap.time.begin, 1), x, dim);
  slice_button(context, "Ended", gap.before, {}, x);
  slice_button(context, "Begins", gap.after, {}, x);
  if (gap.launch) slice_button(context, "Launched by", *gap.launch, {}, x);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("why", {0, 0});
  for (const std::string& reason : gap.reasons) label_and_value("Why", reason, x, dim);
  for (const RelatedSlice& other : gap.meanwhile) {
    slice_button(context, "Meanwhile", other, ", " + format_duration(other.gap), x);
  }
  if (gap.more_meanwhile > 0) label_and_value("", fmt::format("and {} more lanes", gap.more_meanwhile), x, dim);
  ImGui::EndChild();
}

}  // namespace tv
