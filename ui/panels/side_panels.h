// The panels around the lanes. Each draws one model and is a function of the context; what must be kept from frame to frame
// is in a small struct of its own.
#pragma once

#include <string>
#include <vector>

#include "core/query/range_stats.h"
#include "core/view/minimap.h"
#include "ui/panels/panel.h"

namespace tv {

/// Title, search, progress of loading.
class TopBar {
 public:
  void draw(const PanelContext& context, const Area& area);

 private:
  void draw_runs(const PanelContext& context) const;
  void draw_lane_filter(const PanelContext& context, float width);

  std::string search_;
  bool search_was_open_ = false;
};

/// The whole trace with the visible window on it; dragging moves the window.
class MinimapPanel {
 public:
  void draw(const PanelContext& context, const Area& area);

 private:
  Minimap minimap_;
  bool dragging_ = false;
};

/// Name, times, args of the selected slice.
class DetailsPanel {
 public:
  void draw(const PanelContext& context);

 private:
  void draw_facts(const PanelContext& context, const SliceDetails& details) const;
  void draw_relatives(const PanelContext& context, const SliceDetails& details) const;
  void draw_args(const PanelContext& context, const SliceDetails& details) const;
};

/// Time per name in the selected area, or in everything.
class StatisticsPanel {
 public:
  explicit StatisticsPanel(Workspace& workspace, std::function<void()> wake);
  void draw(const PanelContext& context);

 private:
  struct Key {
    std::uint64_t generation = 0;
    StatsQuery query;
    bool operator==(const Key&) const = default;
  };
  AsyncMemo<Key, RangeStats> stats_;
};

/// What was read, repaired, skipped, lost, file by file.
class ProblemsPanel {
 public:
  void draw(const PanelContext& context);
};

/// Counts, losses, what is selected.
class StatusBar {
 public:
  void draw(const PanelContext& context, const Area& area, const std::string& notice);
};

/// All keys, from the live key table.
void draw_help(const PanelContext& context, const Area& window);

/// A file browser in the window itself: no portal, no other program needed.
class OpenDialog {
 public:
  void draw(const PanelContext& context, const Area& window);

 private:
  struct Entry {
    std::string name;
    bool folder = false;
    std::uint64_t bytes = 0;
  };
  void list();

  std::string folder_, typed_;
  std::vector<Entry> entries_;
  std::vector<bool> chosen_;
  bool listed_ = false;
  std::string error_;
};

}  // namespace tv
