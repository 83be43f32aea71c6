// Lists the files of a view file that were not found, and asks in which folder to look for them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/widgets/named_places.h"

namespace tv {

/// Shown above the status bar while files are missing.
class MissingBox {
 public:
  void draw(const PanelContext& context, const Area& above);
  /// For scripts: the centre of "browse" or "leave out" in the last frame.
  std::optional<ImVec2> place_of(std::string_view what) const;

 private:
  void note_place(std::string_view what);

  std::string folder_;
  NamedPlaces places_;  // in the last frame
};

}  // namespace tv
