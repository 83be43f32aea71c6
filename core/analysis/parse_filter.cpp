#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/analysis/request_filter.h"
#include "core/base/ascii.h"

namespace tv {
namespace {

constexpr int kDeepest = 100;               // parentheses and ! within each other
constexpr std::size_t kLongest = 64 * 1024;  // bytes

std::string field_names() {
  std::string names;
  for (const RequestFieldInfo& field : request_fields()) {
    names += fmt::format("{}{}", names.empty() ? "" : " ", field.name);
  }
  return names;
}

// Recursive descent; an error ends it. Nodes go to `filter_` behind their operands.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<RequestFilter> run() {
    if (text_.at_end()) return filter_;
    if (auto failed = any_of(0)) return *failed;
    if (!text_.at_end()) return text_.expected("&&, || or the end");
    return filter_;
  }

 private:
  using Failed = std::optional<Error>;

  Failed any_of(int depth) {
    if (auto failed = all_of(depth)) return failed;
    while (text_.take("||")) {
      if (auto failed = all_of(depth)) return failed;
      add(FilterNode::Kind::Or);
    }
    return {};
  }

  Failed all_of(int depth) {
    if (auto failed = one(depth)) return failed;
    while (text_.take("&&")) {
      if (auto failed = one(depth)) return failed;
      add(FilterNode::Kind::And);
    }
    return {};
  }

  Failed one(int depth) {
    if (depth > kDeepest) return text_.expected("fewer parentheses within each other");
    if (text_.take("!")) {
      if (auto failed = one(depth + 1)) return failed;
      add(FilterNode::Kind::Not);
      return {};
    }
    if (!text_.take("(")) return relation();
    if (auto failed = any_of(depth + 1)) return failed;
    return text_.take(")") ? Failed() : Failed(text_.expected("&&, || or )"));
  }

  Failed relation() {
    const std::size_t begin = text_.position();
    const std::string_view word = text_.word();
    if (word == "inside" && text_.take("(")) return inside();
    const auto field = request_field(word);
    if (!field) return no_field(word, begin);
    const RequestFieldInfo& about = info(*field);
    const std::size_t operator_at = text_.position();
    const auto relation = text_.relation();
    const bool as_text = about.text || (*field == RequestField::run && (relation == Relation::Like || named()));
    const bool fits = relation && (as_text ? *relation >= Relation::Equal : *relation != Relation::Like);
    if (!fits) return text_.expected(as_text ? "== != or =~" : "< <= > >= == or !=", operator_at);
    FilterNode node;
    node.field = *field;
    node.relation = *relation;
    if (as_text) {
      auto value = text_.text_value();
      if (!value) return value.error();
      node.text = std::move(*value);
    } else {
      const auto value = text_.number(about.unit);
      if (!value) return value.error();
      node.number = value.value();
    }
    filter_.nodes.push_back(std::move(node));
    return {};
  }

  // A run is told by its number or its name: whether a name comes next. A name of digits alone is written in quotes.
  bool named() const {
    ExpressionText ahead = text_;
    const std::string_view word = ahead.word();
    return std::ranges::any_of(word, [](char c) { return !is_digit(c) && c != '.' && c != '-'; }) ||
           (word.empty() && (ahead.take("\"") || ahead.take("'")));
  }

  Error no_field(std::string_view word, std::size_t at) const {
    Error error = text_.expected(word.empty() ? "a field, ! or (" : "a field", at);
    error.remedy = "fields: " + field_names();
    return error;
  }

  // After "inside(".
  Failed inside() {
    FilterNode node;
    node.kind = FilterNode::Kind::Inside;
    for (RequestField* axis : {&node.field, &node.other}) {
      const std::size_t at = text_.position();
      const std::string_view word = text_.word();
      const auto field = request_field(word);
      if (!field || info(*field).text) return no_field(word, at);
      *axis = *field;
      if (axis == &node.field && !text_.take(",")) return text_.expected(", and the field along y");
    }
    while (text_.take(",")) {
      const auto x = text_.number(info(node.field).unit);
      if (!x) return x.error();
      if (!text_.take(",")) return text_.expected(", and the y of this corner");
      const auto y = text_.number(info(node.other).unit);
      if (!y) return y.error();
      node.corners.emplace_back(x.value(), y.value());
    }
    if (node.corners.size() < 3) return text_.expected("three corners or more: x, y, x, y, x, y");
    if (!text_.take(")")) return text_.expected(", or )");
    filter_.nodes.push_back(std::move(node));
    return {};
  }

  void add(FilterNode::Kind kind) {
    FilterNode node;
    node.kind = kind;
    filter_.nodes.push_back(std::move(node));
  }

  ExpressionText text_;
  RequestFilter filter_;
};

}  // namespace

Result<RequestFilter> parse_filter(std::string_view text) {
  if (text.size() > kLongest) return Error{"the filter is longer than 64 KiB", {}, {}, {}};
  return Parser(text).run();
}

}  // namespace tv
