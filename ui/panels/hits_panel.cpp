#include "ui/panels/hits_panel.h"

#include <algorithm>

#include "core/base/count_text.h"
#include "core/base/utf8.h"
#include "ui/widgets/text.h"

namespace tv {

void HitsPanel::draw(const PanelContext& context) {
  Workspace& workspace = context.workspace;
  const SliceSearch& search = workspace.search();
  const std::string& complaint = search.complaint();
  if (search.asked().text.empty() || !complaint.empty()) {
    list_.reset();
    ImGui::TextUnformatted(complaint.empty() ? "Press / and type a part of a name: its slices are listed here" : complaint.c_str());
    if (complaint.empty() && ImGui::Button("Search")) context.push(command::OpenSearch{});
    return;
  }
  if (auto list = workspace.hit_list(order_)) list_ = std::move(list);
  if (list_ && list_->trace.get() != &workspace.trace()) list_.reset();
  if (!list_) {
    ImGui::TextUnformatted("searching ...");
    return;
  }
  draw_others(context);
  if (!list_->slices.empty()) draw_table(context);
}

// Beside the slices: lanes that are called so.
void HitsPanel::draw_others(const PanelContext& context) const {
  constexpr std::size_t kMostNamed = 4;
  const Trace& trace = context.workspace.trace();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(words_of(*list_).c_str());
  if (list_->lanes.empty()) return;
  ImGui::SameLine(0, context.theme.px(14));
  ImGui::Text("also: %s", count_text(list_->lanes.size(), "lane").c_str());
  for (std::size_t i = 0; i < std::min(list_->lanes.size(), kMostNamed); ++i) {
    const LaneId lane = list_->lanes[i];
    ImGui::SameLine();
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Button(shortened_utf8(trace.lane(lane).name, 30).c_str())) context.push(command::ScrollToLane{lane});
    ImGui::PopID();
  }
}

void HitsPanel::draw_table(const PanelContext& context) {
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_Resizable | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV;
  if (!ImGui::BeginTable("hits", 4, kFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("begins", ImGuiTableColumnFlags_DefaultSort | ImGuiTableColumnFlags_WidthFixed, context.theme.px(130));
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 5);
  ImGui::TableSetupColumn("duration", ImGuiTableColumnFlags_PreferSortDescending | ImGuiTableColumnFlags_WidthFixed, context.theme.px(90));
  ImGui::TableSetupColumn("lane", ImGuiTableColumnFlags_WidthStretch, 3);
  ImGui::TableHeadersRow();
  if (ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs(); specs && specs->SpecsCount > 0) {
    order_ = {static_cast<HitColumn>(specs->Specs[0].ColumnIndex), specs->Specs[0].SortDirection == ImGuiSortDirection_Descending};
    specs->SpecsDirty = false;
  }
  const SliceId selected = context.workspace.selection().slice;
  const float height = ImGui::GetTextLineHeight() + ImGui::GetStyle().CellPadding.y * 2;
  if (selected != lit_) {
    lit_ = selected;
    const auto at = std::ranges::find(list_->slices, selected);
    const float y = height * static_cast<float>(at - list_->slices.begin());
    const bool seen = y >= ImGui::GetScrollY() && y + 3 * height <= ImGui::GetScrollY() + ImGui::GetWindowHeight();
    if (at != list_->slices.end() && !seen) ImGui::SetScrollY(std::max(0.0f, y - ImGui::GetWindowHeight() / 3));
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(list_->slices.size()), height);
  while (clipper.Step()) {
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) draw_row(context, list_->slices[static_cast<std::size_t>(row)]);
  }
  ImGui::EndTable();
}

void HitsPanel::draw_row(const PanelContext& context, SliceId slice) const {
  const Workspace& workspace = context.workspace;
  const Trace& trace = workspace.trace();
  const Ns begin = trace.slices.begin[idx(slice)], duration = trace.slices.duration[idx(slice)];
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(idx(slice)));
  if (ImGui::Selectable(time_text(workspace.time_words(), begin, kMicrosecond).c_str(), workspace.selection().slice == slice,
                        ImGuiSelectableFlags_SpanAllColumns)) {
    context.push(command::GoToHit{slice});
  }
  ImGui::PopID();
  const auto cell = [&](const std::string& text) {
    ImGui::TableNextColumn();
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::TextUnformatted(text.c_str());
    if (text_width(text) > room && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text.c_str());
  };
  cell(std::string(trace.labels.name(trace.slices.label[idx(slice)])));
  cell(duration > 0 ? format_duration(duration) : std::string("instant"));
  std::string path;
  for (const std::string& part : trace.path_of(trace.row(trace.row_of(slice)).lane)) path += (path.empty() ? "" : " / ") + part;
  cell(path);
}

}  // namespace tv
