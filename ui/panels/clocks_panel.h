// Whether the clocks of a rollout's workers agree: what is applied, by hand or by barriers, what the barriers say remains,
// within what. The numbers are those of core/analysis/barrier_clock.h, which `traceview info` prints too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/panels/panel.h"

namespace tv {

class ClocksPanel {
 public:
  /// One worker has nothing to be compared with.
  static bool shown(const Workspace& workspace) {
    const Rollout* const rollout = workspace.run().rollout();
    return rollout && rollout->workers.size() > 1;
  }
  void draw(const PanelContext& context);
  /// Of the last frame, for scripts: "align", "logged", or the input of a worker's row, from 0.
  std::optional<ImVec2> place_of(const std::string& what) const;

 private:
  void draw_buttons(const PanelContext& context, const BarrierClocks& clocks, bool fixed);
  void draw_row(const PanelContext& context, const BarrierClock& clock, std::size_t row, bool fixed);
  void keep_place(std::string what);

  struct Place {
    std::string what;
    ImVec2 at;
  };
  std::vector<Place> places_;
};

}  // namespace tv
