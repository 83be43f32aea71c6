// Texts that users type to choose, filter, go somewhere or compare. Each text is tried in all of these languages: the parser ends,
// says why it does not understand, and what it understood survives writing and parsing.
#include <cmath>
#include <string>

#include "core/analysis/filter/fail_if.h"
#include "core/analysis/filter/request_filter.h"
#include "core/analysis/filter/slice_filter.h"
#include "core/analysis/gpu/stats_grouping.h"
#include "core/analysis/run/run_data.h"
#include "core/base/names/natural_less.h"
#include "core/base/text/decimal_ns.h"
#include "core/base/text/iso_time.h"
#include "core/base/text/wildcard.h"
#include "core/query/lane_filter.h"
#include "core/query/name_pattern.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/draft/load_part.h"
#include "core/view/menus/fuzzy_match.h"
#include "core/view/menus/go_to.h"
#include "core/view/table/table_filter.h"
#include "tests/fuzz/reader_fuzz.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr std::size_t kLongestTyped = 4096;

// A GPU's stream, a thread, and a lane with a very long name.
const std::shared_ptr<const Trace>& typed_about() {
  static const std::shared_ptr<const Trace> trace = [] {
    TraceSketch sketch;
    for (const auto& path :
         {std::vector<LaneSegment>{{"rank 0"}, {"GPU 1"}, {"stream 7"}},
          std::vector<LaneSegment>{{"rank 12"}, {"thread 3"}}, std::vector<LaneSegment>{{std::string(2000, 'a')}}}) {
      LaneSpec spec;
      spec.path = path;
      const std::string track = path.back().name;
      sketch.lane(track, spec)
          .slice(track, 10, 1000, "gemm")
          .slice(track, 2000, 3, "nccl AllReduce")
          .instant(track, 2500);
    }
    return sketch.build();
  }();
  return trace;
}

template <class T>
bool understood(const Result<T>& result) {
  if (!result.ok() && result.error().message.empty()) fail("refused without a message");
  return result.ok();
}

void check_filters(const std::string& text) {
  const Trace& trace = *typed_about();
  if (const auto filter = parse_filter(text); understood(filter)) {
    const std::string again = to_text(filter.value());
    const auto parsed = parse_filter(again);
    if (!parsed.ok() || !(parsed.value() == filter.value())) fail("a filter of requests does not come back", again);
    static_cast<void>(to_words(filter.value()));
  }
  if (const auto filter = parse_slice_filter(text); understood(filter)) {
    if (evaluate(trace, filter.value(), {}, false).size() != trace.slices.size()) fail("not one answer for each slice");
    evaluate(trace, filter.value(), {}, true);
  }
  if (const auto rule = parse_fail_if(text); understood(rule)) {
    const FailVerdict verdict = evaluate(Rollout(), rule.value(), {});
    if (verdict.text.empty()) fail("a rule without a verdict");
  }
  if (const auto lanes = chosen_lanes(trace, text); understood(lanes)) {
    if (lanes.value().lanes.size() != trace.lanes.size()) fail("not one answer for each lane");
  }
  for (const bool regex : {false, true}) {
    const auto pattern = NamePattern::of({text, false, regex});
    if (understood(pattern)) pattern.value().matches("void gemm<float>(int, \xe4\xb8\xad)");
    if (understood(pattern) && !regex && !text.empty() && !pattern.value().matches("x" + text + "y"))
      fail("a name is not found in itself");
  }
  static const std::vector<TableColumn> columns = {{"name", "name", {}},
                                                   {"total", "self time", {}, ColumnKind::Time, "ns"},
                                                   {"count", "count", {}, ColumnKind::Number},
                                                   {"share", "share", {}, ColumnKind::Share},
                                                   {"dur", "dur", {}, ColumnKind::Number, "s"}};
  static_cast<void>(understood(parse_table_filter(text, columns)));
  if (const auto grouping = parse_grouping(text); grouping && parse_grouping(text_of(*grouping)) != grouping)
    fail("a grouping does not come back");
}

// Callers may negate a time, or take its absolute value.
void check_length(std::optional<Ns> time) {
  if (time == INT64_MIN) fail("a time that cannot be negated");
}

void check_times(const std::string& text) {
  check_length(decimal_time(text));
  iso_time_ns(text);
  names_zone(text);
  LogTime().ns(text);
  static_cast<void>(clock_time(text));
  static_cast<void>(dated_time(text));
  if (const auto range = parse_range(text); understood(range) && range.value().empty())
    fail("a range without a length");
  if (const auto offset = parse_clock_offset(text); understood(offset)) {
    const Ns ns = offset.value().offset;
    if (ns > kLongestClockOffset || ns < -kLongestClockOffset) fail("a clock too far off");
    const auto again = parse_clock_offset(format_clock_offset(offset.value()));
    if (!again.ok() || !(again.value() == offset.value())) fail("a clock's offset does not come back");
    matches_path_end(offset.value().pattern, text);
  }
  if (const auto ranks = parse_ranks(text); understood(ranks)) {
    const auto again = parse_ranks(ranks_text(ranks.value()));
    if (!again.ok() || !(again.value() == ranks.value())) fail("ranks do not come back", ranks_text(ranks.value()));
  }
  static_cast<void>(understood(parse_devices(text)));
  static_cast<void>(understood(parse_roles(text)));
  static const RunData data = analyse_run(typed_about(), test_pool());
  for (const TimeFormat format : {TimeFormat::SinceBegin, TimeFormat::WallClock}) {
    const auto place = find_place(*typed_about(), data, time_style(*typed_about(), format, nullptr), text);
    if (understood(place) && place.value().time) static_cast<void>(time_sentence({}, *place.value().time, 1));
  }
}

void check_comparisons(const std::string& text) {
  const std::size_t half = text.size() / 2;
  const std::string_view a = std::string_view(text).substr(0, half), b = std::string_view(text).substr(half);
  const auto sign = [](int n) { return (n > 0) - (n < 0); };
  if (sign(natural_compare(a, b)) != -sign(natural_compare(b, a))) fail("an order that depends on which text comes first");
  if ((natural_compare(a, b) == 0) != (a == b)) fail("different texts compare as equal, or equal ones do not");
  if (!matches_wildcard("*" + std::string(b), text) && b.find_first_of("*?") == b.npos)
    fail("a text does not match * and its own end");
  matches_wildcard(a, b);
  const auto match = fuzzy_match(a, b);
  if (match && !std::ranges::is_sorted(match->letters)) fail("the letters that matched are not in order");
  if (match && !match->letters.empty() && match->letters.back() >= b.size()) fail("a letter behind the end of the text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), std::min(size, kLongestTyped));
  check_filters(text);
  check_times(text);
  check_comparisons(text);
  return 0;
}
