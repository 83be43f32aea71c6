// A table as every panel shows it: columns with a kind and a unit; rows whose cells are made on demand, each with a target. The
// user's choices (order, filter, columns) are a plain value, TableState, which outlives the model and can be stored. table_rows.h
// determines the rows that are shown.
//
// A cell is shown rounded and shortened; number() and whole() return the full value, for sorting, filtering and files. Invariant:
// a model does not change. A model with other cells has another version number, which the owner assigns. Units: a column of kind
// Time is in nanoseconds, of kind Share in per cent, any other in its `unit`. Cost: a virtual call per visible cell, into a text
// that is reused: 1e6 rows cost nothing until they are sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace tv {

enum class ColumnKind : std::uint8_t { Text, Number, Time, Share };

struct TableColumn {
  std::string id;       ///< stable, for states, filters and scripts: "self"
  std::string title;    ///< the column header
  std::string meaning;  ///< a sentence, for a tooltip; may be empty
  ColumnKind kind = ColumnKind::Text;
  std::string unit = {};    ///< unit of number(), in files: "ns", "tokens"; empty: none, or the title names it
  std::string widest = {};  ///< a sample text as wide as the widest; empty: the first rows are measured
  bool hidden = false;      ///< hidden until the user shows it
  bool empty = false;       ///< no row has a value in it: it is the last column until the user moves it
  bool right = false;       ///< right-aligned text; numbers always are
  bool wraps = false;       ///< sentences: wrapped onto several lines, in tables with few rows
  bool button = false;      ///< its cells can be pressed

  bool number() const { return kind != ColumnKind::Text; }
};

/// The target of a row. `id` is an index whose meaning depends on the kind, in the data that the model shows.
struct TableTarget {
  enum class Kind : std::uint8_t { None, Slice, Name, Request, Step, Lane, Place, Other } kind = Kind::None;
  std::uint64_t id = 0;  ///< Slice: SliceId; Name: LabelId; Lane: LaneId; Other: defined by the owner of the table
  TimeRange range = {};  ///< Place: the range to bring into view
  bool operator==(const TableTarget&) const = default;
  explicit operator bool() const { return kind != Kind::None; }
};
inline TableTarget slice_row(SliceId slice) { return {TableTarget::Kind::Slice, idx(slice), {}}; }

/// The tone of a row: losses must be seen first, secondary facts last.
enum class RowTone : std::uint8_t { Plain, Quiet, Warning, Loss };

class TableModel {
 public:
  virtual ~TableModel() = default;
  virtual std::span<const TableColumn> columns() const = 0;
  virtual std::size_t rows() const = 0;
  /// Writes the shown text into `out`, replacing its content.
  virtual void text(std::size_t row, std::size_t column, std::string& out) const = 0;
  /// NaN if there is none, and for text columns.
  virtual double number(std::size_t, std::size_t) const { return std::numeric_limits<double>::quiet_NaN(); }
  /// The full text of a cell that is shown shortened.
  virtual void whole(std::size_t row, std::size_t column, std::string& out) const { text(row, column, out); }
  /// Ever shorter forms of a text, from n = 1; the first that fits is shown. False if there is no n-th form.
  virtual bool shorter(std::size_t, std::size_t, std::size_t, std::string&) const { return false; }
  virtual TableTarget target(std::size_t) const { return {}; }
  virtual RowTone tone(std::size_t) const { return RowTone::Plain; }
  /// For a column with few distinct texts: an id of the row's text, so that each text is made only once when rows are sorted.
  /// kNoTextId: the column is not of that kind.
  static constexpr std::uint32_t kNoTextId = UINT32_MAX;
  virtual std::uint32_t text_id(std::size_t, std::size_t) const { return kNoTextId; }
};

struct TableSort {
  std::string column;  ///< column id
  bool falling = false;
  bool operator==(const TableSort&) const = default;
};

/// A column as the user left it.
struct ColumnState {
  std::string id;
  bool hidden = false;
  float width = 0;  ///< in letters (text heights); 0: as wide as its contents
  bool operator==(const ColumnState&) const = default;
};

struct TableState {
  std::vector<TableSort> sort;       ///< the primary and secondary key; empty: the model's order
  std::string filter;                ///< see table_filter.h
  std::vector<ColumnState> columns;  ///< in display order; columns not listed follow in the model's order
  bool operator==(const TableState&) const = default;
};

/// The model's columns in display order; columns that are not shown have `hidden` set. Columns of the state that the model lacks
/// are not returned, but stay in the state.
struct ShownColumn {
  std::size_t column = 0;
  bool hidden = false;
  float width = 0;
};
std::vector<ShownColumn> shown_columns(std::span<const TableColumn> columns, const TableState& state);
/// Writes all of these columns into the state.
void remember_columns(TableState& state, std::span<const TableColumn> columns, std::span<const ShownColumn> shown);

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
/// By id or title, ignoring the case of ASCII letters; kNoColumn: none.
std::size_t column_named(std::span<const TableColumn> columns, std::string_view name);

/// For a click on a header: numbers start with the greatest, texts with the first; a second click reverses the order. `second`:
/// sets or reverses the secondary key instead.
void sort_by(TableState& state, const TableColumn& column, bool second);

}  // namespace tv
