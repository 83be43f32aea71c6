#include "ui/panels/bars/own_panels.h"

#include <doctest/doctest.h>

#include "core/view/panels/panel_table.h"

namespace tv {

TEST_CASE("own panels: each panel of the table is either a chart or has a class of its own") {
  ThreadPool pool(1);
  Workspace workspace(pool, [] {});
  const OwnPanels panels(workspace, [] {});
  for (const PanelInfo& panel : panel_table()) {
    CAPTURE(panel.id);
    CHECK((panels.find(panel.id) != nullptr) == (panel.chart == nullptr));
  }
  CHECK_FALSE(panels.busy());
}

}  // namespace tv
