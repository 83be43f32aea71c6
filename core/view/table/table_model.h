// A table as every panel shows it: columns with a kind and a unit, rows whose cells are made when they are needed,
// each with the place it leads to. The user's choices (order, filter, columns) are a plain value, TableState,
// which outlives the model and can be stored. table_rows.h has the rows that are shown.
//
// A cell is shown rounded and short; number() and whole() give the same in full, for sorting, filtering and files.
// Invariant: a model does not change. A model with other cells has another version, which its owner counts.
// Units: a column of kind Time is in nanoseconds, of kind Share in per cent, any other in its `unit`.
// Cost: a virtual call per visible cell, into a text that is reused: 1e6 rows cost nothing until they are
// sorted.
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
  std::string title;    ///< over the column
  std::string meaning;  ///< a sentence, for a tooltip; may be empty
  ColumnKind kind = ColumnKind::Text;
  std::string unit = {};    ///< of number(), in files: "ns", "tokens"; empty: none, or the title has it
  std::string widest = {};  ///< a text that needs the room of the widest; empty: the first rows are measured
  bool hidden = false;      ///< until the user shows it
  bool empty = false;       ///< no row has a value in it: it stands last until the user moves it
  bool right = false;       ///< texts that stand on the right, as numbers always do
  bool wraps = false;       ///< sentences: stand on as many lines as they need, in tables of few rows
  bool button = false;      ///< its cells can be pressed

  bool number() const { return kind != ColumnKind::Text; }
};

/// Where a row leads. `id` is the index of what the kind says, in what the model was made of.
struct TableTarget {
  enum class Kind : std::uint8_t { None, Slice, Name, Request, Step, Lane, Place, Other } kind = Kind::None;
  std::uint64_t id = 0;  ///< Slice: SliceId; Name: LabelId; Lane: LaneId; Other: what the owner of the table says
  TimeRange range = {};  ///< Place: is brought into view
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
  /// NaN if there is none, and in columns of texts.
  virtual double number(std::size_t, std::size_t) const { return std::numeric_limits<double>::quiet_NaN(); }
  /// The whole of a text that is shown shortened.
  virtual void whole(std::size_t row, std::size_t column, std::string& out) const { text(row, column, out); }
  /// Ever shorter forms of a text, from n = 1. The first that fits is shown. False: there is no n-th.
  virtual bool shorter(std::size_t, std::size_t, std::size_t, std::string&) const { return false; }
  virtual TableTarget target(std::size_t) const { return {}; }
  virtual RowTone tone(std::size_t) const { return RowTone::Plain; }
  /// For a column with few texts for many rows: a number that stands for the row's text, so that each text is made once
  /// when rows are sorted. kNoTextId: the column is not of that kind.
  static constexpr std::uint32_t kNoTextId = UINT32_MAX;
  virtual std::uint32_t text_id(std::size_t, std::size_t) const { return kNoTextId; }
};

struct TableSort {
  std::string column;  ///< its id
  bool falling = false;
  bool operator==(const TableSort&) const = default;
};

/// A column as the user left it.
struct ColumnState {
  std::string id;
  bool hidden = false;
  float width = 0;  ///< in letters (heights of text); 0: what fits
  bool operator==(const ColumnState&) const = default;
};

struct TableState {
  std::vector<TableSort> sort;       ///< the first key, then the second; empty: as the model has them
  std::string filter;                ///< table_filter.h
  std::vector<ColumnState> columns;  ///< in their order; columns not named follow as in the model
  bool operator==(const TableState&) const = default;
};

/// The model's columns in the order they stand, those that are not shown with `hidden`. Of columns that the model has
/// not nothing is said, and the state keeps them.
struct ShownColumn {
  std::size_t column = 0;
  bool hidden = false;
  float width = 0;
};
std::vector<ShownColumn> shown_columns(std::span<const TableColumn> columns, const TableState& state);
/// Makes the state say all of it.
void remember_columns(TableState& state, std::span<const TableColumn> columns, std::span<const ShownColumn> shown);

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
/// By id or title, ASCII letters in either case; kNoColumn: none.
std::size_t column_named(std::span<const TableColumn> columns, std::string_view name);

/// A head was clicked: numbers begin with the greatest, texts with the first, the same again turns round. `second`: it
/// becomes the second key, or turns that round.
void sort_by(TableState& state, const TableColumn& column, bool second);

}  // namespace tv
