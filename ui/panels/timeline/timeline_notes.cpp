// Marks as flags on the ruler with their names, measured spans as bars over the lanes with names and lengths, the place of the worst
// finding, and the small box in which a note gets its name.
#include <algorithm>
#include <cmath>

#include "ui/panels/finding_color.h"
#include "ui/panels/timeline/notes_colors.h"
#include "ui/panels/timeline/timeline_panel.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/shapes.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kSpanLine = 18, kSpanLabelMost = 260, kSpanLabel = 80;
constexpr float kFlagPad = 5, kFlagLeast = 26, kFlagMost = 240;
constexpr float kFlagReach = 5;  // the mouse is on a mark within this distance

std::string text_of_span(const Note& note) {
  const std::string length = format_duration(note.time.length());
  return note.name.empty() ? length : note.name + "  " + length;
}

void note_tooltip(const PanelContext& context, const Note& note) {
  const TimeWords& words = context.workspace.time_words();
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(context.theme.px(420));
  if (!note.name.empty()) ImGui::TextUnformatted(with_letters(note.name.c_str()));
  const std::string at = time_sentence(words, note.time.begin, kMicrosecond);
  ImGui::TextDisabled("%s at %s%s", note.is_span() ? "span" : "mark", at.c_str(),
                      note.is_span() ? (", " + format_exact(note.time.length())).c_str() : "");
  ImGui::TextDisabled("Double-click or Ctrl+M: name and colour; Delete: remove it");
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace

// The name next to the mark, or a triangle if it has no name. If marks are too close for names, the list and the tooltip still have
// them all.
void TimelinePanel::draw_marks(const PanelContext& context, ImDrawList& list, const Area& ruler) {
  const Theme& theme = context.theme;
  const std::vector<Note>& notes = context.workspace.notes().all();
  const float pad = theme.px(kFlagPad), size = theme.px(5);
  place_flags(notes, context.workspace.view(half_), static_cast<std::uint32_t>(lanes_.width),
              [&](const Note& note) { return static_cast<double>(text_width(note.name) + 2 * pad + 1); },
              static_cast<double>(theme.px(kFlagLeast)), static_cast<double>(theme.px(kFlagMost)), flags_);
  const float top = ruler.y + theme.px(1), bottom = std::min(ruler.y + ruler.height - 1, top + ImGui::GetFontSize() + theme.px(4));
  for (const NoteFlag& flag : flags_) {
    const Note& note = notes[flag.note];
    const Rgba color = color_of(theme, note.color);
    const float x = std::floor(lanes_.x + static_cast<float>(flag.x));
    draw_line(list, {x, ruler.y}, {x, lanes_.y + lanes_.height}, color, note.name.empty() ? 1 : theme.px(1.5f));
    if (flag.label_px <= 0) fill_triangle(list, {x - size, ruler.y}, {x + size, ruler.y}, {x, ruler.y + size * 1.6f}, color);
  }
  for (const NoteFlag& flag : flags_) {
    if (flag.label_px <= 0) continue;
    const Note& note = notes[flag.note];
    const Rgba color = color_of(theme, note.color);
    const float x = std::floor(lanes_.x + static_cast<float>(flag.label_x)), end = x + static_cast<float>(flag.label_px);
    fill_box(list, {x, top}, {end - 1, bottom}, theme.panel, theme.px(2));
    outline_box(list, {x, top}, {end - 1, bottom}, color, theme.px(2));
    const float bar = std::floor(lanes_.x + static_cast<float>(flag.x));
    draw_line(list, {bar, ruler.y}, {bar, ruler.y + ruler.height}, color, theme.px(2));
    draw_text_fitted(list, {x + pad, top + (bottom - top - ImGui::GetFontSize()) / 2}, end - x - 2 * pad, theme.text, note.name);
  }
}

// The place of the finding in the status bar, in its colour.
void TimelinePanel::draw_found(const PanelContext& context, ImDrawList& list, const Area& ruler) const {
  const std::span<const Finding> found = context.workspace.run().findings();
  const auto place = marked_place(found, static_cast<Ns>(context.workspace.view(half_).span));
  if (!place || context.workspace.layout(half_).boxes().empty()) return;
  const Rgba color = color_of(context.theme, found.front().level);
  const float x0 = std::max(x_of(context, static_cast<double>(place->begin)), lanes_.x - 10);
  const float x1 = std::min(x_of(context, static_cast<double>(place->end)), lanes_.x + lanes_.width + 10);
  if (x1 < lanes_.x || x0 > lanes_.x + lanes_.width) return;
  const float low = ruler.y + ruler.height;
  fill_box(list, {x0, low - context.theme.px(3)}, {std::max(x1, x0 + context.theme.px(2)), low}, color);
  for (const float x : {x0, x1}) draw_line(list, {x, low}, {x, lanes_.y + lanes_.height}, with_alpha(color, 180));
}

// A bar with its name and length, its ends as lines down the lanes.
void TimelinePanel::draw_spans(const PanelContext& context, ImDrawList& list, const Area& ruler) {
  const Workspace& workspace = context.workspace;
  const Theme& theme = context.theme;
  const std::vector<Note>& notes = workspace.notes().all();
  span_times_.clear();
  span_notes_.clear();
  span_boxes_.clear();
  float label = 0;
  const float pad = theme.px(4), most = theme.px(kSpanLabelMost);
  for (std::size_t n = 0; n < notes.size(); ++n) {
    if (!notes[n].is_span()) continue;
    span_times_.push_back(notes[n].time);
    span_notes_.push_back(static_cast<std::uint32_t>(n));
    if (!notes[n].name.empty()) label = std::max(label, std::min(most, text_width(text_of_span(notes[n])) + 4 * pad));
  }
  if (span_times_.empty()) return;
  place_spans(span_times_, workspace.view(half_), static_cast<std::uint32_t>(lanes_.width),
              static_cast<double>(std::max(theme.px(kSpanLabel), label)), spans_);
  const float first = lanes_.y + (workspace.selection().range ? theme.px(kSpanLine + 6) : theme.px(4));
  for (const SpanBar& bar : spans_) {
    const Note& note = notes[span_notes_[bar.span]];
    const Rgba color = color_of(theme, note.color);
    const float x0 = lanes_.x + static_cast<float>(std::max(bar.x0, -10.0));
    const float x1 = lanes_.x + static_cast<float>(std::min(bar.x1, static_cast<double>(lanes_.width) + 10));
    const float y = first + theme.px(kSpanLine) * static_cast<float>(bar.line);
    fill_box(list, {x0, ruler.y + ruler.height - theme.px(3)}, {std::max(x1, x0 + 1), ruler.y + ruler.height}, color);
    for (const float x : {x0, x1}) draw_line(list, {x, ruler.y + ruler.height}, {x, lanes_.y + lanes_.height}, with_alpha(color, 120));
    const std::string text = text_of_span(note);
    const float width = std::min(text_width(text), most - 2 * pad), middle_y = y + ImGui::GetFontSize() / 2;
    const float from = std::max(x0, lanes_.x), to = std::min(x1, lanes_.x + lanes_.width);
    const bool inside = to - from > width + 4 * pad;
    const float text_x =
        inside ? (from + to - width) / 2 : std::min(x1 + 2 * pad, lanes_.x + lanes_.width - width - pad);
    draw_line(list, {x0, middle_y}, {x1, middle_y}, color, theme.px(1.5f));
    for (const float x : {x0, x1}) draw_line(list, {x, y}, {x, y + ImGui::GetFontSize()}, color, theme.px(1.5f));
    const Area box{text_x - pad, y - 1, width + 2 * pad, ImGui::GetFontSize() + 2};
    fill_box(list, box.min(), box.max(), theme.panel, theme.px(3));
    outline_box(list, box.min(), box.max(), color, theme.px(3));
    draw_text_fitted(list, {text_x, y}, width + 1, theme.text, text);
    span_boxes_.push_back({span_notes_[bar.span], box});
  }
}

// A mark's flag or line on the ruler, or a span's label.
std::optional<std::size_t> TimelinePanel::note_at(const Area& ruler, ImVec2 mouse) const {
  for (const auto& [note, box] : span_boxes_) {
    if (box.contains(mouse)) return note;
  }
  if (!ruler.contains(mouse)) return std::nullopt;
  std::optional<std::size_t> best;
  const float reach = kFlagReach * (ImGui::GetFontSize() / 14.5f);
  float least = reach;
  for (const NoteFlag& flag : flags_) {
    const float x = lanes_.x + static_cast<float>(flag.x), label = lanes_.x + static_cast<float>(flag.label_x);
    if (flag.label_px > 0 && mouse.x >= label && mouse.x < label + static_cast<float>(flag.label_px)) return flag.note;
    if (std::abs(mouse.x - x) > least) continue;
    least = std::abs(mouse.x - x);
    best = flag.note;
  }
  return best;
}

std::optional<ImVec2> TimelinePanel::place_of_note(const Workspace& workspace, std::string_view name) const {
  const std::vector<Note>& notes = workspace.notes().all();
  for (const auto& [note, box] : span_boxes_) {
    if (note < notes.size() && notes[note].name == name) return ImVec2{box.x + box.width / 2, box.y + box.height / 2};
  }
  for (const NoteFlag& flag : flags_) {
    if (flag.note < notes.size() && notes[flag.note].name == name) return ImVec2{lanes_.x + static_cast<float>(flag.x), lanes_.y - 12};
  }
  return std::nullopt;
}

void TimelinePanel::point_at_notes(const PanelContext& context, const Area& ruler, ImVec2 mouse) {
  const auto note = note_at(ruler, mouse);
  if (!note || *note >= context.workspace.notes().all().size() || context.workspace.notes().naming || drag_ != Drag::None) return;
  note_tooltip(context, context.workspace.notes().all()[*note]);
}

// Below the ruler, next to its mark. Enter accepts the name, Escape leaves the old one.
void TimelinePanel::draw_name_box(const PanelContext& context, const Area& ruler) {
  const Workspace& workspace = context.workspace;
  const auto naming = workspace.notes().naming;
  const bool opened = naming && naming_ != naming;
  naming_ = naming;
  if (!naming || *naming >= workspace.notes().all().size()) return;
  const Note& note = workspace.notes().all()[*naming];
  const auto in_sight = [&](SplitHalf half) {
    const TimeRange sight = range_of(workspace.view(half));
    return note.time.begin <= sight.end && note.time.end >= sight.begin;
  };
  const bool below = workspace.split() && !in_sight(SplitHalf::Upper) && in_sight(SplitHalf::Lower);
  if (below != (half_ == SplitHalf::Lower)) return;  // only one box is drawn
  const Theme& theme = context.theme;
  const float width = std::min(theme.px(300), lanes_.width);
  const float x = std::clamp(x_of(context, static_cast<double>(note.time.begin)), lanes_.x,
                             std::max(lanes_.x, lanes_.x + lanes_.width - width));
  ImGui::SetNextWindowPos({std::floor(x), ruler.y + ruler.height + theme.px(2)});
  ImGui::SetNextWindowSize({width, 0});
  if (opened) {
    note_name_ = note.name;
    ImGui::SetNextWindowFocus();
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(8), theme.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin("name a note", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::SetNextItemWidth(-1);
  if (opened) ImGui::SetKeyboardFocusHere();
  char buffer[kLongestNoteName + 1];
  buffer[note_name_.copy(buffer, sizeof(buffer) - 1)] = '\0';
  const bool entered = ImGui::InputTextWithHint("##name", note.is_span() ? "Name of the span" : "Name of the mark", buffer, sizeof(buffer),
                                                ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  note_name_ = buffer;
  for (std::size_t c = 0; c < kNoteColors; ++c) {
    const auto color = static_cast<NoteColor>(c);
    if (c > 0) ImGui::SameLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = ImGui::GetFrameHeight();
    if (ImGui::InvisibleButton(std::string(name(color)).c_str(), {side, side}))
      context.push(command::EditNote{command::EditNote::What::Recolor, naming, {}, color});
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", std::string(name(color)).c_str());
    const float in = theme.px(3);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x + in, at.y + in}, {at.x + side - in, at.y + side - in}, color_of(theme, color), theme.px(3));
    if (note.color == color) ImGui::GetWindowDrawList()->AddRect(at, {at.x + side, at.y + side}, theme.text, theme.px(3));
  }
  ImGui::SameLine();
  if (ImGui::SmallButton("Delete")) context.push(command::EditNote{command::EditNote::What::Delete, naming});
  if (entered) context.push(command::EditNote{command::EditNote::What::Rename, naming, note_name_});
  const bool clicked_elsewhere = !opened && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                                 !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (clicked_elsewhere && !entered) context.push(command::EditNote{command::EditNote::What::Rename, naming, note_name_});
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace tv
