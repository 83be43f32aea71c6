#include <algorithm>

#include "ui/panels/side_panels.h"
#include "ui/widgets/text/text.h"

namespace tv {

void GoToBox::draw(const PanelContext& context, const Area& below) {
  const Workspace& workspace = context.workspace;
  const bool opened = workspace.state().boxes.go_to && !was_open_;
  was_open_ = workspace.state().boxes.go_to;
  if (!was_open_) return;
  const Theme& theme = context.theme;
  const float width = std::min(theme.px(520), below.width * 0.9f);
  ImGui::SetNextWindowPos({below.x + (below.width - width) / 2, below.y + below.height + theme.px(8)});
  ImGui::SetNextWindowSize({width, 0});
  if (opened) {
    text_.clear();
    ImGui::SetNextWindowFocus();
  }
  ImGui::Begin("go to", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Go to");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1);
  if (opened) ImGui::SetKeyboardFocusHere();
  char buffer[256];
  buffer[text_.copy(buffer, sizeof(buffer) - 1)] = '\0';
  const bool entered =
      ImGui::InputTextWithHint("##place", "12.5s   1:02:03   14:03:22   step 67   rank 3   a request's id", buffer,
                               sizeof(buffer), ImGuiInputTextFlags_EnterReturnsTrue);
  text_ = buffer;
  if (entered) {
    context.push(command::GoTo{text_});
    ImGui::SetKeyboardFocusHere(-1);  // keeps the keyboard, so that the text can be corrected
  }
  if (!workspace.state().boxes.go_to_complaint.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme.warning);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(workspace.state().boxes.go_to_complaint.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }
  ImGui::End();
}

}  // namespace tv
