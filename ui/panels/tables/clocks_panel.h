// Whether clocks agree: those of ranks' traces, by the collectives that they all leave together, and those of a rollout's workers,
// by barriers. It shows the applied correction, the remaining difference and its uncertainty. The numbers are those of
// core/analysis/clocks/clock_table.h and barrier_clock.h, which `traceview info` prints too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/clocks/clock_table.h"
#include "core/view/table/clocks_table.h"
#include "ui/panels/side_panel.h"

namespace tv {

class ClocksPanel : public SidePanel {
 public:
  /// False for one trace or one worker: there is nothing to compare.
  bool shown(const Workspace& workspace);
  void draw(const PanelContext& context) override;
  /// Positions in the last frame, for scripts: "collectives", "align", "logged", or the input of a worker's row, from 0.
  std::optional<ImVec2> place_of(std::string_view what) const override;

 private:
  void draw_traces(const PanelContext& context, bool with_workers);
  void draw_workers(const PanelContext& context);
  void draw_buttons(const PanelContext& context, const BarrierClocks& clocks, bool fixed);
  void draw_row(const PanelContext& context, const BarrierClock& clock, std::size_t row, bool fixed);
  void keep_place(std::string what);

  struct Place {
    std::string what;
    ImVec2 at;
  };
  std::vector<Place> places_;
  ClockTable traces_;
  std::optional<ListTable> list_;  ///< of them
  Table table_;
  std::uint64_t traces_of_ = 0;  ///< Snapshot::generation
};

}  // namespace tv
