#include "ui/panels/timeline_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/view/short_name.h"
#include "ui/widgets/text.h"

namespace tv {
namespace {

constexpr float kRulerHeight = 24, kScrollbarWidth = 10, kIndent = 12, kPadding = 6;
constexpr float kLabelRoom = 96;  // of a ruler label
constexpr float kArrowHead = 5;

ImVec2 operator+(ImVec2 a, ImVec2 b) { return {a.x + b.x, a.y + b.y}; }

}  // namespace

TimelineGeometry TimelinePanel::geometry(const Area& area, const Theme& theme) const {
  const Area lanes = lanes_area(area, theme);
  return {lanes.width, lanes.height, LaneMetrics{}.scaled(theme.scale)};
}

Area TimelinePanel::lanes_area(const Area& area, const Theme& theme) const {
  const float left = std::floor(theme.px(names_width_)), top = std::floor(theme.px(kRulerHeight));
  return {area.x + left, area.y + top, std::max(1.0f, std::floor(area.width - left - theme.px(kScrollbarWidth))),
          std::max(1.0f, std::floor(area.height - top))};
}

double TimelinePanel::time_at(const PanelContext& context, float x) const {
  const Viewport& view = context.workspace.view();
  return view.begin + static_cast<double>(x - lanes_.x) / static_cast<double>(lanes_.width) * view.span;
}

float TimelinePanel::x_of(const PanelContext& context, double t) const {
  const Viewport& view = context.workspace.view();
  const double x = static_cast<double>(lanes_.x) + (t - view.begin) / view.span * static_cast<double>(lanes_.width);
  return static_cast<float>(std::clamp(x, -1e6, 1e6));
}

FrameParams TimelinePanel::params(const PanelContext& context) const {
  const Workspace& workspace = context.workspace;
  FrameParams params;
  params.width_px = static_cast<std::uint32_t>(lanes_.width);
  params.height_px = lanes_.height;
  params.scroll_y = std::floor(workspace.scroll_y());
  params.palette = &workspace.palette();
  params.text_height_px = ImGui::GetFontSize();
  params.char_width_px = ImGui::GetFontSize() * 0.5f;
  params.text_padding_px = context.theme.px(3);
  params.diamond_px = context.theme.px(9);
  params.selected = workspace.selection().slice;
  return params;
}

void TimelinePanel::draw(const PanelContext& context, const Area& area) {
  lanes_ = lanes_area(area, context.theme);
  ImGui::SetNextWindowPos(area.min());
  ImGui::SetNextWindowSize(area.size());
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                      ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav |
                                      ImGuiWindowFlags_NoBackground;  // the frame was cleared with theme.window
  if (ImGui::Begin("timeline", nullptr, kFlags)) {
    if (context.workspace.trace().lanes.empty()) {
      under_mouse_.reset();
      draw_empty(context, area);
    } else {
      draw_trace(context, area);
    }
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
  if (under_mouse_ && drag_ == Drag::None) draw_tooltip(context, *under_mouse_);
}

void TimelinePanel::draw_trace(const PanelContext& context, const Area& area) {
  const Area ruler{lanes_.x, area.y, lanes_.width, lanes_.y - area.y};
  const Area names{area.x, lanes_.y, lanes_.x - area.x, lanes_.height};
  build_time_axis(context.workspace.view(), static_cast<std::uint32_t>(lanes_.width), context.theme.px(kLabelRoom),
                  axis_);
  handle_mouse(context, names, ruler);
  draw_ruler(context, ruler);
  draw_lanes(context);
  draw_names(context, names);
  draw_scrollbar(context, area);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(ruler.min(), lanes_.max(), true);
  draw_folds(context, list, ruler);
  draw_range(context, list, ruler);
  draw_marks(context, list, ruler);
  list.PopClipRect();
}

void TimelinePanel::draw_lanes(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  const FrameParams frame_params = params(context);
  const FrameKey key{workspace.snapshot().generation, workspace.layout_version(), workspace.view(),
                     frame_params.scroll_y,           lanes_.width,               lanes_.height,
                     ImGui::GetFontSize(),            workspace.theme(),          frame_params.selected};
  if (built_from_ != key) {
    builder_.build(workspace.snapshot(), workspace.layout(), workspace.view(), frame_params, frame_);
    built_from_ = key;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(lanes_.min(), lanes_.max(), true);
  add_backgrounds(context);
  draw_grid(context, list);
  canvas_.draw(list, frame_, lanes_.min(), lanes_.size(), context.theme.scale);
  draw_texts(context, list);
  draw_requests(context, list);
  const Selection& selection = workspace.selection();
  if (selection.hovered != kNone<SliceId> && selection.hovered != selection.slice) {
    draw_outline(context, list, selection.hovered, context.theme.hover, 1);
  }
  if (selection.has_slice()) draw_outline(context, list, selection.slice, context.theme.selection, 2);
  draw_arrows(context, list);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (lanes_.contains(mouse)) {
    list.AddLine({mouse.x, lanes_.y}, {mouse.x, lanes_.y + lanes_.height}, context.theme.cursor);
  }
  list.PopClipRect();
}

void TimelinePanel::add_backgrounds(const PanelContext& context) const {
  const Workspace& workspace = context.workspace;
  const double scroll = std::floor(workspace.scroll_y());
  for (const LaneBox& box : workspace.layout().boxes_between(scroll, scroll + static_cast<double>(lanes_.height))) {
    const float y = lanes_.y + static_cast<float>(box.y - scroll);
    const bool header = box.group && !box.collapsed;
    const Rgba color = header             ? context.theme.lane_group
                       : idx(box.lane) % 2 ? context.theme.lane_odd
                                           : context.theme.lane_even;
    if (color == context.theme.window) continue;  // it is there already
    context.backdrop.add(lanes_.common({lanes_.x, y, lanes_.width, box.height}), color);
  }
}

void TimelinePanel::draw_grid(const PanelContext& context, ImDrawList& list) const {
  for (const Tick& tick : axis_.ticks) {
    const float x = std::floor(lanes_.x + static_cast<float>(tick.x));
    list.AddLine({x, lanes_.y}, {x, lanes_.y + lanes_.height},
                 tick.major ? context.theme.grid_strong : context.theme.grid);
  }
}

void TimelinePanel::draw_texts(const PanelContext& context, ImDrawList& list) const {
  const LabelTable& labels = context.workspace.trace().labels;
  for (const TextItem& text : frame_.texts) {
    std::string_view name = labels.name(text.label);
    if (text_width(name) > text.width) name = short_name(labels.category(text.label), name);
    draw_text_fitted(list, {lanes_.x + text.x, lanes_.y + text.y}, text.width, text.color, name);
  }
}

void TimelinePanel::draw_outline(const PanelContext& context, ImDrawList& list, SliceId slice, Rgba color,
                                 float width) const {
  const Workspace& workspace = context.workspace;
  const SliceBox box = box_of_slice(workspace.trace(), workspace.layout(), workspace.view(), params(context), slice);
  const double left = std::clamp(box.x0, -10.0, static_cast<double>(lanes_.width) + 10);
  const double right = std::clamp(box.x1, -10.0, static_cast<double>(lanes_.width) + 10);
  const float x0 = lanes_.x + static_cast<float>(left), y0 = lanes_.y + static_cast<float>(box.y);
  const float x1 = std::max(lanes_.x + static_cast<float>(right), x0 + context.theme.px(3));
  list.AddRect({x0 - 1, y0 - 1}, {x1 + 1, y0 + static_cast<float>(box.height) + 1}, color, context.theme.px(2), 0,
               context.theme.px(width));
}

// The requests that charts and filters have singled out. Beyond some thousands outlines would be all there is to see.
void TimelinePanel::draw_requests(const PanelContext& context, ImDrawList& list) const {
  constexpr std::size_t kMost = 4000;
  const Workspace& workspace = context.workspace;
  const RunState& state = workspace.run();
  const Rollout* const rollout = state.rollout();
  if (!rollout || rollout->trace.get() != &workspace.trace() || state.everything()) return;
  if (state.question().requests.size() > kMost) return;
  const Viewport& view = workspace.view();
  for (const RequestIx r : state.question().requests) {
    const bool in_view = static_cast<double>(rollout->end[r]) > view.begin && static_cast<double>(rollout->begin[r]) < view.end();
    if (in_view && rollout->slice[r] != kNone<SliceId>) {
      draw_outline(context, list, rollout->slice[r], context.theme.selection, 1);
    }
  }
}

void TimelinePanel::draw_arrows(const PanelContext& context, ImDrawList& list) const {
  const float head = context.theme.px(kArrowHead);
  for (const ArrowItem& arrow : frame_.arrows) {
    const ImVec2 from = lanes_.min() + ImVec2{arrow.x0, arrow.y0}, to = lanes_.min() + ImVec2{arrow.x1, arrow.y1};
    const float reach = std::max(context.theme.px(24), std::abs(to.x - from.x) * 0.4f);
    list.AddBezierCubic(from, {from.x + reach, from.y}, {to.x - reach, to.y}, to, arrow.color, context.theme.px(1.5f));
    list.AddTriangleFilled(to, {to.x - head, to.y - head * 0.6f}, {to.x - head, to.y + head * 0.6f}, arrow.color);
  }
}

void TimelinePanel::draw_range(const PanelContext& context, ImDrawList& list, const Area& ruler) const {
  std::optional<TimeRange> range = context.workspace.selection().range;
  if (drag_ == Drag::ZoomTo) {
    const double t = time_at(context, ImGui::GetIO().MousePos.x);
    range = TimeRange{static_cast<Ns>(std::min(t, press_time_)), static_cast<Ns>(std::max(t, press_time_))};
  }
  if (!range) return;
  const float x0 = x_of(context, static_cast<double>(range->begin)), x1 = x_of(context, static_cast<double>(range->end));
  list.AddRectFilled({x0, ruler.y}, {x1, lanes_.y + lanes_.height}, context.theme.selection_fill);
  for (const float x : {x0, x1}) list.AddLine({x, ruler.y}, {x, lanes_.y + lanes_.height}, context.theme.selection);
  const std::string length = format_duration(range->length());
  const float width = text_width(length), middle = (std::max(x0, ruler.x) + std::min(x1, ruler.x + ruler.width)) / 2;
  const ImVec2 at{middle - width / 2, lanes_.y + context.theme.px(4)};
  const float pad = context.theme.px(4);
  list.AddRectFilled({at.x - pad, at.y - 1}, {at.x + width + pad, at.y + ImGui::GetFontSize() + 1}, context.theme.panel,
                     context.theme.px(3));
  draw_text(list, at, context.theme.text, length);
}

// Where idle time was taken out, and how much: times on the two sides are not of one clock.
void TimelinePanel::draw_folds(const PanelContext& context, ImDrawList& list, const Area& ruler) const {
  const Theme& theme = context.theme;
  const Rgba fill = with_alpha(theme.warning, 40), line = with_alpha(theme.warning, 160);
  for (const FoldedGap& gap : context.workspace.runs_in_view().gaps) {
    const float x0 = x_of(context, static_cast<double>(gap.at.begin)), x1 = x_of(context, static_cast<double>(gap.at.end));
    if (x1 < ruler.x || x0 > ruler.x + ruler.width) continue;
    list.AddRectFilled({x0, ruler.y}, {std::max(x1, x0 + 1), lanes_.y + lanes_.height}, fill);
    for (const float x : {x0, x1}) list.AddLine({x, ruler.y}, {x, lanes_.y + lanes_.height}, line);
    const std::string text = "- " + format_duration(gap.removed);
    const float width = text_width(text), pad = theme.px(3);
    const ImVec2 at{(x0 + x1 - width) / 2, ruler.y + (ruler.height - ImGui::GetFontSize()) / 2};
    list.AddRectFilled({at.x - pad, ruler.y}, {at.x + width + pad, ruler.y + ruler.height - 1}, theme.header);
    draw_text(list, at, theme.warning, text);
  }
}

void TimelinePanel::draw_marks(const PanelContext& context, ImDrawList& list, const Area& ruler) const {
  for (const Ns mark : context.workspace.marks()) {
    const float x = std::floor(x_of(context, static_cast<double>(mark)));
    const float size = context.theme.px(5);
    list.AddLine({x, ruler.y}, {x, lanes_.y + lanes_.height}, context.theme.playhead);
    list.AddTriangleFilled({x - size, ruler.y}, {x + size, ruler.y}, {x, ruler.y + size * 1.6f}, context.theme.playhead);
  }
}

void TimelinePanel::draw_ruler(const PanelContext& context, const Area& ruler) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = context.theme;
  const float left = ImGui::GetWindowPos().x;
  context.backdrop.add({left, ruler.y, ruler.x - left + ruler.width + theme.px(kScrollbarWidth), ruler.height}, theme.header);
  const float text_y = ruler.y + (ruler.height - ImGui::GetFontSize()) / 2;
  const float menu = draw_order_menu(context, {left, ruler.y, ruler.x - left, ruler.height});
  if (!axis_.offset.empty()) {
    draw_text_fitted(list, {left + theme.px(kPadding), text_y}, theme.px(names_width_ - 2 * kPadding) - menu,
                     theme.text_dim, axis_.offset);
  }
  list.PushClipRect(ruler.min(), ruler.max(), true);
  for (const Tick& tick : axis_.ticks) {
    const float x = std::floor(ruler.x + static_cast<float>(tick.x));
    const float height = ruler.height * (tick.major ? 0.45f : 0.25f);
    list.AddLine({x, ruler.y + ruler.height - height}, {x, ruler.y + ruler.height}, theme.text_disabled);
    if (tick.major) draw_text(list, {x + theme.px(4), text_y}, theme.text_dim, tick.label);
  }
  list.PopClipRect();
  list.AddLine({ImGui::GetWindowPos().x, ruler.y + ruler.height}, {ruler.x + ruler.width, ruler.y + ruler.height},
               theme.border);
}

// Above the names, at their right end; the width it took. Only workers can be ordered.
float TimelinePanel::draw_order_menu(const PanelContext& context, const Area& corner) const {
  const RunState& state = context.workspace.run();
  if (!state.rollout() || state.rollout()->workers.size() < 2) return 0;
  const std::optional<HeatMeasure> order = context.workspace.lane_order();
  const std::string title = order ? fmt::format("by {}", word_of(*order)) : "order";
  const float width = text_width(title) + context.theme.px(2 * kPadding);
  if (width > corner.width) return 0;
  ImGui::SetCursorScreenPos({corner.x + corner.width - width - context.theme.px(2), corner.y});
  ImGui::PushStyleColor(ImGuiCol_Button, order ? context.theme.accent_soft : 0);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {context.theme.px(kPadding), (corner.height - ImGui::GetFontSize()) / 2});
  if (ImGui::Button((title + "##order").c_str())) ImGui::OpenPopup("order of lanes");
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  // The timeline has no padding of its own; what opens over it has.
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {context.theme.px(8), context.theme.px(6)});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("In which order the workers stand");
  if (ImGui::BeginPopup("order of lanes")) {
    if (ImGui::MenuItem("as in the files", nullptr, !order)) context.push(command::OrderLanes{});
    for (std::size_t m = 0; m < kHeatMeasures; ++m) {
      const auto measure = static_cast<HeatMeasure>(m);
      const std::string item = fmt::format("by {}, most first", name(measure));
      if (ImGui::MenuItem(item.c_str(), nullptr, order == measure)) context.push(command::OrderLanes{measure});
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s In the step that is looked at.", meaning(measure).data());
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return width;
}

void TimelinePanel::draw_names(const PanelContext& context, const Area& names) {
  const Workspace& workspace = context.workspace;
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(names.min(), names.max(), true);
  const double scroll = std::floor(workspace.scroll_y());
  const float line = ImGui::GetFontSize();
  if (workspace.layout().boxes().empty() && !workspace.lane_filter().empty()) {
    const std::string none = fmt::format("no lane has \"{}\"", workspace.lane_filter());
    draw_text_fitted(list, {names.x + theme.px(kPadding), names.y + theme.px(kPadding)}, names.width, theme.text_dim, none);
  }
  for (const LaneBox& box : workspace.layout().boxes_between(scroll, scroll + static_cast<double>(names.height))) {
    const Lane& lane = workspace.trace().lane(box.lane);
    const float y = names.y + static_cast<float>(box.y - scroll);
    const float indent = theme.px(kPadding + kIndent * static_cast<float>(lane.depth));
    const bool hovered = under_mouse_ && under_mouse_->place.lane == box.lane;
    const Rgba background = box.group ? theme.lane_group : hovered ? theme.header : theme.panel;
    context.backdrop.add(names.common({names.x, y, names.width, box.height}), background);
    const float first_line = std::min(box.height, theme.px(LaneMetrics{}.group_header));
    // The name stays in sight while a tall lane is scrolled past.
    const float text_y = std::clamp(names.y + theme.px(2), y + (first_line - line) / 2,
                                    std::max(y + (first_line - line) / 2, y + box.height - line - theme.px(2)));
    const float arrow = theme.px(kIndent);
    const bool can_fold = box.group || lane.row_count > 1;
    if (can_fold) {
      const ImVec2 c{names.x + indent + arrow * 0.35f, text_y + line * 0.5f};
      const float r = arrow * 0.30f;
      if (box.collapsed) {
        list.AddTriangleFilled({c.x - r * 0.6f, c.y - r}, {c.x + r * 0.8f, c.y}, {c.x - r * 0.6f, c.y + r}, theme.text_dim);
      } else {
        list.AddTriangleFilled({c.x - r, c.y - r * 0.6f}, {c.x + r, c.y - r * 0.6f}, {c.x, c.y + r * 0.8f}, theme.text_dim);
      }
    }
    draw_text_fitted(list, {names.x + indent + arrow, text_y}, names.width - indent - arrow - theme.px(kPadding),
                     box.group ? theme.text : theme.text_dim, lane.name);
    if (lane.counter != UINT32_MAX && box.height > 2.2f * line) {
      const CounterSeries& series = workspace.trace().counters[lane.counter];
      const std::string scale = fmt::format("{:g} .. {:g}", std::min(0.0, series.min), series.max);
      draw_text_fitted(list, {names.x + indent + arrow, text_y + line}, names.width - indent - arrow - theme.px(kPadding),
                       theme.text_disabled, scale);
    }
  }
  list.PopClipRect();
  list.AddLine({lanes_.x - 1, names.y}, {lanes_.x - 1, names.y + names.height}, theme.border);
}

void TimelinePanel::draw_scrollbar(const PanelContext& context, const Area& area) {
  const double content = context.workspace.layout().height(), height = static_cast<double>(lanes_.height);
  if (content <= height) return;
  const float x = lanes_.x + lanes_.width, width = area.x + area.width - x;
  const auto y = lanes_.y + static_cast<float>(context.workspace.scroll_y() / content * height);
  const float length = std::max(context.theme.px(20), static_cast<float>(height / content * height));
  const float inset = context.theme.px(2);
  ImGui::GetWindowDrawList()->AddRectFilled({x + inset, y}, {x + width - inset, y + length},
                                            drag_ == Drag::Scrollbar ? context.theme.accent : context.theme.border,
                                            context.theme.px(4));
}

// The start page, or what there is to say while or after reading gave no lane.
void TimelinePanel::draw_empty(const PanelContext& context, const Area& area) const {
  constexpr std::string_view kStart[] = {"Drop files or folders here", "or press Ctrl+O", "",
                                         "PyTorch profiler, Chrome, JAX and Ray traces (.json, .json.gz)",
                                         "verl rollout logs (step_N/worker_M.jsonl), Paddle pipeline logs (workerlog.N),",
                                         "console logs of verl and Megatron-LM, verl's file logger"};
  constexpr std::string_view kReading[] = {"Reading ..."};
  constexpr std::string_view kNothing[] = {"Nothing to show", "The import report says why (P)"};
  const Workspace& workspace = context.workspace;
  std::span<const std::string_view> lines = kStart;
  if (workspace.anything_open()) lines = kNothing;
  if (context.workspace.session().status().running()) lines = kReading;
  const float line_height = ImGui::GetFontSize() * 1.6f;
  float y = area.y + (area.height - line_height * static_cast<float>(lines.size())) * 0.4f;
  for (const std::string_view& line : lines) {
    const Rgba color = &line == &lines.front() ? context.theme.text : context.theme.text_dim;
    draw_text(*ImGui::GetWindowDrawList(), {area.x + (area.width - text_width(line)) / 2, y}, color, line);
    y += line_height;
  }
}

void TimelinePanel::draw_tooltip(const PanelContext& context, const Pick& under) const {
  const Trace& trace = context.workspace.trace();
  const bool nothing = !under.slice && !under.value && !under.gap;
  if (nothing) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(context.theme.px(460));
  if (under.slice) {
    const std::size_t i = idx(*under.slice);
    const std::string_view name = trace.labels.name(trace.slices.label[i]);
    const std::string_view category = trace.labels.category(trace.slices.label[i]);
    ImGui::TextUnformatted(name.empty() ? "(no name)" : name.data(), name.empty() ? nullptr : name.data() + name.size());
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
    if (!trace.slices.ref[i].is(kInstant)) {
      ImGui::Text("%s%s", format_duration(trace.slices.duration[i]).c_str(),
                  trace.slices.ref[i].is(kUnfinished) ? ", never ended in the file" : "");
    }
    if (!category.empty()) ImGui::TextUnformatted(category.data(), category.data() + category.size());
    ImGui::PopStyleColor();
  } else if (under.value) {
    ImGui::Text("%s: %.6g", trace.lane(under.place.lane).name.c_str(), *under.value);
  } else if (under.gap) {
    ImGui::Text("gap of %s", format_duration(under.gap->length()).c_str());
  }
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace tv
