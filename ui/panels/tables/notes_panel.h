// Lists marks and measured spans in a table. Choosing a row goes to its note. "Rename" applies to the row with the keyboard focus,
// "Delete" to the selected rows. Commands: EditNote, SaveView, and those of tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view/lists/notes_list.h"
#include "imgui.h"
#include "ui/panels/side_panel.h"

namespace tv {

class NotesPanel : public SidePanel {
 public:
  void draw(const PanelContext& context) override;

  /// For scripts: the position of "rename", "delete", or of a part of the table (Table::place_of) in the last frame.
  std::optional<ImVec2> place_of(std::string_view what) const override;
  const Table* table() const override { return &table_; }

 private:
  void draw_buttons(const PanelContext& context);

  std::vector<Note> notes_;  ///< the notes that the model shows
  TimeStyle style_;
  std::optional<ListTable> model_;
  std::uint64_t version_ = 0;
  Table table_;
  std::vector<std::pair<std::string_view, ImVec2>> places_;
};

}  // namespace tv
