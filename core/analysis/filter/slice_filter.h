// Expressions over slices: dur > 2ms && name ~ "gemm" && stream == 7 && arg.bytes >= 1e6
//
//   name category lane      texts: == != ~ (contains, * stands for any text; =~ is the same). Compared without regard to
//                           case (ASCII). lane is the whole path, "rank 1 > GPU 0 > stream 7"
//   dur self begin end      times, with a unit (a bare number is seconds); begin and end since the trace's beginning.
//                           A slice that never ended has no dur, self or end
//   depth                   0 is outermost on its lane
//   stream thread gpu rank worker process pid tid     the number of what the lane belongs to, as its reader stored it
//                           (lane_owner.h). Names do not count. tid is the same as thread, pid as process
//   arg.KEY  arg."KEY"      the record's value, compared as a number or as a text, depending on the other side
//
// Comparisons are joined by && || ! and parentheses. An unknown value (the stream on a CPU lane, an arg that a record lacks)
// fulfils no relation, not even !=, as with requests. Args are not in memory: a first evaluation finds the slices whose result
// depends on args (Tri::Unknown), and only their records are read. Instants are slices of zero length. Cost: O(labels + lanes)
// per comparison of a text or lane, and 5 ns per slice and comparison.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/filter/expression_text.h"
#include "core/base/result.h"
#include "core/store/trace/trace.h"

namespace tv {

enum class SliceField : std::uint8_t {
  Name, Category, Lane, Duration, Self, Begin, End, Depth, Stream, Thread, Gpu, Rank, Worker, Process, Pid, Tid, Arg
};

struct SliceNode {
  enum class Kind : std::uint8_t { Compare, Not, And, Or } kind = Kind::Compare;
  SliceField field = SliceField::Name;
  std::string arg = {};  ///< for SliceField::Arg
  Relation relation = Relation::Equal;
  bool as_text = false;
  double number = 0;      ///< in seconds for times
  std::string text = {};  ///< in lower case
  bool operator==(const SliceNode&) const = default;
};

/// In postfix order. An empty filter fits every slice.
struct SliceFilter {
  std::vector<SliceNode> nodes;
  bool operator==(const SliceFilter&) const = default;
};

/// An error names the position, what was expected, and the field that was probably meant.
Result<SliceFilter> parse_slice_filter(std::string_view text);
/// The keys of the args that the filter compares, each once.
std::vector<std::string> args_of(const SliceFilter& filter);

/// The values of one key in the records of some slices. A slice that is not listed has no value.
struct ArgValues {
  std::string key;
  std::vector<SliceId> slices;         ///< rising
  std::vector<std::uint32_t> value;    ///< for each slice: index into `texts`
  std::vector<std::string> texts;      ///< each once; strings without quotes, everything else as JSON
  const std::string* of(SliceId slice) const;
};

enum class Tri : std::uint8_t { No, Yes, Unknown };
/// By slice. Without `args_known`, comparisons of args are Unknown, and so is every result that depends on them.
std::vector<Tri> evaluate(const Trace& trace, const SliceFilter& filter, std::span<const ArgValues> args,
                          bool args_known, std::stop_token stop = {});

}  // namespace tv
