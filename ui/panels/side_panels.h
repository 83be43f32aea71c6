// The panels around the lanes. Each draws one model and is a function of the context; state that lasts from frame to frame is in a
// small struct.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/store/draft/unread_sources.h"
#include "core/view/table/list_table.h"
#include "core/view/timeline/minimap.h"
#include "core/view/words/loss_summary.h"
#include "ui/panels/command_panels.h"
#include "ui/panels/search_box.h"
#include "ui/panels/side_panel.h"
#include "ui/widgets/named_places.h"

namespace tv {

/// Menus, title, search, progress of loading.
class TopBar {
 public:
  void draw(const PanelContext& context, const Area& area);
  MenuBar& menus() { return menus_; }
  const MenuBar& menus() const { return menus_; }
  SearchBox& search() { return search_; }

 private:
  void draw_runs(const PanelContext& context, float end_x) const;  ///< Draws up to `end_x`.
  void draw_colors(const PanelContext& context);
  void draw_lane_filter(const PanelContext& context, float width);

  MenuBar menus_;
  SearchBox search_;
};

/// The whole trace with the visible window on it, above the ruler and on the same scale: if everything is in sight, the two agree.
/// Dragging moves the window or one of its edges.
class MinimapPanel {
 public:
  /// `lanes`: determines the left and right edges of the strip.
  void draw(const PanelContext& context, const Area& area, const Area& lanes);

 private:
  void drag(const PanelContext& context, const Area& strip);

  Minimap minimap_;
  Overview overview_;              ///< overview of the shown lanes
  std::uint64_t overview_of_ = UINT64_MAX, layout_of_ = UINT64_MAX;  ///< generation and layout
  MinimapGrip grip_ = MinimapGrip::None;
  Viewport grabbed_;
  double grabbed_at_ = 0;
  SplitHalf grabbed_half_ = SplitHalf::Upper;  ///< of two timelines, the one whose window is dragged
};

/// Name, times, args of the selected slice.
class DetailsPanel : public SidePanel {
 public:
  /// If no slice is selected, it shows other information: the statistics of an area, or the findings.
  DetailsPanel(SidePanel& statistics, SidePanel& findings) : statistics_(statistics), findings_(findings) {}
  void draw(const PanelContext& context) override;

 private:
  void draw_slice(const PanelContext& context) const;
  void draw_area_line(const PanelContext& context) const;
  void draw_facts(const PanelContext& context, const SliceDetails& details) const;
  void draw_relatives(const PanelContext& context, const SliceDetails& details) const;
  void draw_args(const PanelContext& context, const SliceDetails& details) const;

  SidePanel& statistics_;
  SidePanel& findings_;
};

/// Shows a gap instead of a slice's details.
void draw_gap_details(const PanelContext& context, const GapDetails& gap);

/// The Go to box (Ctrl+G), below the top bar.
class GoToBox {
 public:
  void draw(const PanelContext& context, const Area& below);

 private:
  std::string text_;
  bool was_open_ = false;
};

/// Import report, file by file: few files are described in sentences; for many there is a table and details of the selected one.
/// All of it can be copied and saved as tables.
class ProblemsPanel : public SidePanel {
 public:
  void draw(const PanelContext& context) override;
  const Table* table() const override { return &table_; }
  /// "line 3": the place of an example.
  std::optional<ImVec2> place_of(std::string_view example) const override;

 private:
  void follow(const Workspace& workspace);
  void draw_buttons(const PanelContext& context, bool beside);
  void draw_files(const PanelContext& context);
  void draw_source(const PanelContext& context, std::size_t s, bool unfolded);
  ListTable problems(const Trace& trace);
  std::optional<std::uint64_t> line_of(const SourceInfo& source, std::uint64_t byte);
  void draw_problem(const PanelContext& context, const SourceInfo& source, const ProblemCount& problem);

  std::uint64_t of_ = UINT64_MAX;  ///< generation of the snapshot that these belong to
  std::vector<UnreadKind> kinds_;  ///< unread files beyond those that are named
  std::optional<ListTable> files_;
  std::uint64_t version_ = 0;
  std::size_t chosen_ = 0;  ///< the file whose details are shown
  Table table_;
  std::map<std::pair<std::string, std::uint64_t>, std::optional<std::uint64_t>> lines_;  ///< cached line numbers of shown bytes
  NamedPlaces places_;
};

/// Counts, losses, what is selected.
class StatusBar {
 public:
  void draw(const PanelContext& context, const Area& area, const std::string& notice);

 private:
  // The counts cover all files, of which there can be thousands.
  std::weak_ptr<const Snapshot> counted_;
  bool growing_ = false;
  LossSummary losses_;
};

/// Lists all keys of the live key table.
void draw_help(const PanelContext& context, const Area& window);

}  // namespace tv
