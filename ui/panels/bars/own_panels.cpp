#include "ui/panels/bars/own_panels.h"

#include <algorithm>
#include <utility>

#include "ui/panels/side_panels.h"
#include "ui/panels/tables/clocks_panel.h"
#include "ui/panels/tables/findings_panel.h"
#include "ui/panels/tables/hits_panel.h"
#include "ui/panels/tables/notes_panel.h"
#include "ui/panels/tables/problem_kinds_panel.h"
#include "ui/panels/tables/statistics_panel.h"
#include "ui/panels/tables/text_panel.h"

namespace tv {

OwnPanels::OwnPanels(Workspace& workspace, std::function<void()> wake) {
  auto statistics = std::make_unique<StatisticsPanel>(workspace, wake);
  auto findings = std::make_unique<FindingsPanel>();
  all_["details"] = std::make_unique<DetailsPanel>(*statistics, *findings);
  all_["statistics"] = std::move(statistics);
  all_["findings"] = std::move(findings);
  all_["notes"] = std::make_unique<NotesPanel>();
  all_["hits"] = std::make_unique<HitsPanel>();
  all_["problems"] = std::make_unique<ProblemsPanel>(workspace, wake);
  all_["text"] = std::make_unique<TextPanel>(workspace, wake);
  all_["clocks"] = std::make_unique<ClocksPanel>();
  all_["problem_kinds"] = std::make_unique<ProblemKindsPanel>();
}

SidePanel* OwnPanels::find(std::string_view id) const {
  const auto found = all_.find(id);
  return found == all_.end() ? nullptr : found->second.get();
}

bool OwnPanels::busy() const {
  return std::ranges::any_of(all_, [](const auto& panel) { return panel.second->busy(); });
}

}  // namespace tv
