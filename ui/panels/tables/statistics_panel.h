// Shows the time per name (or category, lane, process, value of an argument) in the selected area or the whole trace, for the
// slices that match the slice filter. A click on a row selects its longest slice, and its name if the rows are names. The row of
// the selection is highlighted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/session/search/ask_statistics.h"
#include "core/view/lists/statistics_table.h"
#include "ui/panels/side_panel.h"

namespace tv {

class StatisticsPanel : public SidePanel {
 public:
  explicit StatisticsPanel(Workspace& workspace, std::function<void()> wake);
  void draw(const PanelContext& context) override;

  const Table* table() const override { return &table_; }
  const Grouping& grouping() const { return grouping_; }
  bool busy() const override { return job_.running(); }
  /// For scripts: the controls "by", "arg" and "where", an item "by WHAT" of the open list, or a part of the table
  /// (Table::place_of).
  std::optional<ImVec2> place_of(std::string_view what) const override;
  /// For scripts: the text of the first row, and the number of rows.
  std::string first_name() const;
  std::size_t row_count() const { return model_ ? table_.rows().shown().size() : 0; }

 private:
  void draw_controls(const PanelContext& context);
  void draw_filter(const PanelContext& context);
  TableTarget lit(const PanelContext& context);

  StatisticsJob job_;
  Grouping grouping_;
  std::string arg_, where_;  ///< as typed
  Table table_{statistics_state()};
  std::shared_ptr<const Statistics> made_;  ///< the statistics that the model shows
  std::unique_ptr<StatisticsModel> model_;  ///< null while the current query is being computed
  std::uint64_t version_ = 0;
  SliceId lit_slice_ = kNone<SliceId>;
  std::uint64_t lit_version_ = 0;
  std::map<std::string, ImVec2, std::less<>> by_places_;
  TableTarget lit_;
  ImVec2 by_place_{-1, -1}, arg_place_{-1, -1}, where_place_{-1, -1};
};

}  // namespace tv
