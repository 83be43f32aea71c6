// The table that all panels use: draws any TableModel, and keeps the user's changes.
//
//   header    click: sort by this column, again: reverse; with Shift: secondary key; drag: move the column; drag the edge: resize,
//             double click on the edge: as wide as needed; right click: choose the columns
//   filter    words, or comparisons with a column (table_filter.h)
//   rows      click: select, with Shift a range, with Ctrl one more; after a click or F6: arrows, pages, Home, End (with Shift: a
//             range), Space: toggle this row, Ctrl+A: all rows, Enter or double click: go there, Ctrl+C: copy for a spreadsheet,
//             /: the filter (Enter, Esc: back to the rows); right click: copy, save
//
// Columns of sentences (TableColumn::wraps) wrap onto several lines if there are at most kMostWrapped rows. Other tables draw
// only the rows in sight. A frame in which nothing changes does not recompute rows, order or widths. The table reports clicked
// rows, which the caller handles. A tooltip shows the full text of a cell that is cut.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view/table/table_files.h"
#include "core/view/table/table_model.h"
#include "core/view/table/table_rows.h"
#include "imgui.h"
#include "ui/widgets/input/keys.h"
#include "ui/widgets/theme.h"

namespace tv {

struct TableLook {
  ImVec2 size = {0, 0};            ///< 0: the rest of the window
  std::string_view file = "table"; ///< name of the saved file, without extension
  std::string_view nothing = {};   ///< text shown if there are no rows
  TableTarget lit = {};            ///< what is selected elsewhere: its row is highlighted. If it changes, the table scrolls there
  const char* narrow = nullptr;    ///< an additional item in the menu of a row; null: none
  std::optional<bool> bar = {};    ///< show filter and columns above the table; none: only with many rows or a filter
};

struct TableAction {
  std::optional<std::size_t> chosen;   ///< a row of the model that was clicked, or reached by a key
  std::optional<std::size_t> go;       ///< the row of Enter or a double click
  std::optional<std::size_t> narrow;   ///< the row whose additional menu item was chosen
  std::optional<std::size_t> pressed;  ///< the row whose button was pressed
  std::optional<std::size_t> hovered;
  std::optional<std::string> copy;     ///< text for the clipboard
  struct File {
    std::string name, text;
  };
  std::optional<File> save;
};

class Table {
 public:
  Table() = default;
  explicit Table(TableState state) : state_(state), initial_state_(std::move(state)) {}

  /// Draws at the cursor of the current window. `version` must change whenever the contents of the model change.
  TableAction draw(const char* id, const TableModel& model, std::uint64_t version, Keys& keys, const Theme& theme,
                   const TableLook& look = {});
  /// Draws only filter and columns, for a panel that has them in a line with its own controls and sets TableLook::bar to false.
  void draw_bar(const TableModel& model, std::uint64_t version, const Theme& theme);
  /// The width of filter and columns, without the row count.
  static float bar_width();

  static constexpr std::size_t kMostWrapped = 300;

  /// Applies a stored state if its version has changed; null: the initial state.
  void restore(const TableState* stored, std::uint64_t version) {
    if (std::exchange(restored_version_, version) != version) state_ = stored ? *stored : initial_state_;
  }
  bool is_initial() const { return state_ == initial_state_; }
  TableState& state() { return state_; }
  const TableState& state() const { return state_; }
  const TableRows& rows() const { return rows_; }
  const TableSelection& selection() const { return selection_; }
  bool has_keyboard() const { return focused_; }
  /// For scripts: positions in the last frame: the centre of a header (by column id), of "filter", of "columns", of "row N" (from
  /// 0, of those in sight), of "button N" (in row N of the model), of "item TEXT" in the open menu; "edge ID" (the right edge of a
  /// column).
  std::optional<ImVec2> place_of(std::string_view what) const;

 private:
  void draw_heads(const TableModel& model);
  void draw_head(const TableColumn& column, std::size_t c);
  void draw_row(const TableModel& model, std::size_t place, const Theme& theme, TableAction& action);
  void draw_cell(const TableModel& model, std::uint32_t row, std::size_t column, TableAction& action);
  void measure_rows(const TableModel& model);
  float top_of(std::size_t place) const;
  float height_of(std::size_t place) const;
  void scroll_to_asked(float inner);
  void draw_rows(const TableModel& model, const Theme& theme, TableAction& action);
  void take_keyboard(Keys& keys, const TableModel& model, ImVec2 begin, ImVec2 end, const Theme& theme);
  void draw_menu(const TableModel& model, const TableLook& look, TableAction& action);
  void draw_columns_menu(const TableModel& model);
  bool menu_item(const char* title, const char* keys = nullptr);
  void type(const TableModel& model, Keys& keys, TableAction& action);
  void fit_columns(const TableModel& model, std::uint64_t version, float room);
  void take_widths();
  void follow(const TableModel& model, const TableLook& look);
  std::string as_text(const TableModel& model, TableFormat format) const;

  TableState state_, initial_state_;
  std::uint64_t restored_version_ = 0;
  TableRows rows_;
  TableSelection selection_;
  std::vector<ShownColumn> shown_;       ///< derived from shown_of_
  std::vector<ColumnState> shown_of_;
  std::size_t selection_rows_ = 0;       ///< number of the model's rows that selection_ refers to
  std::uint64_t lit_revision_ = 0;
  std::vector<float> fitted_, placed_;   ///< widths by column, in pixels: those that fit, and those passed to ImGui
  struct FittedFor {
    const TableModel* model = nullptr;
    std::uint64_t version = 0;
    float room = 0, font = 0;
    bool operator==(const FittedFor&) const = default;
  } fitted_for_;
  bool placed_once_ = false;
  bool focused_ = false, moved_column_ = false, menu_asked_ = false, columns_asked_ = false;
  std::optional<std::size_t> menu_row_, scroll_to_, lit_row_;
  TableTarget lit_;
  std::string cell_text_, whole_text_;   ///< buffers, reused
  float row_height_ = 0;
  std::vector<float> tops_;        ///< tops of wrapping rows, and the bottom of the last; empty: all rows have row_height_
  bool filter_asked_ = false, bar_ = false;
  std::size_t page_ = 1;
  std::map<std::string, ImVec2, std::less<>> places_;
  ImVec2 filter_place_{-1, -1}, columns_place_{-1, -1};
  ImVec2 first_row_ = {-1, -1};
  std::size_t first_place_ = 0;
  float rows_end_ = 0;
};

}  // namespace tv
