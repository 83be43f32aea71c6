// The table of every panel: draws any TableModel, and keeps the user's changes.
//
//   head      click: sort by it, again: reverse; with Shift: the secondary key; drag: move the column; its
//             edge: resize, double click: as wide as needed; right click: which columns are shown
//   filter    words, or comparisons of a column (table_filter.h)
//   rows      click, with Shift a range, with Ctrl one more; once clicked, or reached by F6: arrows, pages, Home, End
//             (Shift: a range), Space: toggle this one, Ctrl+A, Enter or double click: go there,
//             Ctrl+C: copy for a spreadsheet, /: the filter (Enter, Esc: back to the rows); right click: copy, save
//
// Columns of sentences (TableColumn::wraps) wrap onto several lines if there are at most kMostWrapped rows. Only rows in sight are
// drawn; a frame in which nothing changes does not recompute rows, order or texts. Clicked rows are reported, and the caller
// handles them. A tooltip shows text that is cut in full.
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
  std::string_view file = "table"; ///< name of the saved file, without its ending
  std::string_view nothing = {};   ///< shown if there are no rows
  TableTarget lit = {};            ///< the selection made elsewhere: its row is highlighted, and brought into sight when this
                                   ///< changes
  const char* narrow = nullptr;    ///< an additional line in the menu of a row; null: none
  std::optional<bool> bar = {};    ///< show filter and columns above it; none: only if there are many rows
};

struct TableAction {
  std::optional<std::size_t> chosen;   ///< a row of the model that was clicked, or reached by a key
  std::optional<std::size_t> go;       ///< Enter, double click
  std::optional<std::size_t> narrow;   ///< row of the additional menu line
  std::optional<std::size_t> pressed;  ///< row whose cell in a button column was pressed
  std::optional<std::size_t> hovered;
  std::optional<std::string> copy;     ///< for the clipboard
  struct File {
    std::string name, text;
  };
  std::optional<File> save;
};

class Table {
 public:
  Table() = default;
  explicit Table(TableState state) : state_(state), first_(std::move(state)) {}

  /// At the cursor of the current window. `version` differs between any two contents of the model.
  TableAction draw(const char* id, const TableModel& model, std::uint64_t version, Keys& keys, const Theme& theme,
                   const TableLook& look = {});
  /// Draws filter and columns separately, for a panel that has them in a line with its own controls (TableLook::bar is false then).
  void draw_bar(const TableModel& model, std::uint64_t version, const Theme& theme);
  /// The width without the row count.
  static float bar_width();

  static constexpr std::size_t kMostWrapped = 300;

  /// Takes over the stored state if its version has changed; null: the initial state.
  void take(const TableState* kept, std::uint64_t version) {
    if (std::exchange(taken_, version) != version) state_ = kept ? *kept : first_;
  }
  /// Whether it is in its initial state.
  bool as_at_first() const { return state_ == first_; }
  TableState& state() { return state_; }
  const TableState& state() const { return state_; }
  const TableRows& rows() const { return rows_; }
  const TableSelection& selection() const { return selection_; }
  bool has_keyboard() const { return focused_; }
  /// For scripts: the centre of a header (by column id), "filter", "columns", "row N" (from 0, in sight), "item TEXT" of the open
  /// menu, "edge ID" (the right edge of a column), as drawn last.
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

  TableState state_, first_;
  std::uint64_t taken_ = 0;
  TableRows rows_;
  TableSelection selection_;
  std::vector<ShownColumn> shown_;       ///< derived from the state
  std::vector<ColumnState> shown_of_;
  std::size_t of_rows_ = 0;
  std::uint64_t lit_revision_ = 0;
  std::vector<float> fitted_, placed_;   ///< widths by column, pixels
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
  std::string room_, longer_;
  float row_height_ = 0;
  std::vector<float> tops_;        ///< tops of wrapping rows, and the bottom of the last; empty: all have row_height_
  bool filter_asked_ = false, bar_ = false;
  std::size_t page_ = 1;
  std::map<std::string, ImVec2, std::less<>> places_;
  ImVec2 filter_place_{-1, -1}, columns_place_{-1, -1};
  ImVec2 first_row_ = {-1, -1};
  std::size_t first_place_ = 0;
  float rows_end_ = 0;
};

}  // namespace tv
