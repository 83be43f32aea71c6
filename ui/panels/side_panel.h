// The base of panels that are not charts: details, statistics, the import report. A line in panel_table.cpp gives its title and
// group, and one in own_panels.cpp its class.
#pragma once

#include <optional>
#include <string_view>

#include "imgui.h"
#include "ui/panels/panel.h"
#include "ui/widgets/table/table.h"

namespace tv {

class SidePanel {
 public:
  virtual ~SidePanel() = default;
  virtual void draw(const PanelContext& context) = 0;
  /// Something in it is still being read or counted.
  virtual bool busy() const { return false; }
  /// Null if it has none.
  virtual const Table* table() const { return nullptr; }
  /// For scripts: the position of something in the last frame, by the panel's own names or those of its table (Table::place_of).
  virtual std::optional<ImVec2> place_of(std::string_view what) const {
    const Table* const shown = table();
    return shown ? shown->place_of(what) : std::nullopt;
  }
};

}  // namespace tv
