#include "ui/panels/timeline/timeline_notes.h"

#include <algorithm>
#include <cmath>

#include "ui/panels/timeline/notes_colors.h"
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
  const TimeStyle& style = context.workspace.state().time_style();
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(context.theme.px(420));
  if (!note.name.empty()) ImGui::TextUnformatted(with_letters(note.name.c_str()));
  const std::string at = time_sentence(style, note.time.begin, kMicrosecond);
  ImGui::TextDisabled("%s at %s%s", note.is_span() ? "span" : "mark", at.c_str(),
                      note.is_span() ? (", " + format_exact(note.time.length())).c_str() : "");
  ImGui::TextDisabled("Double-click%s: name and colour%s", around_key(Action::NameNote, " or ", "").c_str(),
                      around_key(Action::DeleteMark, "; ", ": remove it").c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace

void TimelineNotes::draw(const PanelContext& context, const LanesPlace& place, const Area& ruler) {
  draw_spans(context, place, ruler);
  draw_marks(context, place, ruler);
}

// Draws the name of a mark next to it, or a triangle if it has no name or its name has no room. The list and the tooltips still
// show all names.
void TimelineNotes::draw_marks(const PanelContext& context, const LanesPlace& place, const Area& ruler) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Area& lanes = place.area;
  const Theme& theme = context.theme;
  const std::vector<Note>& notes = context.workspace.state().notes.all();
  const float pad = theme.px(kFlagPad), size = theme.px(5);
  place_flags(notes, place.view, static_cast<std::uint32_t>(lanes.width),
              [&](const Note& note) { return static_cast<double>(text_width(note.name) + 2 * pad + 1); },
              static_cast<double>(theme.px(kFlagLeast)), static_cast<double>(theme.px(kFlagMost)), flags_);
  const float top = ruler.y + theme.px(1), bottom = std::min(ruler.y + ruler.height - 1, top + ImGui::GetFontSize() + theme.px(4));
  for (const NoteFlag& flag : flags_) {
    const Note& note = notes[flag.note];
    const Rgba color = color_of(theme, note.color);
    const float x = std::floor(lanes.x + static_cast<float>(flag.x));
    draw_line(list, {x, ruler.y}, {x, lanes.y + lanes.height}, color, note.name.empty() ? 1 : theme.px(1.5f));
    if (flag.label_px <= 0) fill_triangle(list, {x - size, ruler.y}, {x + size, ruler.y}, {x, ruler.y + size * 1.6f}, color);
  }
  for (const NoteFlag& flag : flags_) {
    if (flag.label_px <= 0) continue;
    const Note& note = notes[flag.note];
    const Rgba color = color_of(theme, note.color);
    const float x = std::floor(lanes.x + static_cast<float>(flag.label_x)), end = x + static_cast<float>(flag.label_px);
    fill_box(list, {x, top}, {end - 1, bottom}, theme.panel, theme.px(2));
    outline_box(list, {x, top}, {end - 1, bottom}, color, theme.px(2));
    const float bar = std::floor(lanes.x + static_cast<float>(flag.x));
    draw_line(list, {bar, ruler.y}, {bar, ruler.y + ruler.height}, color, theme.px(2));
    draw_text_fitted(list, {x + pad, top + (bottom - top - ImGui::GetFontSize()) / 2}, end - x - 2 * pad, theme.text, note.name);
  }
}

// Draws each span as a bar with name and length, and its ends as lines in the lanes.
void TimelineNotes::draw_spans(const PanelContext& context, const LanesPlace& place, const Area& ruler) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Area& lanes = place.area;
  const Workspace& workspace = context.workspace;
  const Theme& theme = context.theme;
  const std::vector<Note>& notes = workspace.state().notes.all();
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
  place_spans(span_times_, place.view, static_cast<std::uint32_t>(lanes.width),
              static_cast<double>(std::max(theme.px(kSpanLabel), label)), spans_);
  const float first = lanes.y + (workspace.state().selection.range ? theme.px(kSpanLine + 6) : theme.px(4));
  for (const SpanBar& bar : spans_) {
    const Note& note = notes[span_notes_[bar.span]];
    const Rgba color = color_of(theme, note.color);
    const float x0 = lanes.x + static_cast<float>(std::max(bar.x0, -10.0));
    const float x1 = lanes.x + static_cast<float>(std::min(bar.x1, static_cast<double>(lanes.width) + 10));
    const float y = first + theme.px(kSpanLine) * static_cast<float>(bar.line);
    fill_box(list, {x0, ruler.y + ruler.height - theme.px(3)}, {std::max(x1, x0 + 1), ruler.y + ruler.height}, color);
    for (const float x : {x0, x1}) draw_line(list, {x, ruler.y + ruler.height}, {x, lanes.y + lanes.height}, with_alpha(color, 120));
    const std::string text = text_of_span(note);
    const float width = std::min(text_width(text), most - 2 * pad), middle_y = y + ImGui::GetFontSize() / 2;
    const float from = std::max(x0, lanes.x), to = std::min(x1, lanes.x + lanes.width);
    const bool inside = to - from > width + 4 * pad;
    const float text_x =
        inside ? (from + to - width) / 2 : std::min(x1 + 2 * pad, lanes.x + lanes.width - width - pad);
    draw_line(list, {x0, middle_y}, {x1, middle_y}, color, theme.px(1.5f));
    for (const float x : {x0, x1}) draw_line(list, {x, y}, {x, y + ImGui::GetFontSize()}, color, theme.px(1.5f));
    const Area box{text_x - pad, y - 1, width + 2 * pad, ImGui::GetFontSize() + 2};
    fill_box(list, box.min(), box.max(), theme.panel, theme.px(3));
    outline_box(list, box.min(), box.max(), color, theme.px(3));
    draw_text_fitted(list, {text_x, y}, width + 1, theme.text, text);
    span_boxes_.push_back({span_notes_[bar.span], box});
  }
}

std::optional<std::size_t> TimelineNotes::at(const LanesPlace& place, const Area& ruler, ImVec2 mouse) const {
  for (const auto& [note, box] : span_boxes_) {
    if (box.contains(mouse)) return note;
  }
  if (!ruler.contains(mouse)) return std::nullopt;
  std::optional<std::size_t> best;
  const float reach = kFlagReach * (ImGui::GetFontSize() / 14.5f);
  float least = reach;
  for (const NoteFlag& flag : flags_) {
    const float x = place.area.x + static_cast<float>(flag.x), label = place.area.x + static_cast<float>(flag.label_x);
    if (flag.label_px > 0 && mouse.x >= label && mouse.x < label + static_cast<float>(flag.label_px)) return flag.note;
    if (std::abs(mouse.x - x) > least) continue;
    least = std::abs(mouse.x - x);
    best = flag.note;
  }
  return best;
}

std::optional<ImVec2> TimelineNotes::place_of(const Workspace& workspace, const LanesPlace& place, std::string_view name) const {
  const std::vector<Note>& notes = workspace.state().notes.all();
  for (const auto& [note, box] : span_boxes_) {
    if (note < notes.size() && notes[note].name == name) return ImVec2{box.x + box.width / 2, box.y + box.height / 2};
  }
  for (const NoteFlag& flag : flags_) {
    if (flag.note < notes.size() && notes[flag.note].name == name) return ImVec2{place.area.x + static_cast<float>(flag.x), place.area.y - 12};
  }
  return std::nullopt;
}

void TimelineNotes::draw_tooltip(const PanelContext& context, const LanesPlace& place, const Area& ruler, ImVec2 mouse) const {
  const auto note = at(place, ruler, mouse);
  if (!note || *note >= context.workspace.state().notes.all().size() || context.workspace.state().notes.naming) return;
  note_tooltip(context, context.workspace.state().notes.all()[*note]);
}

void TimelineNotes::draw_name_box(const PanelContext& context, const LanesPlace& place, const Area& ruler) {
  const Workspace& workspace = context.workspace;
  const auto naming = workspace.state().notes.naming;
  const bool opened = naming && naming_ != naming;
  naming_ = naming;
  if (!naming || *naming >= workspace.state().notes.all().size()) return;
  const Note& note = workspace.state().notes.all()[*naming];
  const auto in_sight = [&](SplitHalf half) {
    const TimeRange sight = range_of(workspace.state().view(half));
    return note.time.begin <= sight.end && note.time.end >= sight.begin;
  };
  const bool below = workspace.state().split() && !in_sight(SplitHalf::Upper) && in_sight(SplitHalf::Lower);
  if (below != (place.half == SplitHalf::Lower)) return;  // the timeline that shows the note draws the box
  const Theme& theme = context.theme;
  const float width = std::min(theme.px(300), place.area.width);
  const float x = std::clamp(place.x_of(static_cast<double>(note.time.begin)), place.area.x,
                             std::max(place.area.x, place.area.x + place.area.width - width));
  ImGui::SetNextWindowPos({std::floor(x), ruler.y + ruler.height + theme.px(2)});
  ImGui::SetNextWindowSize({width, 0});
  if (opened) {
    typed_ = note.name;
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
  buffer[typed_.copy(buffer, sizeof(buffer) - 1)] = '\0';
  const bool entered = ImGui::InputTextWithHint("##name", note.is_span() ? "Name of the span" : "Name of the mark", buffer, sizeof(buffer),
                                                ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  typed_ = buffer;
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
  if (entered) context.push(command::EditNote{command::EditNote::What::Rename, naming, typed_});
  const bool clicked_elsewhere = !opened && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                                 !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (clicked_elsewhere && !entered) context.push(command::EditNote{command::EditNote::What::Rename, naming, typed_});
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace tv
