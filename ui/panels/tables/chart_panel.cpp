#include "ui/panels/tables/chart_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text/count_text.h"
#include "core/query/range_stats.h"
#include "core/view/chart/chart_csv.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"
#include "core/view/keys/brush_command.h"
#include "core/view/picture/chart_grid.h"
#include "core/view/picture/chart_svg.h"
#include "core/view/picture/chart_time.h"
#include "ui/panels/table_commands.h"
#include "ui/widgets/control_row.h"
#include "ui/widgets/named_places.h"
#include "ui/widgets/text/label.h"
#include "ui/widgets/text/letters.h"

namespace tv {
namespace {

constexpr double kRoomAround = 0.5;  // margin around a clicked place, relative to its length
constexpr float kLeastChart = 420, kWithTable = 640, kMostTable = 0.52f, kPictureRoom = 320;
constexpr float kGoodHeight = 190, kLeastHeight = 112, kLeastWithTable = 150, kNextTitle = 24;  // heights of a chart
constexpr float kStacked = 560, kMostBelow = 220;

const char* missing_text(RunPart part) {
  switch (part) {
    case RunPart::Rollout: return "No rollout log is open: step_N/worker_M.jsonl.";
    case RunPart::Training: return "No training log is open.";
    case RunPart::Pipeline: return "No pipeline log is open: workerlog.N.";
    case RunPart::Gpu: return "No trace with work on a GPU is open.";
    case RunPart::Slices: return "No trace with slices is open.";
  }
  return "";
}

void dim_text(const PanelContext& context, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(with_letters(text.c_str()));
  ImGui::PopStyleColor();
}

// Slice ids are valid for one snapshot: while files are being read, the chart may belong to the previous snapshot.
void go_to_place(const PanelContext& context, const ChartPlace& place, std::string_view chart) {
  if (context.workspace.run().data().trace.get() != &context.workspace.trace()) return;
  if (place.slice != kNone<SliceId>) context.push(command::SelectSlice{place.slice, true});
  if (place.marked) context.push(command::SelectRange{place.range, {}, std::string(chart)});
  const auto room = static_cast<Ns>(kRoomAround * static_cast<double>(place.range.length()));
  context.push(command::ZoomTo{{place.range.begin - room, place.range.end + room}});
  if (place.by_name) context.push(command::SelectSameName{});
}

// Shows a brush over slices on every chart of these slices, and an area only on the chart in which it was selected.
void show_brush(const PanelContext& context, const Chart& chart, std::string_view kind, ChartView& view) {
  const RunState& run = context.workspace.run();
  const Selection& selection = context.workspace.state().selection;
  if (chart.slices_of != kNone<LabelId>) {
    view.set_brush(run.slice_brush() ? brush_of(chart, *run.slice_brush()) : std::nullopt);
  } else if (chart.x.timeline) {
    std::optional<ChartBrush> brush;
    const bool here = selection.range && selection.made_in == kind;
    if (here && !chart.x.categories.empty()) return;  // the dragged brush is still there
    if (here) {
      brush.emplace().x = {to_seconds(selection.range->begin), to_seconds(selection.range->end)};
    }
    view.set_brush(std::move(brush));
  } else if (run.brush().empty()) {
    view.set_brush({});
  }
}

// The duration of the slice under the mouse, if the chart is of slices with that name.
std::optional<double> hovered_length(const PanelContext& context, const Chart& chart) {
  const Workspace& workspace = context.workspace;
  const SliceId slice = workspace.state().selection.hovered;
  if (chart.slices_of == kNone<LabelId> || slice == kNone<SliceId>) return std::nullopt;
  const Trace& trace = workspace.trace();
  if (workspace.run().data().trace.get() != &trace) return std::nullopt;
  const LabelId label = trace.label_of(slice);
  const bool same = label == chart.slices_of ||
                    (trace.labels.category(label) == trace.labels.category(chart.slices_of) &&
                     counted_name(trace.labels, label) == counted_name(trace.labels, chart.slices_of));
  return same ? std::optional(to_seconds(trace.duration_of(slice))) : std::nullopt;
}

}  // namespace

// Describes a brush over slices, next to a button that clears it.
void draw_brushed_slices(const PanelContext& context) {
  const auto brushed = context.workspace.brushed_slices();
  if (!brushed) return;
  ImGui::AlignTextToFramePadding();
  dim_text(context, words_of(*brushed));
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip("The timeline highlights these slices. Go to the slowest of them, then to the next%s; clear the brush%s",
                      key_in_brackets(Action::NextSlowest).c_str(), key_in_brackets(Action::ClearSelection).c_str());
  }
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Button, context.theme.accent_soft);
  if (ImGui::SmallButton("x##brushed slices")) context.push(command::BrushRequests{});
  ImGui::PopStyleColor();
  ImGui::SameLine(0, context.theme.px(24));
}

void FilterBar::draw(const PanelContext& context) {
  const RunState& state = context.workspace.run();
  const Rollout* const rollout = state.rollout();
  if (!rollout) return;
  chips_.clear();
  // A click on the x removes the filter; a click on the text does nothing.
  const auto chip = [&](const std::string& text, auto remove) {
    ImGui::PushID(static_cast<int>(chips_.size()));
    // Numbers are formatted for people; the tooltip has the original expression.
    const std::string words = filter_words(text);
    const bool wraps = ImGui::GetCursorPosX() > ImGui::GetWindowContentRegionMin().x &&
                       ImGui::CalcTextSize((words + "  x").c_str()).x > ImGui::GetContentRegionAvail().x;
    if (wraps) ImGui::NewLine();
    ImGui::PushStyleColor(ImGuiCol_Button, context.theme.accent_soft);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, context.theme.accent_soft);
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, context.theme.accent_soft);
    ImGui::SmallButton(whole_label(words).c_str());
    ImGui::PopStyleColor(3);
    const ImVec2 of_words = middle_of_item();
    if (words != text && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", with_letters(text.c_str()));
    ImGui::SameLine(0, 0);
    ImGui::PushStyleColor(ImGuiCol_Button, context.theme.accent_soft);
    if (ImGui::SmallButton("x")) remove();
    ImGui::PopStyleColor();
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Remove this filter");
    chips_.emplace_back(of_words, middle_of_item());
    ImGui::PopID();
    ImGui::SameLine();
  };
  const std::string count = state.everything()
                                ? count_text(rollout->size(), "request")
                                : fmt::format("{} of {} requests", format_count(state.question().requests.size()),
                                              format_count(rollout->size()));
  ImGui::AlignTextToFramePadding();
  dim_text(context, count);
  ImGui::SameLine();
  for (std::size_t c = 0; c < state.chips().size(); ++c) {
    chip(state.chips()[c], [&] { context.push(command::RemoveFilter{c}); });
  }
  if (!state.brush().empty()) {
    chip(state.brush(), [&] { context.push(command::BrushRequests{}); });
    if (ImGui::SmallButton("keep")) {
      context.push(command::FilterRequests{state.brush()});
      context.push(command::BrushRequests{});
    }
    ImGui::SameLine();
  }
  if (!state.shown().empty()) {
    dim_text(context, "shown: " + state.shown());
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("What charts of one step show");
    ImGui::SameLine();
  }
  ImGui::SetNextItemWidth(context.theme.px(220));
  typed_.resize(std::max<std::size_t>(typed_.size(), 200));
  if (ImGui::InputTextWithHint("##filter", "filter: dur>2s && turns>=3", typed_.data(), typed_.size(),
                               ImGuiInputTextFlags_EnterReturnsTrue)) {
    context.push(command::FilterRequests{typed_.c_str()});
    typed_.assign(200, '\0');
  }
  if (!state.complaint().empty()) {
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.warning);
    ImGui::TextUnformatted(state.complaint().c_str());
    ImGui::PopStyleColor();
  }
}

std::optional<ImVec2> ChartPanel::place_of(std::size_t chart, double x, double y) const {
  if (chart >= views_.size() || chart >= origins_.size()) return std::nullopt;
  const ChartPicture& picture = views_[chart]->picture();
  return ImVec2{origins_[chart].x + static_cast<float>(picture.x.px(x)),
                origins_[chart].y + static_cast<float>(picture.y.px(y))};
}

void ChartPanel::draw(const PanelContext& context, const ChartKind& kind) {
  RunState& state = context.workspace.run();
  if (!state.data().has(kind.of)) {
    dim_text(context, state.pending() ? "computing ..." : missing_text(kind.of));
    return;
  }
  const RunState::Charts made = state.charts(kind);
  if (!made.charts) return dim_text(context, "computing ...");
  if (kind_id_ != kind.id) {
    kind_id_ = kind.id;
    views_.clear();
  }
  while (views_.size() < made.charts->size()) views_.push_back(std::make_unique<ChartView>());
  origins_.assign(views_.size(), {});
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = context.theme.px(8);
  const std::size_t count = std::max<std::size_t>(made.charts->size(), 1);
  ChartGridNeeds needs{count, context.theme.px(kLeastChart), context.theme.px(kLeastChart), context.theme.px(kGoodHeight),
                       context.theme.px(kLeastHeight), context.theme.px(kNextTitle)};
  for (const Chart& chart : *made.charts) {
    if (!chart.table) continue;
    const bool picture = !chart.series.empty() || chart.cells;
    needs.least_width = context.theme.px(kWithTable);
    needs.least_height = context.theme.px(kLeastWithTable);  // the picture gets less than half of the width
    needs.whole_width = std::max({needs.whole_width, needs.least_width, picture ? tables_.whole_width(chart, made.version) / kMostTable : 0});
  }
  const ChartGrid grid = chart_grid(needs, room.x, room.y, gap);
  const std::size_t columns = grid.columns;
  const auto size_of = [&](std::size_t c) {
    const std::size_t other = c % 2 == 0 ? c + 1 : c - 1;
    if (columns != 2 || other >= made.charts->size()) return ImVec2{grid.width, grid.height};
    const Chart &chart = (*made.charts)[c], &neighbour = (*made.charts)[other];
    if (chart.table.has_value() == neighbour.table.has_value()) return ImVec2{grid.width, grid.height};
    const float wanted = tables_.whole_width(chart.table ? chart : neighbour, made.version) + context.theme.px(kPictureRoom);
    const float with_table = width_with_table(grid, wanted, context.theme.px(kLeastChart));
    return ImVec2{chart.table ? with_table : 2 * grid.width - with_table, grid.height};
  };
  std::optional<double> now_pointed;
  std::size_t pointed_chart = 0;
  for (std::size_t c = 0; c < made.charts->size(); ++c) {
    if (c % columns != 0) ImGui::SameLine(0, gap);
    const Chart& chart = (*made.charts)[c];
    const bool same_axis = pointed_ && pointed_chart_ < count && (*made.charts)[pointed_chart_].x.title == chart.x.title;
    std::optional<double> elsewhere = same_axis && pointed_chart_ != c ? pointed_ : hovered_length(context, chart);
    if (const auto t = context.workspace.state().pointer.on_timeline; t && !pointed_ && chart.time) elsewhere = chart_x_of_time(chart, *t);
    views_[c]->show_elsewhere(chart.horizontal ? std::nullopt : elsewhere);
    std::optional<double> at;
    ImGui::PushID(chart.id.c_str());  // ImGui identifies the columns of the chart's table by this id
    draw_chart(context, kind, chart, made.version, *views_[c], size_of(c), grid.width, at);
    ImGui::PopID();
    if (at) {
      now_pointed = at;
      pointed_chart = c;
    }
  }
  if (now_pointed) context.workspace.set_chart_time(time_of_chart_x((*made.charts)[pointed_chart], *now_pointed));
  pointed_ = now_pointed;
  pointed_chart_ = pointed_chart;
}

void ChartPanel::draw_controls(const PanelContext& context, const ChartKind& kind) {
  const RunState& state = context.workspace.run();
  if (!state.data().has(kind.of)) return;
  const bool two_readings = kind.has_two_readings(state.data());
  if (two_readings) {
    if (kind.of == RunPart::Rollout) ImGui::SameLine();
    bool as_script = state.question().as_script;
    if (ImGui::Checkbox("as verl's script computes it", &as_script)) context.push(command::ToggleScriptReading{});
  }
  if (!kind.controls) return;
  if (controls_of_ != kind.id || controls_version_ != state.version()) {
    controls_ = kind.controls(state.data(), state.question().settings);
    controls_of_ = kind.id;
    controls_version_ = state.version();
  }
  if (controls_.empty()) return;
  if (kind.of == RunPart::Rollout || two_readings) ImGui::SameLine(0, context.theme.px(24));
  if (const auto set = control_row(controls_, context.theme)) context.push(command::SetChart{set->first, set->second});
}

void ChartPanel::draw_chart(const PanelContext& context, const ChartKind& kind, const Chart& chart,
                            std::uint64_t version, ChartView& view, ImVec2 size, float equal_width, std::optional<double>& at_x) {
  const bool picture = !chart.series.empty() || chart.cells || !chart.table;
  // A chart that is wider than its neighbour uses the extra width for its table.
  const float most_table = size.x > equal_width ? size.x - context.theme.px(kPictureRoom) : size.x * kMostTable;
  const float table_width =
      !chart.table ? 0
                   : picture ? std::floor(std::min(tables_.whole_width(chart, version), most_table)) : size.x;
  // Where a chart is narrow, as in half of a drawer or at the side, the table is below the picture.
  const bool stacked = chart.table && picture && size.x < context.theme.px(kStacked);
  const float rows_height = chart.table ? ImGui::GetTextLineHeightWithSpacing() * static_cast<float>(chart.table->rows.size() + 2) : 0;
  const float below = stacked ? std::min(rows_height, context.theme.px(kMostBelow)) : 0;
  ImGui::BeginChild("chart", {size.x, size.y + below});
  if (picture) {
    show_brush(context, chart, kind.id, view);
    for (std::size_t v = 0; v < views_.size(); ++v) {
      if (views_[v].get() == &view) origins_[v] = ImGui::GetCursorScreenPos();
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room{stacked ? size.x : size.x - table_width - (chart.table ? context.theme.px(8) : 0), size.y};
    const ChartAction action = view.draw("picture", chart, version, room, context.theme);
    at_x = action.at;
    draw_menu(context, chart, view, {at.x, at.y, room.x, room.y});
    if (action.clicked) act(context, chart, *action.clicked, action.narrow);
    if (action.brush && (action.brushing || action.brush_ended)) {
      context.push(brush_command(chart, *action.brush, std::string(kind.id)));
    }
    if (action.brush_cleared) context.push(chart.x.timeline ? Command(command::ClearSelection{}) : command::BrushRequests{});
  }
  if (chart.table) {
    if (picture && !stacked) ImGui::SameLine(0, context.theme.px(8));
    ImGui::BeginChild("table", stacked ? ImVec2{0, 0} : ImVec2{table_width, size.y});
    if (!picture) dim_text(context, chart.title);
    const TableAction action = tables_.draw(context, chart, version, {0, 0});
    push_files(context, action);
    const auto target_of = [&](std::size_t row) {
      return row < chart.table->targets.size() ? chart.table->targets[row] : ChartTarget();
    };
    if (const auto row = action.chosen ? action.chosen : action.go) act(context, chart, target_of(*row), false);
    if (action.narrow) act(context, chart, target_of(*action.narrow), true);
    ImGui::EndChild();
  }
  ImGui::EndChild();
}

// The context menu of the item that ImGui drew last.
void ChartPanel::draw_menu(const PanelContext& context, const Chart& chart, ChartView& view, Area picture) const {
  if (!ImGui::BeginPopupContextItem("save")) return;
  const auto take = [&](float scale, bool copy) {
    view.hide_mouse_once();
    command::Screenshot shot{{}, chart.id, {picture.x, picture.y, picture.width, picture.height}};
    shot.scale = scale;
    shot.copy = copy;
    context.push(shot);
  };
  if (ImGui::MenuItem("Save picture (PNG)")) take(1, false);
  if (ImGui::MenuItem("Save picture (PNG, 2x resolution)")) take(2, false);
  if (ImGui::MenuItem("Copy picture")) take(2, true);
  if (ImGui::MenuItem("Save picture (SVG)")) {
    ChartFrame frame;
    frame.width = std::max(picture.width / context.theme.scale, 480.0f);
    frame.height = std::max(picture.height / context.theme.scale, 300.0f);
    frame.theme = ThemeKind::Light;
    frame.note_below = true;
    context.push(command::SaveText{chart.id + ".svg", chart_svg(chart_picture(chart, frame))});
  }
  if (ImGui::MenuItem("Save numbers (CSV)")) context.push(command::SaveText{chart.id + ".csv", chart_csv(chart)});
  if (ImGui::MenuItem("Copy numbers (CSV)")) context.push(command::CopyText{chart_csv(chart)});
  ImGui::EndPopup();
}

void ChartPanel::act(const PanelContext& context, const Chart& chart, const ChartTarget& target, bool narrow) const {
  if (target.kind == ChartTarget::Kind::None) return;
  if (narrow && context.workspace.run().rollout()) {
    const std::string filter = target_filter(*context.workspace.run().rollout(), chart, target);
    return context.push(command::BrushRequests{filter, {}});
  }
  switch (target.kind) {
    case ChartTarget::Kind::None: return;
    case ChartTarget::Kind::Request: return context.push(command::SelectRequest{target.id, true});
    case ChartTarget::Kind::Step: return context.push(command::GoToStep{target.id});
    case ChartTarget::Kind::WorkerStep: return context.push(command::GoToWorkerStep{target.id});
    case ChartTarget::Kind::TrainingStep: return context.push(command::GoToTrainingStep{target.id});
    case ChartTarget::Kind::Setting:
      return context.push(command::SetChart{chart.settings[target.id].first, chart.settings[target.id].second});
    case ChartTarget::Kind::Place: return go_to_place(context, chart.places[target.id], kind_id_);
    case ChartTarget::Kind::Filter:
      return context.push(command::FilterRequests{target_filter(*context.workspace.run().rollout(), chart, target)});
  }
}

}  // namespace tv
