#include "core/analysis/owners/owner_sums.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
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

std::string_view owner_name(const Trace& trace, const OwnerNode& node) {
  std::string_view name = trace.labels.name(node.label);
  if (node.kind == OwnerKind::Module) name.remove_prefix(kModuleWord.size());
  return name;
}

// Adds up nodes to rows. A row is a label, or, by path, a node.
class OwnerRows {
 public:
  OwnerRows(const Trace& trace, const OwnerPaths& paths, OwnerBy by) : trace_(trace), paths_(paths), by_(by), kind_(kind_of(by)) {}

  OwnerTimes times(const std::vector<NodeSum>& sums) {
    innermost_.assign(paths_.nodes.size(), OwnerPaths::kRoot);
    for (std::uint32_t n = 2; n < paths_.nodes.size(); ++n) innermost_[n] = owns(n) ? n : innermost_[paths_.nodes[n].parent];
    for (std::uint32_t n = 0; n < paths_.nodes.size(); ++n) add(n, sums[n]);
    for (OwnerTime& row : rows_) {
      if (row.count > 0 || row.total > 0) out_.rows.push_back(std::move(row));
    }
    std::ranges::sort(out_.rows, [](const OwnerTime& a, const OwnerTime& b) {
      return std::tuple(-a.own, -a.total, a.why, a.node) < std::tuple(-b.own, -b.total, b.why, b.node);
    });
    return std::move(out_);
  }

 private:
  bool owns(std::uint32_t n) const { return !kind_ || paths_.nodes[n].kind == *kind_; }

  // Two labels of one name and different categories are one owner.
  bool is_same(std::uint32_t a, std::uint32_t b) const {
    return paths_.nodes[a].kind == paths_.nodes[b].kind && owner_name(trace_, paths_.nodes[a]) == owner_name(trace_, paths_.nodes[b]);
  }

  OwnerTime& row_of(std::uint32_t owner) {
    if (by_ == OwnerBy::Path) return row_at(row_of_path_.try_emplace(owner, rows_.size()).first->second, owner);
    return row_at(row_of_name_.try_emplace(owner_name(trace_, paths_.nodes[owner]), rows_.size()).first->second, owner);
  }
  OwnerTime& row_without(NoOwner why) {
    OwnerTime& row = row_at(row_without_.try_emplace(why, rows_.size()).first->second, OwnerPaths::kRoot);
    row.why = why;
    return row;
  }
  OwnerTime& row_at(std::size_t row, std::uint32_t owner) {
    if (row == rows_.size()) rows_.emplace_back().node = owner;
    return rows_[row];
  }

  // Whether an outer node is the same owner.
  bool is_within_itself(std::uint32_t n) const {
    for (std::uint32_t outer = paths_.nodes[n].parent; outer > OwnerPaths::kUnknown; outer = paths_.nodes[outer].parent) {
      if (is_same(n, outer)) return true;
    }
    return false;
  }

  void add(std::uint32_t n, const NodeSum& sum) {
    const std::uint32_t owner = innermost_[n];
    out_.count += sum.count;
    out_.all += sum.own;
    if (n == OwnerPaths::kUnknown) {
      add_own(row_without(NoOwner::NoLaunch), sum, false);
    } else if (owner == OwnerPaths::kRoot) {
      add_own(row_without(NoOwner::Outside), sum, paths_.nodes[n].backward);
    } else {
      add_own(row_of(owner), sum, paths_.nodes[n].backward);
    }
    if (n <= OwnerPaths::kUnknown || !owns(n) || (by_ != OwnerBy::Path && is_within_itself(n))) return;
    OwnerTime& row = row_of(n);
    row.total += sum.total;
    if (row.count == 0) keep_longer(trace_, row.longest, sum.longest_below);
  }

  void add_own(OwnerTime& row, const NodeSum& sum, bool backward) {
    if (sum.count == 0) return;
    if (row.count == 0) row.longest = sum.longest;
    else keep_longer(trace_, row.longest, sum.longest);
    row.count += sum.count;
    row.own += sum.own;
    if (backward) row.backward += sum.own;
    if (row.why != NoOwner::Owned) row.total += sum.own;
  }

  const Trace& trace_;
  const OwnerPaths& paths_;
  const OwnerBy by_;
  const std::optional<OwnerKind> kind_;
  std::vector<std::uint32_t> innermost_;  // by node: its innermost owner of the asked kind, or the root
  std::vector<OwnerTime> rows_;
  std::unordered_map<std::uint32_t, std::size_t> row_of_path_;
  std::unordered_map<std::string_view, std::size_t> row_of_name_;
  std::map<NoOwner, std::size_t> row_without_;
  OwnerTimes out_;
};

}  // namespace

std::string_view name(OwnerBy by) {
  constexpr std::array<std::string_view, kOwnerBys> kNames = {"operator", "module", "range", "function", "path"};
  return kNames[static_cast<std::size_t>(by)];
}

std::string_view meaning(OwnerBy by) {
  constexpr std::array<std::string_view, kOwnerBys> kMeanings = {"operator", "module (nn.Module)", "marked range", "function",
                                                                 "whole path"};
  return kMeanings[static_cast<std::size_t>(by)];
}

std::string name_of(const Trace& trace, const OwnerPaths& paths, const OwnerTime& row, OwnerBy by) {
  if (by != OwnerBy::Path) return std::string(owner_name(trace, paths.nodes[row.node]));
  std::vector<std::string_view> names;
  for (std::uint32_t n = row.node; n > OwnerPaths::kUnknown; n = paths.nodes[n].parent) names.push_back(owner_name(trace, paths.nodes[n]));
  std::string text;
  for (auto name = names.rbegin(); name != names.rend(); ++name) (text += text.empty() ? "" : " > ") += *name;
  return text;
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
