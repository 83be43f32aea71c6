// The base class of panels that are not charts, such as details, statistics and the import report. A panel has a line in
// panel_table.cpp for its title and group, and one in own_panels.cpp for its class.
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
  /// The panel is still reading or counting something.
  virtual bool busy() const { return false; }
  /// The panel's table; null if it has none.
  virtual const Table* table() const { return nullptr; }
  /// For scripts: a position in the last frame, by a name of the panel or of its table (Table::place_of).
  virtual std::optional<ImVec2> place_of(std::string_view what) const {
    const Table* const shown = table();
    return shown ? shown->place_of(what) : std::nullopt;
  }
};

}  // namespace tv
