// Charts in the window: the bar of filters, and a panel for any line of the table of charts.
//
//   click on a mark or row  goes there; on a mark with Ctrl: selects only its requests, as if they had been brushed
//   right click             on a picture: saves the picture or its numbers; on a table: see table.h
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/view/charts/chart_kinds.h"
#include "ui/panels/panel.h"
#include "ui/panels/tables/chart_tables.h"
#include "ui/widgets/chart_view.h"

namespace tv {

/// Shows which requests of a rollout are selected: chips that can be removed, and a box to add one.
class FilterBar {
 public:
  void draw(const PanelContext& context);
  /// For scripts: the centre of a chip, or of its x, in the last frame.
  std::optional<ImVec2> place_of(std::size_t chip, bool its_x) const {
    return chip >= chips_.size() ? std::nullopt : std::optional(its_x ? chips_[chip].second : chips_[chip].first);
  }

 private:
  std::string typed_;
  std::vector<std::pair<ImVec2, ImVec2>> chips_;  ///< positions in the last frame
};

/// Draws the number of brushed slices and their share, for further items in the same row. Draws nothing if no slice is brushed.
void draw_brushed_slices(const PanelContext& context);

/// The charts of one kind, side by side, each with its table.
class ChartPanel {
 public:
  void draw(const PanelContext& context, const ChartKind& kind);
  /// Draws the settings next to the bar of filters.
  void draw_controls(const PanelContext& context, const ChartKind& kind);
  /// For scripts: the position of the point (x, y) of a chart in the last frame.
  std::optional<ImVec2> place_of(std::size_t chart, double x, double y) const;
  const ChartTables& tables() const { return tables_; }
  /// The x at which the mouse points in one chart; the other charts mark the same x.
  std::optional<double> pointed() const { return pointed_; }
  /// The values at that x, a line for each series; empty if the mouse points at no chart.
  std::string read_text() const {
    return pointed_ && pointed_chart_ < views_.size() ? views_[pointed_chart_]->read_text() : std::string();
  }

 private:
  void draw_chart(const PanelContext& context, const ChartKind& kind, const Chart& chart, std::uint64_t version,
                  ChartView& view, ImVec2 size, float equal_width, std::optional<double>& at);
  void draw_menu(const PanelContext& context, const Chart& chart, ChartView& view, Area picture) const;
  void act(const PanelContext& context, const Chart& chart, const ChartTarget& target, bool narrow) const;

  std::string_view kind_id_;  ///< the kind of the charts in views_
  ChartTables tables_;
  std::optional<double> pointed_;
  std::size_t pointed_chart_ = 0;
  std::string_view controls_of_;
  std::vector<ChartControl> controls_;
  std::uint64_t controls_version_ = 0;
  std::vector<std::unique_ptr<ChartView>> views_;
  std::vector<ImVec2> origins_;  ///< positions of the pictures in the last frame
};

}  // namespace tv
