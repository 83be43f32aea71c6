// Shows the targets while files are dragged over the window. Some desktops report a drag only at the drop; then it offers the same
// choice afterwards, at the place of the drop. It does not ask if nothing is open.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/view/lanes/drop_targets.h"
#include "ui/panels/panel.h"

namespace tv {

class DropPanel {
 public:
  /// Files hover at this position; none: no longer.
  void hover(std::optional<ImVec2> at, bool shift);
  /// Files were dropped. Returns the command to execute, or asks the user (asks()).
  std::optional<Command> drop(const Workspace& workspace, std::vector<std::string> paths, std::optional<ImVec2> at, bool shift);
  void draw(const PanelContext& context, const Area& window);

  bool hovers() const { return hover_at_.has_value(); }
  /// The question has the keyboard.
  bool asks() const { return !paths_.empty(); }
  /// What a drop at the hovered position would do now; none if no targets are drawn.
  std::optional<OpenHow> target() const;
  /// For scripts: the centre of a target in the last frame, or of the question's button.
  std::optional<ImVec2> place_of(OpenHow how) const;

 private:
  void draw_targets(const PanelContext& context, const Area& window);
  void draw_question(const PanelContext& context, const Area& window);
  void answer(const PanelContext& context, std::optional<OpenHow> how);

  std::optional<ImVec2> hover_at_;
  bool shift_ = false;
  std::vector<DropTarget> targets_;  // as drawn in the last frame; empty: none
  std::vector<DropTarget> seen_;     // the targets that were drawn last, and when: with slow frames, a drop is reported late
  double seen_at_s_ = 0;
  std::vector<std::string> paths_;   // dropped files that the question is about
  std::optional<ImVec2> asked_at_;   // none: in the centre
  std::size_t choice_ = 0;
  bool asked_before_ = false;  // the question has been drawn
  std::vector<DropTarget> buttons_;
};

}  // namespace tv
