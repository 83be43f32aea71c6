// What a view file names and was not found: which files, and where to look for them.
#pragma once

#include <string>

#include "ui/panels/panel.h"

namespace tv {

/// Above the status bar, while something is missing.
class MissingBox {
 public:
  void draw(const PanelContext& context, const Area& above);

 private:
  std::string folder_;
};

}  // namespace tv
