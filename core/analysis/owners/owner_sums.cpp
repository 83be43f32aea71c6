#include "core/analysis/owners/owner_sums.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace tv {
namespace {

constexpr std::string_view kModuleWord = "nn.Module: ";

struct NodeSum {
  std::uint64_t count = 0;
  Ns own = 0, total = 0;  // total: with all nodes below
  SliceId longest = kNone<SliceId>, longest_below = kNone<SliceId>;
};

// Whether `a` is longer than `b`, or as long and earlier in the trace.
bool is_longer(const Trace& trace, SliceId a, SliceId b) {
  if (a == kNone<SliceId> || b == kNone<SliceId>) return b == kNone<SliceId> && a != b;
  const Ns length_a = trace.duration_of(a), length_b = trace.duration_of(b);
  return length_a != length_b ? length_a > length_b : a < b;
}

void keep_longer(const Trace& trace, SliceId& longest, SliceId other) {
  if (is_longer(trace, other, longest)) longest = other;
}

std::vector<NodeSum> sums_of_nodes(const GpuActivity& activity, const OwnerPaths& paths) {
  const Trace& trace = *activity.trace;
  std::vector<NodeSum> sums(paths.nodes.size());
  for (const OwnedWork& work : paths.work) {
    NodeSum& sum = sums[work.node];
    ++sum.count;
    sum.own += activity.counted(trace.range_of(work.work)).length();
    keep_longer(trace, sum.longest, work.work);
  }
  for (NodeSum& sum : sums) sum.total = sum.own, sum.longest_below = sum.longest;
  for (std::size_t n = sums.size(); n-- > 2;) {  // children come after their parents
    NodeSum& parent = sums[paths.nodes[n].parent];
    parent.total += sums[n].total;
    keep_longer(trace, parent.longest_below, sums[n].longest_below);
  }
  return sums;
}

std::optional<OwnerKind> kind_of(OwnerBy by) {
  switch (by) {
    case OwnerBy::Operator: return OwnerKind::Operator;
    case OwnerBy::Module: return OwnerKind::Module;
    case OwnerBy::Range: return OwnerKind::Range;
    case OwnerBy::Function: return OwnerKind::Function;
    default: return std::nullopt;  // of any kind
  }
}

std::string owner_name(const Trace& trace, const OwnerNode& node) {
  std::string_view name = trace.labels.name(node.label);
  if (node.kind == OwnerKind::Module) name.remove_prefix(kModuleWord.size());
  return std::string(name);
}

// Adds up nodes to rows. A row is a label, or, by path, a node.
class OwnerRows {
 public:
  OwnerRows(const Trace& trace, const OwnerPaths& paths, OwnerBy by) : trace_(trace), paths_(paths), by_(by), kind_(kind_of(by)) {}

  OwnerTimes times(const std::vector<NodeSum>& sums) {
    innermost_.assign(paths_.nodes.size(), OwnerPaths::kRoot);
    for (std::uint32_t n = 2; n < paths_.nodes.size(); ++n) innermost_[n] = owns(n) ? n : innermost_[paths_.nodes[n].parent];
    for (std::uint32_t n = 0; n < paths_.nodes.size(); ++n) add(n, sums[n]);
    for (auto& [key, row] : rows_) {
      if (row.count == 0 && row.total == 0) continue;
      out_.rows.push_back(std::move(row));
    }
    std::ranges::sort(out_.rows, [](const OwnerTime& a, const OwnerTime& b) {
      return std::tuple(-a.own, -a.total, a.why, std::string_view(a.name)) < std::tuple(-b.own, -b.total, b.why, std::string_view(b.name));
    });
    return std::move(out_);
  }

 private:
  bool owns(std::uint32_t n) const { return !kind_ || paths_.nodes[n].kind == *kind_; }

  // Two labels of one name and different categories are one owner.
  std::pair<std::uint32_t, std::string> key_of(std::uint32_t owner) const {
    if (by_ == OwnerBy::Path) return {owner, {}};
    return {0, owner_name(trace_, paths_.nodes[owner])};
  }

  OwnerTime& row_of(std::uint32_t owner) {
    const auto [found, is_new] = rows_.try_emplace(key_of(owner));
    if (is_new) found->second.name = by_ == OwnerBy::Path ? path_text(owner) : found->first.second;
    return found->second;
  }

  std::string path_text(std::uint32_t n) const {
    std::vector<std::string> names;
    for (; n > OwnerPaths::kUnknown; n = paths_.nodes[n].parent) names.push_back(owner_name(trace_, paths_.nodes[n]));
    std::string text;
    for (auto name = names.rbegin(); name != names.rend(); ++name) text += (text.empty() ? "" : " > ") + *name;
    return text;
  }

  // Whether an outer node is the same owner.
  bool is_within_itself(std::uint32_t n) const {
    const LabelId label = paths_.nodes[n].label;
    for (std::uint32_t outer = paths_.nodes[n].parent; outer > OwnerPaths::kUnknown; outer = paths_.nodes[outer].parent) {
      const OwnerNode& node = paths_.nodes[outer];
      if (node.kind == paths_.nodes[n].kind && (node.label == label || owner_name(trace_, node) == owner_name(trace_, paths_.nodes[n]))) return true;
    }
    return false;
  }

  void add(std::uint32_t n, const NodeSum& sum) {
    const std::uint32_t owner = innermost_[n];
    out_.count += sum.count;
    out_.all += sum.own;
    if (n == OwnerPaths::kUnknown) {
      add_own(rows_[{UINT32_MAX, "no launch"}], sum, false, NoOwner::NoLaunch);
    } else if (owner == OwnerPaths::kRoot) {
      add_own(rows_[{UINT32_MAX, "outside"}], sum, paths_.nodes[n].backward, NoOwner::Outside);
    } else {
      add_own(row_of(owner), sum, paths_.nodes[n].backward, NoOwner::Owned);
    }
    if (n <= OwnerPaths::kUnknown || !owns(n) || (by_ != OwnerBy::Path && is_within_itself(n))) return;
    OwnerTime& row = row_of(n);
    row.total += sum.total;
    if (row.count == 0) keep_longer(trace_, row.longest, sum.longest_below);
  }

  void add_own(OwnerTime& row, const NodeSum& sum, bool backward, NoOwner why) {
    row.why = why;
    if (sum.count == 0) return;
    if (row.count == 0) row.longest = sum.longest;
    else keep_longer(trace_, row.longest, sum.longest);
    row.count += sum.count;
    row.own += sum.own;
    if (backward) row.backward += sum.own;
    if (why != NoOwner::Owned) row.total += sum.own;
  }

  const Trace& trace_;
  const OwnerPaths& paths_;
  const OwnerBy by_;
  const std::optional<OwnerKind> kind_;
  std::vector<std::uint32_t> innermost_;  // by node: its innermost owner of the asked kind, or the root
  std::map<std::pair<std::uint32_t, std::string>, OwnerTime> rows_;
  OwnerTimes out_;
};

}  // namespace

std::string_view name(OwnerBy by) {
  constexpr std::array<std::string_view, kOwnerBys> kNames = {"operator", "module", "range", "function", "path"};
  return kNames[static_cast<std::size_t>(by)];
}

std::string_view meaning(OwnerBy by) {
  constexpr std::array<std::string_view, kOwnerBys> kMeanings = {"operator", "module (nn.Module)", "marked range", "Python function",
                                                                 "whole path"};
  return kMeanings[static_cast<std::size_t>(by)];
}

Ns OwnerTimes::owned() const {
  Ns sum = 0;
  for (const OwnerTime& row : rows) sum += row.why == NoOwner::Owned ? row.own : 0;
  return sum;
}

OwnerTimes owner_times(const GpuActivity& activity, const OwnerPaths& paths, OwnerBy by) {
  return OwnerRows(*activity.trace, paths, by).times(sums_of_nodes(activity, paths));
}

}  // namespace tv
