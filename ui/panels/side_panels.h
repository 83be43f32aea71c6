// The panels around the lanes. Each draws one model and is a function of the context; what must be kept from frame to frame
// is in a small struct of its own.
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
#include "core/view/words/loss_words.h"
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
  void draw_runs(const PanelContext& context, float end_x) const;  ///< up to there
  void draw_colors(const PanelContext& context);
  void draw_lane_filter(const PanelContext& context, float width);

  MenuBar menus_;
  SearchBox search_;
};

/// The whole trace with the visible window on it, above the ruler and on its scale: with everything in sight the two agree.
/// Dragging moves the window or one of its edges.
class MinimapPanel {
 public:
  /// `lanes`: its left and right edges are those of the strip.
  void draw(const PanelContext& context, const Area& area, const Area& lanes);

 private:
  void drag(const PanelContext& context, const Area& strip);

  Minimap minimap_;
  Overview overview_;              ///< of the lanes that are shown
  std::uint64_t overview_of_ = UINT64_MAX, layout_of_ = UINT64_MAX;  ///< generation and layout
  MinimapGrip grip_ = MinimapGrip::None;
  Viewport grabbed_;
  double grabbed_at_ = 0;
  SplitHalf grabbed_half_ = SplitHalf::Upper;  ///< of two timelines, whose window it is
};

/// Name, times, args of the selected slice.
class DetailsPanel : public SidePanel {
 public:
  /// Where no slice is selected it shows what else there is to say: the statistics of an area, or what stands out.
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

/// What is said of a gap, in the place of a slice's details.
void draw_gap_details(const PanelContext& context, const GapDetails& gap);

/// The box in which one says where to go (Ctrl+G), below the top bar.
class GoToBox {
 public:
  void draw(const PanelContext& context, const Area& below);

 private:
  std::string text_;
  bool was_open_ = false;
};

/// What was read, repaired, skipped, lost, file by file: of few files in sentences, of many a table of them and what there is to
/// say of the one that is chosen. All of it can be copied and saved as tables.
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

  std::uint64_t of_ = UINT64_MAX;  ///< generation of the snapshot that these are of
  std::vector<UnreadKind> kinds_;  ///< of more files than are named
  std::optional<ListTable> files_;
  std::uint64_t version_ = 0;
  std::size_t chosen_ = 0;  ///< whose details are shown
  Table table_;
  std::map<std::pair<std::string, std::uint64_t>, std::optional<std::uint64_t>> lines_;  ///< of bytes of files that were shown
  NamedPlaces places_;
};

/// Counts, losses, what is selected.
class StatusBar {
 public:
  void draw(const PanelContext& context, const Area& area, const std::string& notice);

 private:
  // Of all files: there can be thousands.
  std::weak_ptr<const Snapshot> counted_;
  bool growing_ = false;
  LossWords losses_;
};

/// All keys, from the live key table.
void draw_help(const PanelContext& context, const Area& window);

}  // namespace tv
