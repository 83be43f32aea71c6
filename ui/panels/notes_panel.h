// Marks and measured spans as a list: a click goes there, a double click renames, heads sort.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view/notes_list.h"
#include "imgui.h"
#include "ui/panels/panel.h"

namespace tv {

class NotesPanel {
 public:
  void draw(const PanelContext& context);

  /// For scripts: where something is in the last frame: "row 2" (from 0), "name 2", "delete 2", "Name" (a head), "copy".
  std::optional<ImVec2> place_of(std::string_view what) const;

 private:
  void draw_row(const PanelContext& context, std::uint32_t note, std::size_t row);

  NoteOrder order_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::pair<std::string, ImVec2>> places_;
};

}  // namespace tv
