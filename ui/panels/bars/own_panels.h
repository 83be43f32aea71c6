// All panels that are not charts, by their ids in the panel table. The panels own their state, which lasts from frame to frame
// wherever they are drawn.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string_view>

#include "ui/panels/side_panel.h"

namespace tv {

class OwnPanels {
 public:
  OwnPanels(Workspace& workspace, std::function<void()> wake);

  /// Null if there is no such panel.
  SidePanel* find(std::string_view id) const;
  /// The panel of class `Panel`, which must exist.
  template <class Panel>
  const Panel& get() const {
    for (const auto& [id, panel] : all_) {
      if (const auto* const found = dynamic_cast<const Panel*>(panel.get())) return *found;
    }
    std::terminate();
  }
  bool busy() const;

 private:
  std::map<std::string_view, std::unique_ptr<SidePanel>> all_;
};

}  // namespace tv
