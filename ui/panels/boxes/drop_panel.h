// Shows the targets for a drop while files are dragged over the window. Some desktops report a drag only at the drop; the panel
// then asks afterwards, at the place of the drop. If nothing is open, the files are opened without a question.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/view/lanes/drop_targets.h"
#include "ui/panels/panel.h"

namespace tv {

class DropPanel {
 public:
  /// Files are dragged at this position; none: no longer.
  void hover(std::optional<ImVec2> at, bool shift);
  /// Files were dropped. Returns the command to execute; none if the panel asks the user first (asks()).
  std::optional<Command> drop(const Workspace& workspace, std::vector<std::string> paths, std::optional<ImVec2> at, bool shift);
  void draw(const PanelContext& context, const Area& window);

  bool hovers() const { return hover_at_.has_value(); }
  /// The panel asks the user, and the question has the keyboard.
  bool asks() const { return !paths_.empty(); }
  /// What a drop at the hovered position would do; none if no targets are drawn.
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
  std::vector<DropTarget> seen_;     // the targets that were drawn last, and when: a drop may be reported after the drag has ended
  double seen_at_s_ = 0;
  std::vector<std::string> paths_;   // dropped files that the question is about
  std::optional<ImVec2> asked_at_;   // where the question is; none: in the centre
  std::size_t choice_ = 0;
  bool asked_before_ = false;  // the question has been drawn
  std::vector<DropTarget> buttons_;
};

}  // namespace tv
