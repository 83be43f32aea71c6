#include "core/view/table/table_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text/ascii.h"
#include "core/base/text/decimal_ns.h"
#include "core/base/text/nearest_word.h"

namespace tv {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool begins_relation(char c) { return c == '<' || c == '>' || c == '=' || c == '!' || c == '~'; }

// Splits into words, which end at a blank or a relation, or are quoted; bytes of other scripts count as letters.
class FilterWords {
 public:
  explicit FilterWords(std::string_view text) : rest_(text) { skip(); }

  bool at_end() const { return rest_.empty(); }
  std::size_t left() const { return rest_.size(); }
  std::string_view word(bool value) {
    std::string_view out;
    if (rest_.starts_with('"')) {
      const std::size_t end = std::min(rest_.find('"', 1), rest_.size());
      out = rest_.substr(1, end - 1);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
    } else {
      std::size_t end = 0;
      while (end < rest_.size() && !is_blank(rest_[end]) && (value || !begins_relation(rest_[end]))) ++end;
      out = rest_.substr(0, end);
      rest_.remove_prefix(end);
    }
    skip();
    return out;
  }
  std::optional<Relation> relation() {
    constexpr std::pair<std::string_view, Relation> kAll[] = {
        {"<=", Relation::LessEqual}, {">=", Relation::GreaterEqual}, {"==", Relation::Equal},
        {"!=", Relation::NotEqual},  {"=~", Relation::Like},         {"<", Relation::Less},
        {">", Relation::Greater},    {"=", Relation::Equal},         {"~", Relation::Like}};
    for (const auto& [text, relation] : kAll) {
      if (!rest_.starts_with(text)) continue;
      rest_.remove_prefix(text.size());
      skip();
      return relation;
    }
    return std::nullopt;
  }
  void step_over_one() {
    rest_.remove_prefix(1);
    skip();
  }

 private:
  void skip() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

bool has_part(std::string_view text, std::string_view lower) {
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(),
                     [](char in_text, char in_part) { return to_lower(in_text) == in_part; }) != text.end();
}

Error filter_error(std::string text) { return Error{std::move(text), {}, {}, {}}; }

std::size_t column_meant(std::span<const TableColumn> columns, std::string_view name, Error& error) {
  if (const std::size_t found = column_named(columns, name); found != kNoColumn) return found;
  std::vector<std::string> known;
  for (const TableColumn& column : columns) known.push_back(lower_case(column.title));
  const std::string meant = nearest_word(lower_case(name), known);
  error = filter_error(fmt::format("there is no column \"{}\"{}", name,
                            meant.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", meant)));
  return kNoColumn;
}

Result<double> number_meant(const TableColumn& column, std::string_view text) {
  const bool seconds = column.unit == "s";
  if (column.kind == ColumnKind::Time || seconds) {
    const auto time = decimal_time(text);
    const bool bare = !text.empty() && (is_digit(text.back()) || text.back() == '.');
    if (time && seconds) return to_seconds(*time);
    if (time && (!bare || *time == 0)) return static_cast<double>(*time);
    return filter_error(fmt::format("{} is a time: expected one such as 2ms or 1.5s, not \"{}\"", column.title, text));
  }
  if (column.kind == ColumnKind::Share && text.ends_with('%')) text.remove_suffix(1);
  double value = 0;
  std::string plain(text);
  std::erase(plain, ',');
  const auto [end, failed] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (failed == std::errc() && end == plain.data() + plain.size() && std::isfinite(value)) return value;
  return filter_error(fmt::format("{} is a number: expected one, not \"{}\"", column.title, text));
}

}  // namespace

Result<std::vector<TableTerm>> parse_table_filter(std::string_view text, std::span<const TableColumn> columns) {
  std::vector<TableTerm> terms;
  FilterWords words(text);
  while (!words.at_end()) {
    const std::size_t left = words.left();
    const std::string_view name = words.word(false);
    const auto relation = words.relation();
    if (!relation) {
      if (words.left() == left) words.step_over_one();  // a lone "!"
      if (!name.empty()) terms.push_back({kNoColumn, Relation::Like, lower_case(name), 0});
      continue;
    }
    if (name.empty()) return filter_error(fmt::format("expected a column before \"{}\": total{}2ms", text_of(*relation), text_of(*relation)));
    Error error;
    const std::size_t column = column_meant(columns, name, error);
    if (column == kNoColumn) return error;
    if (words.at_end()) return filter_error(fmt::format("expected what {} is compared with", columns[column].title));
    const std::string_view value = words.word(true);
    TableTerm term{column, *relation, lower_case(value), 0};
    if (columns[column].number() && *relation != Relation::Like) {
      const auto number = number_meant(columns[column], value);
      if (!number) return number.error();
      term.number = number.value();
    } else if (*relation != Relation::Like && *relation != Relation::Equal && *relation != Relation::NotEqual) {
      return filter_error(fmt::format("{} is a text: it can be compared with =, != and ~", columns[column].title));
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

bool fulfils(const TableModel& model, std::size_t row, std::span<const TableTerm> terms, std::string& room) {
  const std::span<const TableColumn> columns = model.columns();
  for (const TableTerm& term : terms) {
    if (term.column == kNoColumn) {
      bool found = false;
      for (std::size_t c = 0; c < columns.size() && !found; ++c) {
        if (columns[c].number()) continue;
        model.whole(row, c, room);
        found = has_part(room, term.text);
      }
      if (!found) return false;
    } else if (columns[term.column].number() && term.relation != Relation::Like) {
      if (!compare(model.number(row, term.column), term.relation, term.number)) return false;
    } else {
      model.whole(row, term.column, room);
      const bool holds = term.relation == Relation::Like
                             ? has_part(room, term.text)
                             : (lower_case(room) == term.text) == (term.relation == Relation::Equal);
      if (!holds) return false;
    }
  }
  return true;
}

}  // namespace tv
