// Lists the kinds of problems of all files, losses first. The button of a row shows the first place in the file that has the most
// of them; so do Enter and a double click, or they open the import report if there is no such place. Commands: ShowText, ShowPanel,
// and those of tables.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/view/lists/sources_table.h"
#include "ui/panels/side_panel.h"

namespace tv {

class ProblemKindsPanel : public SidePanel {
 public:
  void draw(const PanelContext& context) override;
  const Table* table() const override { return &table_; }

 private:
  std::uint64_t generation_ = UINT64_MAX;  ///< generation of the snapshot that kinds_ and model_ belong to
  std::vector<ProblemsOfKind> kinds_;
  std::optional<ListTable> model_;
  std::uint64_t version_ = 0;
  Table table_;
};

}  // namespace tv
