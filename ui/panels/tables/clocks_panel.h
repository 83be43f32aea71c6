// Shows whether clocks agree. The traces of ranks are compared by collectives, which all ranks leave together, and the workers of
// a rollout by barriers. The panel shows the applied correction, the remaining difference and its uncertainty. `traceview info`
// prints the same numbers (core/analysis/clocks/clock_table.h, barrier_clock.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/clocks/clock_table.h"
#include "core/view/lists/clocks_table.h"
#include "ui/panels/side_panel.h"

namespace tv {

class ClocksPanel : public SidePanel {
 public:
  /// False if there is nothing to compare, as for one trace or one worker.
  bool shown(const Workspace& workspace);
  void draw(const PanelContext& context) override;
  /// For scripts: the position of "collectives", "align", "logged", or of a worker's input field, by its row from 0, in the last
  /// frame.
  std::optional<ImVec2> place_of(std::string_view what) const override;

 private:
  void draw_traces(const PanelContext& context, bool with_workers);
  void draw_workers(const PanelContext& context);
  void draw_buttons(const PanelContext& context, const BarrierClocks& clocks, bool fixed);
  void draw_row(const PanelContext& context, const BarrierClock& clock, std::size_t row, bool fixed);
  void record_place(std::string what);

  struct Place {
    std::string what;
    ImVec2 at;
  };
  std::vector<Place> places_;
  ClockTable traces_;
  std::optional<ListTable> traces_list_;  ///< the rows of traces_
  Table table_;
  std::uint64_t traces_generation_ = 0;  ///< generation of the snapshot that traces_ was computed for
};

}  // namespace tv
