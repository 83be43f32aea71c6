// Expressions over requests: dur > 2s && turns >= 3 && (finish == "LENGTH" || !(worker == 0)).
//
// Fields: request_fields.h. Comparisons: < <= > >= == != with a number, which may have a unit if the field is a time (ns us ms s
// min h); == != =~ with a text, in quotes or as a bare word. Texts are compared without regard to case (ASCII). A run is given by
// its number, counted from 1, or by its name: run==2, run==baseline. inside(engine_s, dur, 1, 2, 3, 2, 3, 5): the point of two
// fields lies within the polygon with corners x, y, x, y ... (even-odd rule). =~ means "contains", where * stands for any text.
// Regular expressions are not supported, since they can take forever. ! binds strongest, then &&, then ||. A value that the log
// lacks fulfils no relation, not even !=. Every request fulfils an empty expression. Cost of apply() (600,000 requests, -O1) per
// request and comparison: 5 ns for a column, 20 ns for a field of RolloutRequest (a cache miss), 90 ns for an id. Other texts are
// compared once per distinct text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/filter/expression_text.h"
#include "core/analysis/requests/request_fields.h"
#include "core/analysis/rollout/rollout.h"
#include "core/base/result.h"

namespace tv {

struct FilterNode {
  enum class Kind : std::uint8_t { Compare, Inside, Not, And, Or } kind = Kind::Compare;
  RequestField field = RequestField::dur;
  RequestField y_field = RequestField::dur;        ///< Inside: the field along y; `field` is along x
  std::vector<std::pair<double, double>> corners;  ///< Inside: at least three
  Relation relation = Relation::Equal;
  bool as_text = false;  ///< compares with `text`, which may be empty, and not with `number`
  double number = 0;
  std::string text;
  bool operator==(const FilterNode&) const = default;
};

/// In postfix order: operands before their operator. An empty filter fits every request.
struct RequestFilter {
  std::vector<FilterNode> nodes;
  bool operator==(const RequestFilter&) const = default;
};

Result<RequestFilter> parse_filter(std::string_view text);
/// The canonical text, which parses to an equal filter. It has parentheses only where needed, and always after !.
std::string to_text(const RequestFilter& filter);

/// A text for people, with rounded numbers: "dur >= 34.08 s && worker == 0". Not meant to be parsed again.
std::string to_words(const RequestFilter& filter);
/// to_words() of an expression. An expression that cannot be parsed is returned as it is.
std::string filter_words(std::string_view expression);

/// The requests of `among` that fulfil the filter, in order.
RequestSet apply(const Rollout& rollout, const RequestFilter& filter, const RequestSet& among);

/// "dur>=2.5s && dur<=10s", with limits that parse to the same doubles. An infinite limit is left out; "" if both are infinite.
std::string range_filter(std::string_view field, double least, double most);
/// "step==3", with several runs "run==2 && step==3": the requests of one of Rollout::steps.
std::string step_filter(const Rollout& rollout, std::uint32_t step);
/// Joins both by &&, with parentheses if needed; if one is empty, returns the other.
std::string both_filters(std::string_view a, std::string_view b);

}  // namespace tv
