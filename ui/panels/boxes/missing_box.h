// What a view file names and was not found: which files, and where to look for them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/widgets/named_places.h"

namespace tv {

/// Above the status bar, while something is missing.
class MissingBox {
 public:
  void draw(const PanelContext& context, const Area& above);
  /// For scripts: "browse", "leave out".
  std::optional<ImVec2> place_of(std::string_view what) const;

 private:
  void note_place(std::string_view what);

  std::string folder_;
  NamedPlaces places_;  // in the last frame
};

}  // namespace tv
