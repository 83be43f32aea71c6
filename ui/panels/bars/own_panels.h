// All panels that are no charts, by the ids of the panel table. What a panel keeps from frame to frame is in it, wherever it is drawn.
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

  /// Null: there is no such panel.
  SidePanel* find(std::string_view id) const;
  /// The one of this class, which must be there.
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
