#include "ui/panels/boxes/drop_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/session/desk/open_title.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr std::size_t kSafest = 2;  // the target "New tab", which closes nothing

Command opening(std::vector<std::string> paths, OpenHow how) {
  return command::OpenPaths{std::move(paths), how == OpenHow::Add, how == OpenHow::NewTab};
}

void draw_card(const PanelContext& context, ImDrawList& list, const DropTarget& target, bool lit) {
  const Theme& theme = context.theme;
  const ImVec2 low{target.x, target.y}, high{target.x + target.width, target.y + target.height};
  list.AddRectFilled(low, high, theme.header, theme.px(8));
  if (lit) list.AddRectFilled(low, high, theme.drop_highlight, theme.px(8));
  list.AddRect(low, high, lit ? theme.accent : theme.border, theme.px(8), 0, theme.px(lit ? 2.5f : 1));
  const float font = ImGui::GetFontSize(), room = target.width - theme.px(16);
  constexpr float kTitle = 1.35f;
  const float y = target.y + target.height / 2 - font * 1.4f;
  const float title = std::min(room, text_width(target.title) * kTitle), hint = std::min(room, text_width(target.hint));
  draw_text_fitted(list, {target.x + (target.width - title) / 2, y}, room, theme.text, target.title, kTitle);
  draw_text_fitted(list, {target.x + (target.width - hint) / 2, y + font * 1.9f}, room, theme.text_dim, target.hint);
}

}  // namespace

void DropPanel::hover(std::optional<ImVec2> at, bool shift) {
  hover_at_ = at;
  shift_ = shift;
}

std::optional<OpenHow> DropPanel::target() const {
  if (!hover_at_ || targets_.empty()) return std::nullopt;
  return targets_[drop_target_at(targets_, hover_at_->x, hover_at_->y, shift_)].how;
}

std::optional<Command> DropPanel::drop(const Workspace& workspace, std::vector<std::string> paths, std::optional<ImVec2> at, bool shift) {
  constexpr double kRemembered_s = 2;
  const bool lately = ImGui::GetTime() - seen_at_s_ < kRemembered_s;
  const std::vector<DropTarget> seen = lately ? std::exchange(seen_, {}) : std::vector<DropTarget>();
  targets_.clear();
  hover_at_.reset();
  if (paths.empty()) return std::nullopt;
  if (!workspace.session().anything_open()) return opening(std::move(paths), OpenHow::Replace);
  if (shift) return opening(std::move(paths), OpenHow::Add);
  if (at && !seen.empty()) return opening(std::move(paths), seen[drop_target_at(seen, at->x, at->y, false)].how);
  paths_ = std::move(paths);
  asked_at_ = at;
  choice_ = kSafest;
  asked_before_ = false;
  return std::nullopt;
}

void DropPanel::draw(const PanelContext& context, const Area& window) {
  targets_.clear();
  buttons_.clear();
  if (hover_at_) draw_targets(context, window);
  if (asks()) draw_question(context, window);
}

void DropPanel::draw_targets(const PanelContext& context, const Area& window) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(window.min(), window.max(), context.theme.drop_highlight);
  targets_ = drop_targets(window.width, window.height, context.theme.scale, open_title(context.workspace.session().paths()));
  seen_ = targets_;
  seen_at_s_ = ImGui::GetTime();
  const std::size_t lit = drop_target_at(targets_, hover_at_->x, hover_at_->y, shift_);
  for (std::size_t i = 0; i < targets_.size(); ++i) draw_card(context, list, targets_[i], i == lit);
}

void DropPanel::answer(const PanelContext& context, std::optional<OpenHow> how) {
  std::vector<std::string> paths = std::exchange(paths_, {});
  if (how) context.commands.push(opening(std::move(paths), *how));
}

void DropPanel::draw_question(const PanelContext& context, const Area& window) {
  const Theme& theme = context.theme;
  const float width = std::min(window.width, theme.px(430));
  const std::string open = open_title(context.workspace.session().paths());
  std::vector<DropTarget> choices = drop_targets(window.width, window.height, theme.scale, open);
  if (choices.size() <= kSafest) return answer(context, OpenHow::Replace);  // what was open has been closed in the meantime
  const float line = ImGui::GetFrameHeightWithSpacing(), height = line * 5.2f;
  const ImVec2 place = asked_at_.value_or(ImVec2{window.x + window.width / 2, window.y + window.height * 0.4f});
  ImGui::SetNextWindowPos({std::clamp(place.x - width / 2, window.x, std::max(window.x, window.x + window.width - width)),
                           std::clamp(place.y - line, window.y, std::max(window.y, window.y + window.height - height))});
  ImGui::SetNextWindowSize({width, 0});
  if (!asked_before_) ImGui::SetNextWindowFocus();
  ImGui::Begin("Dropped", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  const std::string what = paths_.size() == 1 ? std::string(last_part(paths_.front())) : fmt::format("{} files", paths_.size());
  ImGui::TextUnformatted(fmt::format("Open {}", what).c_str());
  std::optional<OpenHow> chosen;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable(choices[i].title.data(), i == choice_, 0, {0, ImGui::GetFrameHeight()})) chosen = choices[i].how;
    choices[i].x = at.x;
    choices[i].y = at.y;
    choices[i].width = theme.px(60);
    choices[i].height = ImGui::GetFrameHeight();
    draw_text_fitted(*ImGui::GetWindowDrawList(), {at.x + theme.px(110), at.y + ImGui::GetStyle().FramePadding.y}, width - theme.px(130), theme.text_dim, choices[i].hint);
  }
  ImGui::PushStyleColor(ImGuiCol_Text, theme.text_dim);
  ImGui::TextUnformatted("Up, Down: choose, Enter: open, Esc: cancel");
  ImGui::PopStyleColor();
  ImGui::End();
  const auto pressed = [&](Key key) { return context.keys.typed(Chord{key}); };
  if (pressed(Key::Up) || pressed(Key::Left)) choice_ = (choice_ + choices.size() - 1) % choices.size();
  if (pressed(Key::Down) || pressed(Key::Right)) choice_ = (choice_ + 1) % choices.size();
  if (std::exchange(asked_before_, true)) {
    if (pressed(Key::Enter)) chosen = choices[choice_].how;
    if (pressed(Key::Escape)) return answer(context, std::nullopt);
  }
  buttons_ = choices;
  if (chosen) answer(context, chosen);
}

std::optional<ImVec2> DropPanel::place_of(OpenHow how) const {
  for (const DropTarget& each : asks() ? buttons_ : targets_) {
    if (each.how == how) return ImVec2{each.x + each.width / 2, each.y + each.height / 2};
  }
  return std::nullopt;
}

}  // namespace tv
