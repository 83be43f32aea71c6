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

// Splits a filter into words and relations. A word that is not quoted ends at a blank or a relation.
class FilterWords {
 public:
  explicit FilterWords(std::string_view text) : rest_(text) {
    skip_blanks();
    after_blank_ = true;
  }

  bool at_end() const { return rest_.empty(); }
  // `value`: whether the word follows a relation and may therefore contain characters of relations.
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
    skip_blanks();
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
      skip_blanks();
      return relation;
    }
    return std::nullopt;
  }
  // Removes a "!" that is not part of "!=". Returns whether that "!" negates a word: alone or inside a word it does not.
  bool take_not() {
    if (!rest_.starts_with('!') || rest_.starts_with("!=")) return false;
    const bool begins_word = after_blank_;
    rest_.remove_prefix(1);
    const bool lone = rest_.empty() || is_blank(rest_.front());
    skip_blanks();
    return begins_word && !lone;
  }

 private:
  void skip_blanks() {
    const std::size_t before = rest_.size();
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    after_blank_ = rest_.size() < before;
  }
  std::string_view rest_;
  bool after_blank_ = true;
};

bool contains_in_any_case(std::string_view text, std::string_view lower_part) {
  return std::search(text.begin(), text.end(), lower_part.begin(), lower_part.end(),
                     [](char in_text, char in_part) { return to_lower(in_text) == in_part; }) != text.end();
}

Error filter_error(std::string text) { return Error{std::move(text), {}, {}, {}}; }

Result<std::size_t> filter_column(std::span<const TableColumn> columns, std::string_view name) {
  if (const std::size_t found = column_named(columns, name); found != kNoColumn) return found;
  std::vector<std::string> known;
  for (const TableColumn& column : columns) known.push_back(lower_case(column.title));
  const std::string nearest = nearest_word(lower_case(name), known);
  const std::string hint = nearest.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", nearest);
  return filter_error(fmt::format("there is no column \"{}\"{}", name, hint));
}

Result<double> filter_number(const TableColumn& column, std::string_view text) {
  const bool in_seconds = column.unit == "s";
  if (column.kind == ColumnKind::Time || in_seconds) {
    const auto time = decimal_time(text);
    const bool lacks_unit = !text.empty() && (is_digit(text.back()) || text.back() == '.');
    if (time && in_seconds) return to_seconds(*time);
    if (time && (!lacks_unit || *time == 0)) return static_cast<double>(*time);
    return filter_error(fmt::format("{} is a time: write it as 2ms or 1.5s, not \"{}\"", column.title, text));
  }
  if (column.kind == ColumnKind::Share && text.ends_with('%')) text.remove_suffix(1);
  std::string plain(text);
  std::erase(plain, ',');
  if (const auto value = whole_decimal(plain); value && std::isfinite(*value)) return *value;
  return filter_error(fmt::format("{} is a number: it cannot be compared with \"{}\"", column.title, text));
}

}  // namespace

Result<std::vector<TableTerm>> parse_table_filter(std::string_view text, std::span<const TableColumn> columns) {
  std::vector<TableTerm> terms;
  FilterWords words(text);
  while (!words.at_end()) {
    const bool negated = words.take_not();
    const std::string_view name = words.word(false);
    const auto relation = words.relation();
    if (!relation) {
      if (!name.empty()) terms.push_back({kNoColumn, negated ? Relation::NotEqual : Relation::Like, lower_case(name), 0});
      continue;
    }
    if (negated) return filter_error(fmt::format("\"!\" excludes a word, not a comparison: write the opposite of {}{}", name, text_of(*relation)));
    const std::string_view relation_text = text_of(*relation);
    if (name.empty()) return filter_error(fmt::format("write a column before \"{}\", as in total{}2ms", relation_text, relation_text));
    const auto found = filter_column(columns, name);
    if (!found) return found.error();
    const TableColumn& column = columns[found.value()];
    if (words.at_end()) return filter_error(fmt::format("write a value after {}{}", name, relation_text));
    const std::string_view value = words.word(true);
    TableTerm term{found.value(), *relation, lower_case(value), 0};
    if (column.number() && *relation != Relation::Like) {
      const auto number = filter_number(column, value);
      if (!number) return number.error();
      term.number = number.value();
    } else if (*relation != Relation::Like && *relation != Relation::Equal && *relation != Relation::NotEqual) {
      return filter_error(fmt::format("{} is a text: compare it with =, != or ~", column.title));
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
        found = contains_in_any_case(room, term.text);
      }
      if (found == (term.relation == Relation::NotEqual)) return false;
    } else if (columns[term.column].number() && term.relation != Relation::Like) {
      if (!compare(model.number(row, term.column), term.relation, term.number)) return false;
    } else {
      model.whole(row, term.column, room);
      const bool holds = term.relation == Relation::Like
                             ? contains_in_any_case(room, term.text)
                             : (lower_case(room) == term.text) == (term.relation == Relation::Equal);
      if (!holds) return false;
    }
  }
  return true;
}

}  // namespace tv
