// Expressions over requests: dur > 2s && turns >= 3 && (finish == "LENGTH" || !(worker == 0)).
//
// Fields: request_fields.h. Comparisons: < <= > >= == != with a number, which may have a unit if the field is a time (ns us ms s
// min h); == != =~ with a text, in quotes or a bare word. Texts are compared without regard to case (ASCII). A run is its number,
// counted from 1, or its name: run==2, run==baseline. inside(engine_s, dur, 1, 2, 3, 2, 3, 5): the point of two fields lies
// within the corners x, y, x, y ... (even-odd). =~ is "contains", where * stands for any text; regular expressions, which can
// take forever, are not supported. ! binds strongest, then &&, then ||. A value that the log does not state fulfils no relation,
// not even !=. Every request fulfils an empty expression. Cost of apply (600,000 requests, -O1): 5 ns per request and relation of
// a column, 20 ns for a field of RolloutRequest (a cache miss), 90 ns for ids; other texts are compared once per distinct text.
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
  RequestField other = RequestField::dur;          ///< Inside: the field along y
  std::vector<std::pair<double, double>> corners;  ///< Inside: at least three
  Relation relation = Relation::Equal;
  double number = 0;
  std::string text;
  bool operator==(const FilterNode&) const = default;
};

/// In postfix order: operands before their operator. Empty: every request.
struct RequestFilter {
  std::vector<FilterNode> nodes;
  bool operator==(const RequestFilter&) const = default;
};

Result<RequestFilter> parse_filter(std::string_view text);
/// The canonical text: parentheses only where needed, and always after !. Parses to an equal filter.
std::string to_text(const RequestFilter& filter);

/// The same for a person: "dur >= 34.08 s && worker == 0", numbers rounded. Not meant to be parsed again.
std::string to_words(const RequestFilter& filter);
/// The same for an expression. If it cannot be parsed, it is returned as it is.
std::string filter_words(std::string_view expression);

/// The requests of `among` that fulfil it, in their order.
RequestSet apply(const Rollout& rollout, const RequestFilter& filter, const RequestSet& among);

/// "dur>=2.5s && dur<=10s": exactly these doubles. An infinite end is left out; if both are infinite: "".
std::string range_filter(std::string_view field, double least, double most);
/// "step==3", with several runs "run==2 && step==3": the requests of one of Rollout::steps.
std::string step_filter(const Rollout& rollout, std::uint32_t step);
/// Both, in parentheses if needed; if one is empty, the other alone.
std::string both_filters(std::string_view a, std::string_view b);

}  // namespace tv
