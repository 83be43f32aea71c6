#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/analysis/filter/expression_grammar.h"
#include "core/analysis/filter/request_filter.h"
#include "core/base/text/ascii.h"

namespace tv {
namespace {

std::string field_names() {
  std::string names;
  for (const RequestFieldInfo& field : request_fields()) {
    names += fmt::format("{}{}", names.empty() ? "" : " ", field.name);
  }
  return names;
}

// Nodes are appended to `filter` after their operands.
class RequestComparisons {
 public:
  RequestFilter filter;

  std::optional<Error> comparison(ExpressionText& text) {
    text_ = &text;
    return relation();
  }
  void join(Junction junction) {
    FilterNode node;
    node.kind = junction == Junction::Not ? FilterNode::Kind::Not
                : junction == Junction::And ? FilterNode::Kind::And : FilterNode::Kind::Or;
    filter.nodes.push_back(std::move(node));
  }

 private:
  using Failed = std::optional<Error>;

  Failed relation() {
    const std::size_t begin = text_->position();
    const std::string_view word = text_->word();
    if (word == "inside" && text_->take("(")) return inside();
    const auto field = request_field(word);
    if (!field) return no_field(word, begin);
    const RequestFieldInfo& about = info(*field);
    const std::size_t operator_at = text_->position();
    const auto relation = text_->relation();
    const bool as_text = about.text || (*field == RequestField::run && (relation == Relation::Like || name_comes()));
    const bool fits = relation && (as_text ? *relation >= Relation::Equal : *relation != Relation::Like);
    if (!fits) return text_->expected(as_text ? "== != or =~" : "< <= > >= == or !=", operator_at);
    FilterNode node;
    node.field = *field;
    node.relation = *relation;
    node.as_text = as_text;
    if (as_text) {
      auto value = text_->text_value();
      if (!value) return value.error();
      node.text = std::move(*value);
    } else {
      const auto value = text_->number(about.unit);
      if (!value) return value.error();
      node.number = value.value();
    }
    filter.nodes.push_back(std::move(node));
    return {};
  }

  // A run is given by its number or its name. A name that has only digits must be quoted.
  bool name_comes() const {
    ExpressionText ahead = *text_;
    const std::string_view word = ahead.word();
    return std::ranges::any_of(word, [](char c) { return !is_digit(c) && c != '.' && c != '-'; }) ||
           (word.empty() && (ahead.take("\"") || ahead.take("'")));
  }

  Error no_field(std::string_view word, std::size_t at) const {
    Error error = text_->expected(word.empty() ? "a field, ! or (" : "a field", at);
    error.remedy = "fields: " + field_names();
    return error;
  }

  // Parses the text after "inside(".
  Failed inside() {
    FilterNode node;
    node.kind = FilterNode::Kind::Inside;
    for (RequestField* axis : {&node.field, &node.y_field}) {
      const std::size_t at = text_->position();
      const std::string_view word = text_->word();
      const auto field = request_field(word);
      if (!field || info(*field).text) return no_field(word, at);
      *axis = *field;
      if (axis == &node.field && !text_->take(",")) return text_->expected(", and the field along y");
    }
    while (text_->take(",")) {
      const auto x = text_->number(info(node.field).unit);
      if (!x) return x.error();
      if (!text_->take(",")) return text_->expected(", and the y of this corner");
      const auto y = text_->number(info(node.y_field).unit);
      if (!y) return y.error();
      node.corners.emplace_back(x.value(), y.value());
    }
    if (node.corners.size() < 3) return text_->expected("three corners or more: x, y, x, y, x, y");
    if (!text_->take(")")) return text_->expected(", or )");
    filter.nodes.push_back(std::move(node));
    return {};
  }

  ExpressionText* text_ = nullptr;
};

}  // namespace

Result<RequestFilter> parse_filter(std::string_view text) {
  if (text.size() > kLongestExpression) return Error{"the filter is longer than 64 KiB", {}, {}, {}};
  RequestComparisons comparisons;
  if (auto failed = ExpressionGrammar(text, comparisons).run()) return *failed;
  return std::move(comparisons.filter);
}

}  // namespace tv
