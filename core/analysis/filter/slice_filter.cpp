#include "core/analysis/filter/slice_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/analysis/filter/expression_grammar.h"
#include "core/base/text/ascii.h"
#include "core/base/text/nearest_word.h"

namespace tv {
namespace {

enum class FieldKind : std::uint8_t { Text, Time, Number };

struct SliceFieldInfo {
  SliceField field;
  std::string_view name;
  FieldKind kind;
};

constexpr std::array<SliceFieldInfo, 16> kSliceFields = {{
    {SliceField::Name, "name", FieldKind::Text},       {SliceField::Category, "category", FieldKind::Text},
    {SliceField::Lane, "lane", FieldKind::Text},       {SliceField::Duration, "dur", FieldKind::Time},
    {SliceField::Self, "self", FieldKind::Time},       {SliceField::Begin, "begin", FieldKind::Time},
    {SliceField::End, "end", FieldKind::Time},         {SliceField::Depth, "depth", FieldKind::Number},
    {SliceField::Stream, "stream", FieldKind::Number}, {SliceField::Thread, "thread", FieldKind::Number},
    {SliceField::Gpu, "gpu", FieldKind::Number},       {SliceField::Rank, "rank", FieldKind::Number},
    {SliceField::Worker, "worker", FieldKind::Number}, {SliceField::Process, "process", FieldKind::Number},
    {SliceField::Pid, "pid", FieldKind::Number},       {SliceField::Tid, "tid", FieldKind::Number},
}};
constexpr std::string_view kArgDot = "arg.";

const SliceFieldInfo& info_of(SliceField field) { return kSliceFields[static_cast<std::size_t>(field)]; }

class SliceComparisons {
 public:
  SliceFilter filter;

  std::optional<Error> comparison(ExpressionText& text) {
    SliceNode node;
    const std::size_t begin = text.position();
    std::string_view word = text.word();
    if (word == kArgDot || (word.starts_with(kArgDot) && word.size() > kArgDot.size())) {
      node.field = SliceField::Arg;
      if (word.size() > kArgDot.size()) {
        node.arg = word.substr(kArgDot.size());
      } else {
        auto key = text.text_value();
        if (!key) return key.error();
        node.arg = std::move(*key);
      }
    } else {
      const auto found = std::ranges::find(kSliceFields, word, &SliceFieldInfo::name);
      if (found == kSliceFields.end()) return no_column(text, word, begin);
      node.field = found->field;
    }
    const std::size_t operator_at = text.position();
    const auto relation = text.relation();
    const bool is_arg = node.field == SliceField::Arg;
    const FieldKind kind = is_arg ? FieldKind::Text : info_of(node.field).kind;
    node.as_text = kind == FieldKind::Text;
    if (is_arg && relation && *relation != Relation::Like) node.as_text = !number_comes(text);
    const bool fits = relation && (node.as_text ? *relation >= Relation::Equal
                                                : *relation != Relation::Like);
    if (!fits) {
      return text.expected(is_arg          ? "< <= > >= == != with a number, or == != ~ with a string"
                           : node.as_text ? "== != or ~"
                                          : "< <= > >= == or !=",
                           operator_at);
    }
    node.relation = *relation;
    if (node.as_text) {
      auto value = text.text_value();
      if (!value) return value.error();
      node.text = lower_case(*value);
    } else {
      const auto value = text.number(kind == FieldKind::Time ? "s" : "");
      if (!value) return value.error();
      node.number = value.value();
    }
    filter.nodes.push_back(std::move(node));
    return {};
  }
  void join(Junction junction) {
    SliceNode node;
    node.kind = junction == Junction::Not ? SliceNode::Kind::Not
                : junction == Junction::And ? SliceNode::Kind::And : SliceNode::Kind::Or;
    filter.nodes.push_back(std::move(node));
  }

 private:
  static bool number_comes(const ExpressionText& text) {
    ExpressionText ahead = text;
    return static_cast<bool>(ahead.number(""));
  }

  static Error no_column(const ExpressionText& text, std::string_view word, std::size_t at) {
    std::vector<std::string> known;
    std::string all;
    for (const SliceFieldInfo& field : kSliceFields) {
      known.emplace_back(field.name);
      all += std::string(field.name) + " ";
    }
    Error error = text.expected(word.empty() ? "a column, ! or (" : "a column", at);
    const std::string meant = word.empty() ? std::string() : nearest_word(lower_case(word), known);
    if (!meant.empty()) error.message += fmt::format("; did you mean \"{}\"?", meant);
    error.remedy = "columns: " + all + "arg.KEY";
    return error;
  }
};

bool holds_text(std::string_view text, const SliceNode& node) {
  if (text.empty()) return false;  // unknown
  const std::string lowered = lower_case(text);
  if (node.relation != Relation::Like) return (lowered == node.text) == (node.relation == Relation::Equal);
  std::string_view rest = lowered, pattern = node.text;
  while (true) {
    const std::size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    const std::size_t found = rest.find(part);
    if (found == std::string_view::npos) return false;
    if (star == std::string_view::npos) return true;
    rest.remove_prefix(found + part.size());
    pattern.remove_prefix(star + 1);
  }
}

std::optional<std::int64_t> owner_number(const LaneOwner& owner, SliceField field) {
  switch (field) {
    case SliceField::Stream: return owner.stream;
    case SliceField::Thread:
    case SliceField::Tid: return owner.thread;
    case SliceField::Gpu: return gpu_number(owner);
    case SliceField::Rank: return owner.rank;
    case SliceField::Worker: return owner.worker;
    case SliceField::Process:
    case SliceField::Pid: return owner.pid;
    default: return std::nullopt;
  }
}

// A lane lies on the innermost thread, GPU or stream around it. The process, rank or worker is the outermost one: a thread may be
// called "rank 5".
std::optional<std::int64_t> lane_number(const Trace& trace, LaneId lane, SliceField field) {
  const bool is_outermost = field >= SliceField::Rank && field <= SliceField::Pid;
  std::optional<std::int64_t> number;
  for (LaneId part = lane; part != kNone<LaneId> && (!number || is_outermost); part = trace.lane(part).parent) {
    if (const auto own = owner_number(trace.lane(part).owner, field)) number = own;
  }
  return number;
}

bool is_of_lane(SliceField field) {
  return field == SliceField::Lane || (field >= SliceField::Stream && field <= SliceField::Tid);
}

bool holds_on_lane(const Trace& trace, LaneId lane, const SliceNode& node) {
  if (node.field == SliceField::Lane) {
    std::string full_path;
    for (const std::string& part : trace.path_of(lane)) full_path += (full_path.empty() ? "" : " > ") + part;
    return holds_text(full_path, node);
  }
  const auto number = lane_number(trace, lane, node.field);
  return number && compare(static_cast<double>(*number), node.relation, node.number);
}

bool holds_for_arg(const ArgValues& values, std::size_t text, const SliceNode& node) {
  const std::string& value = values.texts[text];
  if (node.as_text) return holds_text(value, node);
  const auto number = whole_decimal(value);
  return number && compare(*number, node.relation, node.number);
}

using Truths = std::vector<Tri>;  // by slice

class SliceEvaluation {
 public:
  SliceEvaluation(const Trace& trace, std::span<const ArgValues> args, bool args_known)
      : trace_(trace), args_(args), args_known_(args_known) {}

  Truths of(const SliceNode& node) const {
    const std::size_t slices = trace_.items();
    if (node.field == SliceField::Arg) return of_arg(node);
    Truths out(slices, Tri::No);
    if (node.field == SliceField::Name || node.field == SliceField::Category) {
      std::vector<Tri> by_label(trace_.labels.size());
      for (std::size_t l = 0; l < by_label.size(); ++l) {
        const auto label = id_at<LabelId>(l);
        const bool by_name = node.field == SliceField::Name;
        by_label[l] = tri(holds_text(by_name ? trace_.labels.name(label) : trace_.labels.category(label), node));
      }
      for (const SliceId slice : trace_.ids()) out[idx(slice)] = by_label[idx(trace_.label_of(slice))];
      return out;
    }
    for (std::size_t l = 0; l < trace_.lanes.size(); ++l) {
      const bool of_lane = is_of_lane(node.field);
      const Tri on_lane = of_lane ? tri(holds_on_lane(trace_, id_at<LaneId>(l), node)) : Tri::No;
      if (of_lane && on_lane == Tri::No) continue;
      for (const Row& row : trace_.rows_of(trace_.lanes[l])) {
        const std::uint32_t depth = row.kind == RowKind::Slices ? row.depth : 0;
        for (const SliceId slice : trace_.ids_of(row)) {
          out[idx(slice)] = of_lane ? on_lane
                            : node.field == SliceField::Depth
                                ? tri(compare(static_cast<double>(depth), node.relation, node.number))
                                : tri(compare(time(slice, node.field), node.relation, node.number));
        }
      }
    }
    return out;
  }

 private:
  static Tri tri(bool yes) { return yes ? Tri::Yes : Tri::No; }

  double time(SliceId slice, SliceField field) const {
    const bool unfinished = trace_.ref_of(slice).is(kUnfinished);
    switch (field) {
      case SliceField::Begin:
        return to_seconds(trace_.begin_of(slice));
      case SliceField::End:
        return unfinished ? std::nan("") : to_seconds(trace_.end_of(slice));
      case SliceField::Self:
        return unfinished ? std::nan("") : to_seconds(trace_.self_of(slice));
      default:
        return unfinished ? std::nan("") : to_seconds(trace_.duration_of(slice));
    }
  }

  Truths of_arg(const SliceNode& node) const {
    Truths out(trace_.items(), args_known_ ? Tri::No : Tri::Unknown);
    const auto values = std::ranges::find(args_, node.arg, &ArgValues::key);
    if (!args_known_ || values == args_.end()) return out;
    std::vector<Tri> by_text;
    for (std::size_t t = 0; t < values->texts.size(); ++t) by_text.push_back(tri(holds_for_arg(*values, t, node)));
    for (std::size_t v = 0; v < values->slices.size(); ++v) out[idx(values->slices[v])] = by_text[values->value[v]];
    return out;
  }

  const Trace& trace_;
  std::span<const ArgValues> args_;
  bool args_known_;
};

Tri and_of(Tri a, Tri b) {
  if (a == Tri::No || b == Tri::No) return Tri::No;
  return a == Tri::Yes && b == Tri::Yes ? Tri::Yes : Tri::Unknown;
}
Tri not_of(Tri a) { return a == Tri::Unknown ? a : a == Tri::Yes ? Tri::No : Tri::Yes; }

}  // namespace

const std::string* ArgValues::of(SliceId slice) const {
  const auto found = std::ranges::lower_bound(slices, slice);
  if (found == slices.end() || *found != slice) return nullptr;
  return &texts[value[static_cast<std::size_t>(found - slices.begin())]];
}

Result<SliceFilter> parse_slice_filter(std::string_view text) {
  if (text.size() > kLongestExpression) return Error{"the filter is longer than 64 KiB", {}, {}, {}};
  SliceComparisons comparisons;
  if (auto failed = ExpressionGrammar(text, comparisons).run()) return *failed;
  return std::move(comparisons.filter);
}

std::vector<std::string> args_of(const SliceFilter& filter) {
  std::vector<std::string> out;
  for (const SliceNode& node : filter.nodes) {
    if (node.kind == SliceNode::Kind::Compare && node.field == SliceField::Arg &&
        std::ranges::find(out, node.arg) == out.end()) {
      out.push_back(node.arg);
    }
  }
  return out;
}

std::vector<Tri> evaluate(const Trace& trace, const SliceFilter& filter, std::span<const ArgValues> args,
                          bool args_known, std::stop_token stop) {
  if (filter.nodes.empty()) return Truths(trace.items(), Tri::Yes);
  const SliceEvaluation evaluation(trace, args, args_known);
  std::vector<Truths> stack;
  for (const SliceNode& node : filter.nodes) {
    if (stop.stop_requested()) break;
    if (node.kind == SliceNode::Kind::Compare) {
      stack.push_back(evaluation.of(node));
      continue;
    }
    Truths& last = stack.back();
    if (node.kind == SliceNode::Kind::Not) {
      for (Tri& one : last) one = not_of(one);
      continue;
    }
    Truths& before = stack[stack.size() - 2];
    for (std::size_t i = 0; i < last.size(); ++i) {
      before[i] = node.kind == SliceNode::Kind::And ? and_of(before[i], last[i])
                                                    : not_of(and_of(not_of(before[i]), not_of(last[i])));
    }
    stack.pop_back();
  }
  return stack.empty() ? Truths(trace.items(), Tri::No) : std::move(stack.back());
}

}  // namespace tv
