// Files that hover over the window, and those that were dropped: the targets while they are dragged; where nobody could see the
// drag (some desktops tell of it only at the drop), the same choice afterwards, at the place of the drop. No question where
// nothing is open.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/view/lanes/drop_targets.h"
#include "ui/panels/panel.h"

namespace tv {

class DropPanel {
 public:
  /// Files hover there; none: no longer.
  void hover(std::optional<ImVec2> at, bool shift);
  /// They were dropped: what is to be done now, or a question (asks()).
  std::optional<Command> drop(const Workspace& workspace, std::vector<std::string> paths, std::optional<ImVec2> at, bool shift);
  void draw(const PanelContext& context, const Area& window);

  bool hovers() const { return hover_at_.has_value(); }
  /// The keyboard is the question's.
  bool asks() const { return !paths_.empty(); }
  /// What a drop at that place of the window would do now; none where no targets are drawn.
  std::optional<OpenHow> target() const;
  /// For scripts: the middle of a target in the last frame; of the question's buttons while it asks.
  std::optional<ImVec2> place_of(OpenHow how) const;

 private:
  void draw_targets(const PanelContext& context, const Area& window);
  void draw_question(const PanelContext& context, const Area& window);
  void answer(const PanelContext& context, std::optional<OpenHow> how);

  std::optional<ImVec2> hover_at_;
  bool shift_ = false;
  std::vector<DropTarget> targets_;  // as drawn in the last frame; empty: none were
  std::vector<DropTarget> seen_;     // as they were drawn last, and when: slow frames tell late of a drop
  double seen_at_s_ = 0;
  std::vector<std::string> paths_;   // that were dropped, and are asked about
  std::optional<ImVec2> asked_at_;   // none: in the middle
  std::size_t choice_ = 0;
  bool asked_before_ = false;  // the question has been drawn
  std::vector<DropTarget> buttons_;
};

}  // namespace tv
