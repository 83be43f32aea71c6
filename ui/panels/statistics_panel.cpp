#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/base/count_text.h"
#include "core/view/chart_csv.h"
#include "ui/panels/side_panels.h"
#include "ui/widgets/table_parts.h"
#include "ui/widgets/text.h"

namespace tv {
namespace {

constexpr float kFilterWidth = 190, kLeastNameWidth = 150, kMostNameWidth = 640, kCategoryWidth = 110;

constexpr std::array<std::string_view, 3> kControls = {"filter", "copy", "csv"};  // as scripts call them

ImVec2 middle_of_item() {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  return {(low.x + high.x) / 2, (low.y + high.y) / 2};
}

TableHead head_of(std::size_t column) {
  const StatsColumnInfo& info = stats_columns()[column];
  return {info.title, info.meaning, info.number};
}

// Widths of columns from what they hold at most, so that they stay when the scope changes; the name takes what is left.
std::array<float, kStatsColumns> column_widths(const Theme& theme, float room) {
  std::array<float, kStatsColumns> widths{};
  for (std::size_t c = 0; c < kStatsColumns; ++c) {
    const auto column = static_cast<StatsColumn>(c);
    widths[c] = table_head_width(head_of(c), column == StatsColumn::Count ? "8,888,888" : "88.88 ms");
  }
  widths[static_cast<std::size_t>(StatsColumn::Category)] = theme.px(kCategoryWidth);
  float& name = widths[static_cast<std::size_t>(StatsColumn::Name)];
  name = 0;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float between = (2 * style.CellPadding.x + 1) * static_cast<float>(kStatsColumns) + style.ScrollbarSize;
  const float rest = room - between - std::accumulate(widths.begin(), widths.end(), 0.0f);
  name = std::clamp(rest, theme.px(kLeastNameWidth), theme.px(kMostNameWidth));  // figures stay near the names
  return widths;
}

}  // namespace

StatisticsPanel::StatisticsPanel(Workspace& workspace, std::function<void()> wake)
    : stats_(workspace.pool(), std::move(wake)) {}

std::optional<ImVec2> StatisticsPanel::place_of(std::string_view what) const {
  for (std::size_t c = 0; c < heads_.size(); ++c) {
    if (stats_columns()[c].title == what && heads_[c].x >= 0) return heads_[c];
  }
  for (std::size_t c = 0; c < kControls.size(); ++c) {
    if (kControls[c] == what && controls_[c].x >= 0) return controls_[c];
  }
  return std::nullopt;
}

std::string StatisticsPanel::first_name(const Workspace& workspace) const {
  if (!shown_ || rows_.empty() || rows_of_.generation != workspace.snapshot().generation) return {};
  return std::string(counted_name(workspace.trace().labels, shown_->stats.labels[rows_.front()].label));
}

void StatisticsPanel::draw(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  const Selection& selection = workspace.selection();
  const Key key{workspace.snapshot().generation, {selection.range, selection.lanes}};
  const auto snapshot = workspace.shared_snapshot();
  // The computation runs on the pool itself, so it gets a pool of one: tasks must not wait for tasks.
  const auto made = stats_.get(key, [snapshot](const Key& k) {
    ThreadPool alone(1);
    return make_statistics(*snapshot, k.query, alone);
  });
  heads_.fill({-1, -1});
  controls_.fill({-1, -1});
  if (!made.value) {
    ImGui::TextUnformatted("computing ...");
    return;
  }
  // Labels of an older snapshot may not exist in this one.
  shown_ = made.fresh ? made.value : nullptr;
  if (shown_ && (made_rows_of_ != shown_ || rows_of_ != key || rows_view_ != view_)) {
    rows_ = stats_rows(workspace.trace().labels, shown_->stats, view_);
    made_rows_of_ = shown_;
    rows_of_ = key;
    rows_view_ = view_;
  }
  draw_controls(context);
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::PushTextWrapPos(0);
  // While it is counted anew the table is that of before: its figures say nothing of the new area.
  std::string scope = shown_ ? statistics_headline(*shown_, key.query) : "counting ...";
  if (!selection.range) scope += "; drag over lanes to select an area";
  ImGui::TextUnformatted(scope.c_str(), scope.c_str() + scope.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  draw_table(context);
}

// What limits the table, and where it can go.
void StatisticsPanel::draw_controls(const PanelContext& context) {
  char buffer[256];
  buffer[view_.words.copy(buffer, sizeof(buffer) - 1)] = '\0';
  ImGui::SetNextItemWidth(context.theme.px(kFilterWidth));
  if (!view_.words.empty()) ImGui::PushStyleColor(ImGuiCol_FrameBg, context.theme.accent_soft);
  const bool typed = ImGui::InputTextWithHint("##words", "Filter: words of a name", buffer, sizeof(buffer),
                                              ImGuiInputTextFlags_AutoSelectAll);
  if (!view_.words.empty()) ImGui::PopStyleColor();
  controls_[0] = middle_of_item();
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Only names with all of these words in them or in their category");
  if (typed) view_.words = buffer;
  const LabelTable& labels = context.workspace.trace().labels;
  ImGui::SameLine();
  if (ImGui::Button("Copy") && shown_) context.push(command::CopyText{table_tsv(stats_table(labels, shown_->stats, rows_))});
  controls_[1] = middle_of_item();
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("The rows that are shown, in full numbers, for a sheet (tabs between cells)");
  ImGui::SameLine();
  if (ImGui::Button("Save CSV") && shown_) {
    context.push(command::SaveText{"statistics.csv", table_csv(stats_table(labels, shown_->stats, rows_))});
  }
  controls_[2] = middle_of_item();
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("The rows that are shown, in full numbers, as a file; traceview stats --csv prints the same");
  if (shown_ && rows_.size() < shown_->stats.labels.size()) {
    ImGui::SameLine();
    ImGui::TextUnformatted(
        fmt::format("{} of {} names", format_count(rows_.size()), format_count(shown_->stats.labels.size())).c_str());
  }
  ImGui::AlignTextToFramePadding();
}

void StatisticsPanel::draw_table(const PanelContext& context) {
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_Resizable | ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_SizingFixedFit;
  const float room = ImGui::GetContentRegionAvail().x;
  // ImGui keeps widths by the table's id: in a panel of another width it is another table.
  const std::string id = fmt::format("stats##{}", static_cast<int>(room / (ImGui::GetFontSize() * 4)));
  if (!ImGui::BeginTable(id.c_str(), static_cast<int>(kStatsColumns), kFlags)) return;
  ImGui::TableSetupScrollFreeze(1, 1);
  const std::array<float, kStatsColumns> widths = column_widths(context.theme, room);
  for (std::size_t c = 0; c < kStatsColumns; ++c) {
    ImGui::TableSetupColumn(stats_columns()[c].title.data(), ImGuiTableColumnFlags_WidthFixed, widths[c]);
  }
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (std::size_t c = 0; c < kStatsColumns; ++c) {
    if (!ImGui::TableSetColumnIndex(static_cast<int>(c))) continue;
    if (const auto order = table_head(head_of(c), c, view_.order, &heads_[c])) view_.order = *order;
  }
  ImGuiListClipper clipper;
  clipper.Begin(shown_ ? static_cast<int>(rows_.size()) : 0);
  while (clipper.Step()) {
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) draw_row(context, rows_[static_cast<std::size_t>(row)]);
  }
  ImGui::EndTable();
}

void StatisticsPanel::draw_row(const PanelContext& context, std::uint32_t row) {
  const LabelTable& labels = context.workspace.trace().labels;
  const LabelStats& of = shown_->stats.labels[row];
  const std::string name(counted_name(labels, of.label));
  ImGui::TableNextRow();
  ImGui::TableSetColumnIndex(0);
  ImGui::PushID(static_cast<int>(row));
  if (ImGui::Selectable("##row", false, ImGuiSelectableFlags_SpanAllColumns)) {
    context.push(command::OpenSearch{});
    context.push(command::Search{name});
    context.push(command::NextHit{});
    context.push(command::SelectName{of.label});
  }
  ImGui::PopID();
  ImGui::SameLine(0, 0);
  const float room = ImGui::GetContentRegionAvail().x;
  const auto fits = [room](std::string_view form) { return text_fits(form, room); };
  const std::string_view form = row < shown_->names.size() ? form_that_fits(shown_->names[row], fits) : std::string_view(name);
  if (name.empty()) {
    table_cell("(no name)", false);
  } else {
    table_cell(form.substr(0, form.find('\n')), false, &name);
  }
  for (std::size_t c = 1; c < kStatsColumns; ++c) {
    if (!ImGui::TableSetColumnIndex(static_cast<int>(c))) continue;
    table_cell(stats_cell(labels, shown_->stats, row, static_cast<StatsColumn>(c)).text, stats_columns()[c].number);
  }
}

}  // namespace tv
