#include "ui/panels/search_box.h"

#include <algorithm>

#include "core/view/keys/keymap.h"
#include "imgui_internal.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

struct Toggle {
  const char* title;
  Action action;
  const char* hint;
};
constexpr Toggle kToggles[] = {
    {"Aa", Action::SearchMatchCase, "Match case"},
    {".*", Action::SearchRegex, "Regular expression (RE2), such as  ^nccl.*(Reduce|Gather)"},
    {"In area", Action::SearchInArea, "Only slices that touch the selected area, on its lanes"},
};
constexpr const char* kPlaces[] = {"Names", "Records"};
constexpr float kGap = 4;

float button_width(const char* title) { return ImGui::CalcTextSize(title).x + ImGui::GetStyle().FramePadding.x * 2; }

bool is_on(const SearchQuestion& asked, Action action) {
  return action == Action::SearchMatchCase ? asked.match_case : action == Action::SearchRegex ? asked.regex : asked.in_area;
}

// Whether the option applies: records are compared as written, and SearchInArea needs an area.
bool is_offered(const Workspace& workspace, Action action) {
  if (action == Action::SearchInArea) return workspace.state().selection.range.has_value();
  return !workspace.search().asked().in_records;
}

}  // namespace

float SearchBox::width(const PanelContext& context, float box, bool open) {
  const Workspace& workspace = context.workspace;
  const float gap = context.theme.px(kGap);
  float sum = button_width(kPlaces[workspace.search().asked().in_records]) + gap + box;
  if (!open) return sum;
  for (const Toggle& toggle : kToggles)
    if (is_offered(workspace, toggle.action)) sum += gap + button_width(toggle.title);
  sum += 2 * (gap + ImGui::GetFrameHeight());
  return sum + context.theme.px(8) + std::max(text_width("888 of 8,888"), text_width(workspace.search().said()));
}

void SearchBox::draw(const PanelContext& context, float box) {
  const Workspace& workspace = context.workspace;
  const SearchQuestion& asked = workspace.search().asked();
  if (ImGui::Button(kPlaces[asked.in_records])) context.push(command::OpenSearch{!asked.in_records});
  if (ImGui::IsItemHovered()) {
    ImGui::SetTooltip("Where to search: in the names of slices, or in their whole records,\n"
                      "args included (matched exactly as written; Enter starts)");
  }
  ImGui::SameLine(0, context.theme.px(kGap));
  ImGui::SetNextItemWidth(box);
  if (workspace.state().boxes.search && !had_keyboard_) {
    ImGui::SetWindowFocus();  // ImGui 1.90 ignores the next line while another window has the focus scope
    ImGui::SetKeyboardFocusHere();
  }
  had_keyboard_ = workspace.state().boxes.search;
  if (!open(workspace) && was_open_) text_.clear();
  was_open_ = open(workspace);
  char buffer[256];
  text_.copy(buffer, sizeof(buffer) - 1);
  buffer[std::min(text_.size(), sizeof(buffer) - 1)] = '\0';
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll;
  const std::string names = "Search names" + around_key(Action::OpenSearch, "  ", "");
  const std::string names_and_commands = names + "   commands  >";
  const char* const hint = asked.in_records ? fitting_hint({"Search records, then Enter", "Search records"}, box)
                                            : fitting_hint({names_and_commands.c_str(), names.c_str()}, box);
  const bool wrong = !workspace.search().complaint().empty();
  if (wrong) ImGui::PushStyleColor(ImGuiCol_Text, context.theme.warning);
  const bool entered = ImGui::InputTextWithHint("##search", hint, buffer, sizeof(buffer), kFlags);
  if (wrong) ImGui::PopStyleColor();
  if (buffer[0] == '>') {  // opens the command box, as in Perfetto
    // The rest of a composed or pasted text moves to the command box, and so does text that is typed before that box has the
    // keyboard.
    text_.clear();
    ImGui::ClearActiveID();
    if (!context.workspace.state().command_use.box) context.push(command::OpenCommandBox{});
    command_letters_ = buffer + 1;
  } else if (text_ != buffer) {
    text_ = buffer;
    // Searching records takes a second, not a millisecond, so it starts only when the text is complete.
    if (!asked.in_records || text_.empty()) context.push(command::Search{text_, asked.in_records});
  }
  if (entered) {
    if (asked.in_records && text_ != asked.text) {
      context.push(command::Search{text_, true});
    } else {
      context.push(command::NextHit{!ImGui::GetIO().KeyShift});
    }
    ImGui::SetKeyboardFocusHere(-1);
  }
  if (!open(workspace)) return;
  draw_complaint(context);
  draw_toggles(context);
  draw_hit_buttons(context);
}

void SearchBox::draw_toggles(const PanelContext& context) const {
  for (const Toggle& toggle : kToggles) {
    if (!is_offered(context.workspace, toggle.action)) continue;
    const bool on = is_on(context.workspace.search().asked(), toggle.action);
    ImGui::SameLine(0, context.theme.px(kGap));
    if (on) ImGui::PushStyleColor(ImGuiCol_Button, context.theme.accent_soft);
    if (ImGui::Button(toggle.title)) context.commands.push(*command_for(toggle.action));
    if (on) ImGui::PopStyleColor();
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s%s", toggle.hint, key_in_brackets(toggle.action).c_str());
  }
}

void SearchBox::draw_hit_buttons(const PanelContext& context) const {
  const SliceSearch& search = context.workspace.search();
  ImGui::BeginDisabled(search.hits().empty());
  ImGui::SameLine(0, context.theme.px(kGap));
  if (ImGui::ArrowButton("##previous hit", ImGuiDir_Up)) context.push(command::NextHit{false});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Previous hit%s", key_in_brackets(Action::PreviousHit).c_str());
  ImGui::SameLine(0, context.theme.px(kGap));
  if (ImGui::ArrowButton("##next hit", ImGuiDir_Down)) context.push(command::NextHit{true});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Next hit%s", key_in_brackets(Action::NextHit).c_str());
  ImGui::EndDisabled();
  ImGui::SameLine(0, context.theme.px(8));
  const bool nothing = search.hits().empty();
  if (nothing) ImGui::PushStyleColor(ImGuiCol_Text, context.theme.warning);
  ImGui::TextUnformatted(search.said().c_str());
  if (nothing) ImGui::PopStyleColor();
}

// Draws the complaint below the box, where it hides nothing that is needed.
void SearchBox::draw_complaint(const PanelContext& context) const {
  const std::string& complaint = context.workspace.search().complaint();
  if (complaint.empty()) return;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const float pad = context.theme.px(6), right = ImGui::GetWindowPos().x + ImGui::GetWindowSize().x - pad;
  const float box_width = text_width(complaint) + 2 * pad;
  const ImVec2 at{std::max(pad, std::min(low.x, right - box_width)), high.y + context.theme.px(5)};
  const ImVec2 end{at.x + box_width, at.y + ImGui::GetFontSize() + 2 * pad};
  list.AddRectFilled(at, end, context.theme.panel, context.theme.px(4));
  list.AddRect(at, end, context.theme.warning, context.theme.px(4));
  draw_text(list, {at.x + pad, at.y + pad}, context.theme.text, complaint);
}

}  // namespace tv
