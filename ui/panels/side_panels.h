// The panels around the lanes. Each draws one model. What it shows depends on the context and on the few members that last from
// frame to frame.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/threads/async_memo.h"
#include "core/session/records/problem_lines.h"
#include "core/store/draft/unread_sources.h"
#include "core/view/table/list_table.h"
#include "core/view/timeline/minimap.h"
#include "core/view/words/loss_summary.h"
#include "ui/panels/command_panels.h"
#include "ui/panels/search_box.h"
#include "ui/panels/side_panel.h"
#include "ui/widgets/named_places.h"

namespace tv {

/// Menus, title, loading progress, the alignment of runs, the colour rule, the lane filter and the search.
class TopBar {
 public:
  void draw(const PanelContext& context, const Area& area);
  MenuBar& menus() { return menus_; }
  const MenuBar& menus() const { return menus_; }
  SearchBox& search() { return search_; }

 private:
  void draw_runs(const PanelContext& context, float end_x) const;  ///< draws up to `end_x`
  void draw_colors(const PanelContext& context);
  void draw_lane_filter(const PanelContext& context, float width);

  MenuBar menus_;
  SearchBox search_;
};

/// The whole trace, above the ruler, with the view marked as a window. If the view shows everything, ruler and minimap have the
/// same scale. Dragging moves the window or one of its edges; the wheel zooms.
class MinimapPanel {
 public:
  /// The left and right edges of the strip are those of `lanes`.
  void draw(const PanelContext& context, const Area& area, const Area& lanes);

 private:
  void drag(const PanelContext& context, const Area& strip);

  Minimap minimap_;
  Overview overview_;              ///< overview of the shown lanes
  std::uint64_t overview_of_ = UINT64_MAX, layout_of_ = UINT64_MAX;  ///< generation and layout version of overview_
  MinimapGrip grip_ = MinimapGrip::None;
  Viewport grabbed_;
  double grabbed_at_ = 0;
  SplitHalf grabbed_half_ = SplitHalf::Upper;  ///< the timeline whose window is dragged
};

/// The selected slice: its facts, its relatives (parent, arrows, waits) and its arguments. Or the selected gap.
class DetailsPanel : public SidePanel {
 public:
  /// If no slice is selected, the panel shows the statistics of the selected area, or the findings.
  DetailsPanel(SidePanel& statistics, SidePanel& findings) : statistics_(statistics), findings_(findings) {}
  void draw(const PanelContext& context) override;
  /// "Parent", "From", "To", "Last", or a line such as "21.6 ms waited": the button of the first such relative.
  std::optional<ImVec2> place_of(std::string_view relative) const override { return place_in(places_, relative); }

 private:
  void draw_slice(const PanelContext& context);
  void draw_area_line(const PanelContext& context) const;
  void draw_facts(const PanelContext& context, const SliceDetails& details) const;
  void draw_relatives(const PanelContext& context, const SliceDetails& details);
  void draw_args(const PanelContext& context, const SliceDetails& details) const;

  SidePanel& statistics_;
  SidePanel& findings_;
  NamedPlaces places_;  ///< of the relatives in the last frame
};

/// Draws the details of a gap, in place of those of a slice.
void draw_gap_details(const PanelContext& context, const GapDetails& gap);

/// The "Go to" box (Ctrl+G), below the bar that it is given.
class GoToBox {
 public:
  void draw(const PanelContext& context, const Area& below);

 private:
  std::string text_;
  bool was_open_ = false;
};

/// The import report, file by file. A few files are described in sentences; many are a table, with details of the selected file.
/// The whole report can be copied and saved as tables.
class ProblemsPanel : public SidePanel {
 public:
  ProblemsPanel(Workspace& workspace, std::function<void()> wake);
  void draw(const PanelContext& context) override;
  bool busy() const override { return lines_.running(); }
  const Table* table() const override { return &table_; }
  /// "line 3": an example of a problem. Other names are those of the table.
  std::optional<ImVec2> place_of(std::string_view example) const override;

 private:
  void follow(const Workspace& workspace);
  void draw_buttons(const PanelContext& context, bool same_line);
  void draw_files(const PanelContext& context);
  void draw_source(const PanelContext& context, std::size_t s, bool unfolded);
  void ask_for_lines(const Workspace& workspace, std::size_t first, std::size_t count);
  void draw_problem(const PanelContext& context, const SourceInfo& source, const ProblemCount& problem);

  std::uint64_t generation_ = UINT64_MAX;  ///< generation of the snapshot that the following belong to
  std::vector<UnreadKind> kinds_;          ///< kinds of unread files that are too many to be listed one by one
  std::optional<ListTable> files_;
  std::uint64_t version_ = 0;
  std::size_t chosen_ = 0;  ///< the file whose details are shown
  Table table_;
  // The files whose examples are drawn, of a generation.
  struct Drawn {
    std::uint64_t generation = 0;
    std::size_t first = 0, count = 0;
    bool operator==(const Drawn&) const = default;
  };
  AsyncMemo<Drawn, ProblemLines> lines_;
  std::shared_ptr<const ProblemLines> known_lines_;  ///< null before the first answer for this generation
  NamedPlaces places_;
};

/// Shows the number of slices, losses, what is selected and the worst finding, among others.
class StatusBar {
 public:
  void draw(const PanelContext& context, const Area& area, const std::string& notice);

 private:
  // The counts cover all files, of which there can be thousands, so they are made once per snapshot.
  std::weak_ptr<const Snapshot> counted_;
  bool growing_ = false;
  LossSummary losses_;
};

/// Draws the help: all keys and gestures as they are now.
void draw_help(const PanelContext& context, const Area& window);

}  // namespace tv
