#include "core/store/trace/row_layout.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <unordered_map>

#include "core/base/radix_order.h"
#include "core/base/threads/parallel_sort.h"
#include "core/store/draft/event_batch.h"
#include "core/store/trace/nest_rows.h"

namespace tv {
namespace {

// The union of spans added in order of begin.
class Union {
 public:
  void add(Ns begin, Ns end) {
    const Ns from = std::max(begin, until_);
    if (end > from) length_ += end - from;
    until_ = std::max(until_, end);
  }
  Ns length() const { return length_; }

 private:
  Ns length_ = 0, until_ = std::numeric_limits<Ns>::min();
};

// Whether more than one in eight slices begins before its predecessor.
bool is_mixed(std::span<const Ns> begin) {
  std::size_t back = 0;
  for (std::size_t i = 1; i < begin.size(); ++i) back += begin[i] < begin[i - 1] ? 1 : 0;
  return back > begin.size() / 8;
}

// With equal begins, the longest slice comes first.
bool is_outer(const LaneItems& items, std::uint32_t a, std::uint32_t b) {
  if (items.duration[a] != items.duration[b] || items.ref.empty()) return items.duration[a] > items.duration[b];
  return items.ref[a].identity() < items.ref[b].identity();
}

void sort_mixed(const LaneItems& items, std::span<std::uint32_t> order, std::span<std::uint32_t> spare) {
  const auto least = static_cast<std::uint64_t>(*std::ranges::min_element(items.begin));
  radix_order(order, spare, [&](std::uint32_t item) { return static_cast<std::uint64_t>(items.begin[item]) - least; });
  for (auto at = order.begin(); at != order.end();) {
    const auto end = std::find_if(at + 1, order.end(), [&](std::uint32_t i) { return items.begin[i] != items.begin[*at]; });
    if (end - at > 1) std::stable_sort(at, end, [&](std::uint32_t a, std::uint32_t b) { return is_outer(items, a, b); });
    at = end;
  }
}

void sort_order(const LaneItems& items, Ns tolerance, std::span<std::uint32_t> order, std::span<std::uint32_t> spare,
                ThreadPool& pool, std::size_t least_part) {
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (items.begin[a] != items.begin[b]) return items.begin[a] < items.begin[b];
    return is_outer(items, a, b);
  };
  constexpr std::size_t kFewEnough = 1 << 18;  // their begins fit into the cache
  if (order.size() <= kFewEnough && is_mixed(items.begin)) {
    sort_mixed(items, order, spare);
  } else {
    parallel_sort(order, spare, before, pool, least_part);
  }
  if (tolerance == 0) return;
  // Begins may be computed, so a parent may seem to begin a few microseconds after its first child. It is moved before the child.
  for (std::size_t k = 1; k < order.size(); ++k) {
    for (std::size_t i = k; i > 0; --i) {
      const std::uint32_t later = order[i], earlier = order[i - 1];
      const Ns earlier_end = items.begin[earlier] + items.duration[earlier];
      const bool contains_but_for_slack = items.begin[later] - items.begin[earlier] <= kRoundingSlack &&
                                          items.begin[later] < earlier_end &&
                                          items.begin[later] + items.duration[later] > earlier_end;
      if (!contains_but_for_slack) break;
      std::swap(order[i], order[i - 1]);
    }
  }
}

// Numbers of blocks by group key. Usually a table suffices, because the keys of a lane are close together. If the file has many
// lanes, they need not be.
class BlockNumbers {
 public:
  BlockNumbers(const LaneItems& items, std::span<const std::uint32_t> order) {
    std::uint32_t least = kNoGroup, most = 0;
    for (const std::uint32_t item : order) {
      const std::uint32_t group = items.group[item];
      if (group == kNoGroup) continue;
      least = std::min(least, group);
      most = std::max(most, group);
    }
    if (least > most || most - least > 4 * order.size()) return;
    first_ = least;
    near_.assign(most - least + 1, kNoGroup);
  }
  /// The group's number; assigns `next` if it has none yet.
  std::uint32_t of(std::uint32_t group, std::uint32_t next) {
    if (near_.empty()) return far_.try_emplace(group, next).first->second;
    std::uint32_t& number = near_[group - first_];
    if (number == kNoGroup) number = next;
    return number;
  }

 private:
  std::uint32_t first_ = 0;
  std::vector<std::uint32_t> near_;
  std::unordered_map<std::uint32_t, std::uint32_t> far_;
};

// Blocks of equal group key, in begin order, and their slots.
struct Blocks {
  std::vector<std::uint32_t> slot;  // per block
  std::uint32_t slots = 0;
};

// `of_item`: receives the block of each item.
Blocks pack_blocks(const LaneItems& items, std::span<const std::uint32_t> order, std::span<std::uint32_t> of_item) {
  struct Extent {
    Ns begin, end;
  };
  Blocks blocks;
  std::vector<Extent> extents;
  std::optional<BlockNumbers> numbers;
  if (!items.group.empty()) numbers.emplace(items, order);
  for (const std::uint32_t item : order) {
    const Ns begin = items.begin[item], end = begin + items.duration[item];
    auto block = static_cast<std::uint32_t>(extents.size());
    if (numbers && items.group[item] != kNoGroup) block = numbers->of(items.group[item], block);
    if (block == extents.size()) extents.push_back({begin, end});
    extents[block].begin = std::min(extents[block].begin, begin);
    extents[block].end = std::max(extents[block].end, end);
    of_item[item] = block;
  }
  // First fit: the lowest free slot. Two heaps: slots in use by end, free slots by number.
  using Use = std::pair<Ns, std::uint32_t>;
  std::priority_queue<Use, std::vector<Use>, std::greater<>> in_use;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  std::vector<std::uint32_t> by_begin(extents.size());
  std::iota(by_begin.begin(), by_begin.end(), 0u);
  std::stable_sort(by_begin.begin(), by_begin.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return extents[a].begin < extents[b].begin; });
  blocks.slot.resize(extents.size());
  for (const std::uint32_t block : by_begin) {
    const Extent extent = extents[block];
    while (!in_use.empty() && in_use.top().first <= extent.begin) {
      free.push(in_use.top().second);
      in_use.pop();
    }
    std::uint32_t slot = blocks.slots;
    if (free.empty()) {
      ++blocks.slots;
    } else {
      slot = free.top();
      free.pop();
    }
    blocks.slot[block] = slot;
    // A zero-length block still takes its slot: the slot is free only after it.
    in_use.emplace(std::max(extent.end, extent.begin + 1), slot);
  }
  return blocks;
}

void add_overlaps(const LaneItems& items, const NestedRows& nested, RowLayout& out) {
  const auto begins_earlier = [&] { return items.begin[nested.first_overlap] < items.begin[out.first_overlap]; };
  if (nested.overlaps > 0 && (out.overlaps == 0 || begins_earlier())) out.first_overlap = nested.first_overlap;
  out.overlaps += nested.overlaps;
}

void lay_out_packed(const LaneItems& items, Ns tolerance, std::span<Ns> self, RowLayout& out) {
  const std::span<std::uint32_t> block_of = out.row.all();  // this memory holds blocks until the rows are known
  const Blocks blocks = pack_blocks(items, out.order.all(), block_of);
  Union busy;
  for (const std::uint32_t item : out.order) busy.add(items.begin[item], items.begin[item] + items.duration[item]);
  out.busy = busy.length();
  std::vector<std::uint32_t> count(blocks.slots + 1, 0);
  for (const std::uint32_t item : out.order) ++count[blocks.slot[block_of[item]] + 1];
  std::partial_sum(count.begin(), count.end(), count.begin());
  const std::span<std::uint32_t> by_slot = out.spare.all();
  std::vector<std::uint32_t> cursor(count.begin(), count.end() - 1);
  for (const std::uint32_t item : out.order) by_slot[cursor[blocks.slot[block_of[item]]]++] = item;
  for (std::uint32_t slot = 0; slot < blocks.slots; ++slot) {
    const auto part = by_slot.subspan(count[slot], count[slot + 1] - count[slot]);
    const auto first_row = static_cast<std::uint32_t>(out.rows.size());
    const NestedRows nested = nest_rows(items, tolerance, part, {first_row, out.row.all(), self});
    add_overlaps(items, nested, out);
    if (nested.complete) {
      for (std::uint32_t depth = 0; depth < nested.rows; ++depth) out.rows.push_back({slot, depth});
      continue;
    }
    // Too many overlaps within one block for nesting: every slice becomes its own block.
    LaneItems single{items.begin, items.duration, {}};
    const Blocks spread = pack_blocks(single, part, block_of);
    for (const std::uint32_t item : part) {
      out.row[item] = first_row + spread.slot[block_of[item]];
      self[item] = items.duration[item];
    }
    for (std::uint32_t depth = 0; depth < spread.slots; ++depth) out.rows.push_back({slot, depth});
  }
}

}  // namespace

void lay_out_rows(const LaneItems& items, RowRule rule, Ns nest_tolerance, std::span<Ns> self, RowLayout& out,
                  ThreadPool& pool, std::size_t least_part) {
  const std::size_t n = items.begin.size();
  out.order.resize(n);
  out.row.resize(n);
  out.spare.resize(n);
  out.rows.clear();
  out.overlaps = 0;
  out.first_overlap = UINT32_MAX;
  std::iota(out.order.begin(), out.order.end(), 0u);
  sort_order(items, nest_tolerance, out.order.all(), out.spare.all(), pool, least_part);
  if (rule == RowRule::Nest) {
    const NestedRows nested = nest_rows(items, nest_tolerance, out.order.all(), {0, out.row.all(), self}, pool, least_part);
    add_overlaps(items, nested, out);
    if (nested.complete) {
      out.busy = nested.busy;
      for (std::uint32_t depth = 0; depth < nested.rows; ++depth) out.rows.push_back({0, depth});
      return;
    }
    const LaneItems ungrouped{items.begin, items.duration, {}, items.ref};
    lay_out_packed(ungrouped, nest_tolerance, self, out);
    return;
  }
  lay_out_packed(items, nest_tolerance, self, out);
}

}  // namespace tv
