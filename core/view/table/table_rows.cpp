#include "core/view/table/table_rows.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include "core/view/table/table_filter.h"
#include "core/view/table/table_order.h"

namespace tv {

void TableRows::update(const TableModel& model, std::uint64_t version, const TableState& state) {
  if (model_ == &model && version_ == version && sort_ == state.sort && filter_ == state.filter) return;
  ++revision_;
  model_ = &model;
  version_ = version;
  sort_ = state.sort;
  filter_ = state.filter;
  complaint_.clear();
  shown_.resize(model.rows());
  std::iota(shown_.begin(), shown_.end(), 0u);
  if (!filter_.empty()) {
    const auto terms = parse_table_filter(filter_, model.columns());
    if (!terms) {
      complaint_ = terms.error().message;
    } else if (!terms.value().empty()) {
      std::string room;
      std::erase_if(shown_, [&](std::uint32_t row) { return !fulfils(model, row, terms.value(), room); });
    }
  }
  sort(model, state);
}

namespace {

// Sorts each distinct text once. The rank of a text is the key of all rows that have the text.
std::vector<double> keys_of_text_ids(const TableModel& model, std::span<const std::uint32_t> rows, std::size_t column) {
  std::unordered_map<std::uint32_t, std::size_t> known;
  std::vector<std::string> texts;
  std::vector<std::size_t> text_of(model.rows());
  for (const std::uint32_t row : rows) {
    const auto [at, added] = known.try_emplace(model.text_id(row, column), texts.size());
    if (added) model.whole(row, column, texts.emplace_back());
    text_of[row] = at->second;
  }
  std::vector<std::uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0u);
  order_rows(order, std::vector<std::string_view>(texts.begin(), texts.end()), false);
  std::vector<double> place(texts.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    // Two ids may have the same text.
    const bool same = i > 0 && texts[order[i]] == texts[order[i - 1]];
    place[order[i]] = same ? place[order[i - 1]] : static_cast<double>(i);
  }
  std::vector<double> keys(model.rows());
  for (const std::uint32_t row : rows) keys[row] = place[text_of[row]];
  return keys;
}

}  // namespace

void TableRows::sort(const TableModel& model, const TableState& state) {
  const std::span<const TableColumn> columns = model.columns();
  // Stable sorts, from the last key to the first.
  for (std::size_t k = state.sort.size(); k-- > 0;) {
    const auto column = std::ranges::find(columns, state.sort[k].column, &TableColumn::id);
    if (column == columns.end()) continue;
    const auto c = static_cast<std::size_t>(column - columns.begin());
    if (column->number()) {
      std::vector<double> keys(model.rows());
      for (const std::uint32_t row : shown_) keys[row] = model.number(row, c);
      order_rows(shown_, keys, state.sort[k].falling);
    } else if (!shown_.empty() && model.text_id(shown_.front(), c) != TableModel::kNoTextId) {
      order_rows(shown_, keys_of_text_ids(model, shown_, c), state.sort[k].falling);
    } else {
      std::vector<std::string> texts(model.rows());
      for (const std::uint32_t row : shown_) model.whole(row, c, texts[row]);
      order_rows(shown_, std::vector<std::string_view>(texts.begin(), texts.end()), state.sort[k].falling);
    }
  }
}

std::optional<std::size_t> TableRows::place_of(std::size_t row) const {
  const auto found = std::ranges::find(shown_, static_cast<std::uint32_t>(row));
  return found == shown_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - shown_.begin()));
}

std::optional<std::size_t> TableRows::place_of(const TableModel& model, const TableTarget& target) const {
  if (!target) return std::nullopt;
  for (std::size_t place = 0; place < shown_.size(); ++place) {
    if (model.target(shown_[place]) == target) return place;
  }
  return std::nullopt;
}

void TableSelection::clear() { *this = {}; }

void TableSelection::set(std::size_t row, bool on) {
  if (row >= rows_.size()) {
    if (!on) return;
    rows_.resize(row + 1, false);
  }
  if (rows_[row] == on) return;
  rows_[row] = on;
  on ? ++count_ : --count_;
}

void TableSelection::pick(const TableRows& rows, std::size_t row, bool with_shift, bool with_ctrl) {
  if (with_shift && anchor_) {
    const auto from = rows.place_of(*anchor_), to = rows.place_of(row);
    if (from && to) {
      const std::size_t anchor = *anchor_;
      if (!with_ctrl) clear();
      for (std::size_t place = std::min(*from, *to); place <= std::max(*from, *to); ++place) set(rows.shown()[place], true);
      anchor_ = anchor;
      cursor_ = row;
      return;
    }
  }
  if (with_ctrl) {
    set(row, !has(row));
  } else {
    clear();
    set(row, true);
  }
  anchor_ = cursor_ = row;
}

void TableSelection::pick_all(const TableRows& rows) {
  const auto cursor = cursor_;
  clear();
  for (const std::uint32_t row : rows.shown()) set(row, true);
  anchor_ = cursor_ = cursor ? cursor : rows.shown().empty() ? std::nullopt : std::optional<std::size_t>(rows.shown()[0]);
}

std::optional<std::size_t> TableSelection::move(const TableRows& rows, std::ptrdiff_t by, bool with_shift) {
  if (rows.shown().empty()) return std::nullopt;
  const auto last = static_cast<std::ptrdiff_t>(rows.shown().size()) - 1;
  const auto now = cursor_ ? rows.place_of(*cursor_) : std::nullopt;
  const std::ptrdiff_t from = now ? static_cast<std::ptrdiff_t>(*now) : by > 0 ? -1 : last + 1;
  const std::ptrdiff_t to = by >= last + 1 ? last : by <= -last - 1 ? 0 : std::clamp<std::ptrdiff_t>(from + by, 0, last);
  const std::size_t row = rows.shown()[static_cast<std::size_t>(to)];
  pick(rows, row, with_shift, false);
  return row;
}

std::vector<std::uint32_t> TableSelection::selected_or_all(const TableRows& rows) const {
  std::vector<std::uint32_t> out;
  if (count_ > 0) {
    for (const std::uint32_t row : rows.shown()) {
      if (has(row)) out.push_back(row);
    }
  }
  if (out.empty()) out.assign(rows.shown().begin(), rows.shown().end());
  return out;
}

}  // namespace tv
