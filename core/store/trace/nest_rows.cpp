#include "core/store/trace/nest_rows.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace tv {
namespace {

constexpr std::uint32_t kOfThisPart = UINT32_MAX;
constexpr Ns kLongAgo = std::numeric_limits<Ns>::min();
constexpr Ns kMuchLonger = 2;                 // factor
constexpr Ns kBeyondPart = 16;                 // at most a sixteenth of a slice may lie beyond the one above it
constexpr std::ptrdiff_t kMostToStepAside = 64;  // a call with more slices inside is not moved
// Flag of row numbers that count from below the stack, whose depth is only known at the end.
constexpr std::uint32_t kAside = std::uint32_t{1} << 31;

struct Open {
  Ns begin, end;
  Ns covered_until;  // children cover [begin, covered_until), possibly with gaps
  std::uint32_t item, row;
  std::uint32_t earlier = kOfThisPart;  // index of a slice of an earlier part among those open at this part's begin
};

// A slice is over at its end, but one of zero length stays open until time moves on.
bool over(Ns begin, Ns end, Ns now) { return end < now || (end == now && begin < now); }

// Whether both states place later slices equally: those that begin at `now` or after it.
bool same(const std::vector<Open>& a, const std::vector<Open>& b, Ns now) {
  return std::ranges::equal(a, b, [&](const Open& x, const Open& y) {
    return x.item == y.item && x.row == y.row && std::max(x.covered_until, now) == std::max(y.covered_until, now);
  });
}

class NestSweep {
 public:
  NestSweep(const LaneItems& items, Ns tolerance, const NestInto& into) : items_(items), tolerance_(tolerance), into_(into) {}

  /// The slices left open before the first one, and the latest end of all earlier slices.
  void begin_with(std::vector<Open> open, Ns latest_end) {
    open_ = std::move(open);
    latest_end_ = latest_end;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      Open& earlier = open_[i];
      earlier.earlier = static_cast<std::uint32_t>(i);
      Rows& rows = (earlier.row & kAside) != 0 ? aside_ : stack_;
      const std::uint32_t row = earlier.row & ~kAside;
      if (row >= rows.size()) rows.resize(row + 1, {kLongAgo, kLongAgo});
      rows[row] = {earlier.begin, earlier.end};
      earlier_items_.push_back(earlier.item);
    }
    covered_of_earlier_.assign(open_.size(), 0);
  }

  void run(std::span<const std::uint32_t> order) {
    order_ = order.data();
    for (const std::uint32_t& item : order) {
      now_ = &item;
      const Ns begin = items_.begin[item], end = begin + items_.duration[item];
      if (end > latest_end_) out_.busy += end - std::max(begin, latest_end_);
      latest_end_ = std::max(latest_end_, end);
      if (!place(item)) {
        out_.complete = false;
        return;
      }
    }
  }

  std::vector<Open> open_at(Ns now) const {
    std::vector<Open> out = open_;
    std::erase_if(out, [&](const Open& o) { return over(o.begin, o.end, now); });
    return out;
  }

  /// To be called when all parts are done. Subtracts from the self times of earlier slices what this part's slices cover of them.
  void settle() const {
    for (std::size_t i = 0; i < earlier_items_.size(); ++i) into_.self[earlier_items_[i]] -= covered_of_earlier_[i];
  }

  NestedRows result() const {
    NestedRows out = out_;
    out.stepped_aside = stepped_aside_;
    out.rows = static_cast<std::uint32_t>(stack_.size());
    out.rows_aside = static_cast<std::uint32_t>(aside_.size());
    return out;
  }

 private:
  using Rows = std::vector<std::pair<Ns, Ns>>;  // per row: begin and end of its last slice

  static bool is_free(const Rows& rows, std::size_t row, Ns now) {
    return row >= rows.size() || over(rows[row].first, rows[row].second, now);
  }
  // Whether the row's last slice ends at most a rounding error after the next one begins: then they follow each other.
  static bool follows(const Rows& rows, std::size_t row, Ns begin, Ns end) {
    const auto [first, last_end] = rows[row];
    return first < begin && last_end < end && last_end - begin <= kRoundingSlack;
  }
  // The first free row from `row` on.
  static std::uint32_t free_row(const Rows& rows, std::uint32_t row, Ns now) {
    while (!is_free(rows, row, now)) ++row;
    return row;
  }
  static void occupy(Rows& rows, std::uint32_t row, Ns begin, Ns end) {
    if (row >= rows.size()) rows.resize(row + 1, {kLongAgo, kLongAgo});
    rows[row] = {begin, end};
  }

  // False if too many overlap.
  bool place(std::uint32_t item) {
    const Ns begin = items_.begin[item], end = begin + items_.duration[item];
    while (!open_.empty() && over(open_.back().begin, open_.back().end, begin)) open_.pop_back();
    Open* parent = nullptr;       // contains the slice
    const Open* above = nullptr;  // the slice of the stack right below which this one is placed; it may end a little earlier
    bool overlaps = false;
    for (std::size_t i = open_.size(); i-- > 0 && (!above || !parent);) {
      Open& candidate = open_[i];
      if (over(candidate.begin, candidate.end, begin)) continue;
      const bool in_stack = (candidate.row & kAside) == 0;
      if (candidate.end + tolerance_ < end) {
        overlaps = overlaps || !parent;
        if (!above && in_stack && tolerance_ == 0 && end - candidate.end <= (end - begin) / kBeyondPart) above = &candidate;
        continue;
      }
      if (!parent) parent = &candidate;
      if (!above && in_stack) above = &candidate;
    }
    if (overlaps) {
      if (open_.size() > kMaxOpen) {
        const auto compacted = std::erase_if(open_, [&](const Open& o) { return over(o.begin, o.end, begin); });
        if (compacted > 0) return place(item);  // pointers into open_ are stale: search again
      }
      if (out_.overlaps++ == 0) out_.first_overlap = item;
      if (open_.size() > kMaxOpen) return false;
    }
    std::uint32_t row = above ? above->row + 1 : 0;
    // With a tolerance, a late end is no overlap, so the row below may still be occupied.
    while (tolerance_ > 0 && !is_free(stack_, row, begin) && !follows(stack_, row, begin, end)) ++row;
    if (tolerance_ > 0 || is_free(stack_, row, begin) || steps_aside(row, begin, end)) {
      occupy(stack_, row, begin, end);
    } else {
      if (!out_.complete) return false;
      row = free_row(aside_, 0, begin);
      occupy(aside_, row, begin, end);
      row |= kAside;
    }
    if (parent) cover(*parent, begin, end);
    into_.row[item] = row;
    into_.self[item] = items_.duration[item];
    open_.push_back({begin, end, begin, item, row});
    return true;
  }

  // Makes room for a much longer slice: moves the call that is open on the row, and all calls inside it, to rows aside.
  bool steps_aside(std::uint32_t row, Ns begin, Ns end) {
    const auto call = std::ranges::find_if(open_, [&](const Open& o) { return o.row == row && !over(o.begin, o.end, begin); });
    if (call == open_.end() || end - begin < kMuchLonger * (call->end - call->begin)) return false;
    if (call->earlier != kOfThisPart) {
      out_.complete = false;  // a part must not change rows of another part: the whole lane must be swept at once
      return false;
    }
    const std::uint32_t* first = now_;
    const std::uint32_t* const limit = now_ - std::min(now_ - order_, kMostToStepAside);
    while (first > limit && *first != call->item) --first;
    if (*first != call->item) return false;
    std::uint32_t rows = 1;
    const auto is_in_stack = [&](std::uint32_t item) { return (into_.row[item] & kAside) == 0; };
    for (const std::uint32_t* item = first; item != now_; ++item) {
      if (is_in_stack(*item)) rows = std::max(rows, into_.row[*item] - row + 1);
    }
    const auto has_room = [&](std::uint32_t at) {
      for (std::uint32_t r = 0; r < rows; ++r) {
        if (!is_free(aside_, at + r, call->begin)) return false;
      }
      return true;
    };
    std::uint32_t to = 0;
    while (!has_room(to)) ++to;
    for (const std::uint32_t* item = first; item != now_; ++item) {
      if (!is_in_stack(*item)) continue;
      const std::uint32_t aside = to + into_.row[*item] - row;
      occupy(aside_, aside, items_.begin[*item], items_.begin[*item] + items_.duration[*item]);
      into_.row[*item] = aside | kAside;
    }
    for (Open& open : open_) {
      if (open.earlier == kOfThisPart) open.row = into_.row[open.item];
    }
    for (std::size_t r = row; r < stack_.size(); ++r) stack_[r] = {kLongAgo, kLongAgo};
    stepped_aside_ = true;
    return true;
  }

  void cover(Open& parent, Ns begin, Ns end) {
    const Ns from = std::max(begin, parent.covered_until), to = std::min(end, parent.end);
    if (to <= from) return;
    Ns& rest = parent.earlier == kOfThisPart ? into_.self[parent.item] : covered_of_earlier_[parent.earlier];
    rest += parent.earlier == kOfThisPart ? from - to : to - from;
    parent.covered_until = to;
  }

  const LaneItems& items_;
  const Ns tolerance_;
  const NestInto& into_;
  NestedRows out_;
  Ns latest_end_ = kLongAgo;
  const std::uint32_t* order_ = nullptr;        // begin of the sweep
  const std::uint32_t* now_ = nullptr;          // its current position
  bool stepped_aside_ = false;
  std::vector<Open> open_;                      // by begin
  Rows stack_, aside_;
  std::vector<std::uint32_t> earlier_items_;    // open at the begin of the sweep
  std::vector<Ns> covered_of_earlier_;          // by index into earlier_items_
};

// The state at the end of a part, as far as it is known without sweeping it.
struct Left {
  std::vector<std::uint32_t> open;  // at the begin of the next part
  Ns latest_end = kLongAgo;
};

Left left_by(const LaneItems& items, std::span<const std::uint32_t> part, Ns next_begin) {
  Left out;
  for (const std::uint32_t item : part) {
    const Ns begin = items.begin[item], end = begin + items.duration[item];
    out.latest_end = std::max(out.latest_end, end);
    if (!over(begin, end, next_begin) && out.open.size() <= kMaxOpen) out.open.push_back(item);
  }
  return out;
}

// The state with these slices open, if each lies within the previous one.
std::vector<Open> as_if_nested(const LaneItems& items, const std::vector<std::uint32_t>& open) {
  std::vector<Open> out;
  for (const std::uint32_t item : open) {
    const Ns begin = items.begin[item], end = begin + items.duration[item];
    if (!out.empty()) out.back().covered_until = std::min(end, out.back().end);
    out.push_back({begin, end, begin, item, static_cast<std::uint32_t>(out.size())});
  }
  return out;
}

// Numbers the rows of slices that do not nest in the stack after the rows of the stack.
void number_rows(NestedRows& nested, std::span<const std::uint32_t> order, const NestInto& into) {
  if (nested.stepped_aside) {  // some of the stack's rows may be empty now
    nested.rows = 0;
    for (const std::uint32_t item : order) {
      if ((into.row[item] & kAside) == 0) nested.rows = std::max(nested.rows, into.row[item] + 1);
    }
  }
  const std::uint32_t stack = nested.rows;
  nested.rows += std::exchange(nested.rows_aside, 0);
  if (nested.rows == stack && into.first_row == 0) return;
  for (const std::uint32_t item : order) {
    std::uint32_t& row = into.row[item];
    row = into.first_row + ((row & kAside) != 0 ? stack + (row & ~kAside) : row);
  }
}

}  // namespace

NestedRows nest_rows(const LaneItems& items, Ns tolerance, std::span<const std::uint32_t> order, const NestInto& into) {
  NestSweep sweep(items, tolerance, into);
  sweep.run(order);
  NestedRows nested = sweep.result();
  if (nested.complete) number_rows(nested, order, into);
  return nested;
}

NestedRows nest_rows(const LaneItems& items, Ns tolerance, std::span<const std::uint32_t> order, const NestInto& into,
                     ThreadPool& pool, std::size_t least_part) {
  const std::size_t parts = std::min<std::size_t>(pool.size(), order.size() / least_part);
  if (parts < 2 || tolerance > 0) return nest_rows(items, tolerance, order, into);
  const auto begin_of = [&](std::size_t p) { return order.size() * p / parts; };
  const auto part = [&](std::size_t p) { return order.subspan(begin_of(p), begin_of(p + 1) - begin_of(p)); };
  const auto begins = [&](std::size_t p) { return items.begin[part(p).front()]; };
  std::vector<Left> left(parts - 1);
  pool.parallel_for(parts - 1, [&](std::size_t p) { left[p] = left_by(items, part(p), begins(p + 1)); });

  std::vector<std::vector<Open>> assumed(parts);
  std::vector<Ns> latest_end(parts, kLongAgo);
  std::vector<std::uint32_t> open;
  for (std::size_t p = 1; p < parts; ++p) {
    std::ranges::copy(left[p - 1].open, std::back_inserter(open));
    std::erase_if(open, [&](std::uint32_t i) { return over(items.begin[i], items.begin[i] + items.duration[i], begins(p)); });
    if (open.size() > kMaxOpen) return nest_rows(items, tolerance, order, into);  // each part would have to sweep all of it
    assumed[p] = as_if_nested(items, open);
    latest_end[p] = std::max(latest_end[p - 1], left[p - 1].latest_end);
  }
  std::vector<std::optional<NestSweep>> sweeps(parts);
  const auto sweep = [&](std::size_t p, std::vector<Open> from) {
    sweeps[p].emplace(items, tolerance, into);
    sweeps[p]->begin_with(std::move(from), latest_end[p]);
    sweeps[p]->run(part(p));
  };
  pool.parallel_for(parts, [&](std::size_t p) { sweep(p, assumed[p]); });
  NestedRows out;
  for (std::size_t p = 0; p < parts; ++p) {
    if (p > 0) {
      std::vector<Open> really = sweeps[p - 1]->open_at(begins(p));
      if (!same(really, assumed[p], begins(p))) sweep(p, std::move(really));
    }
    const NestedRows of_part = sweeps[p]->result();
    // The part gave up, so sweep the whole lane at once. That sweep gives up at the same slice, or succeeds.
    if (!of_part.complete) return nest_rows(items, tolerance, order, into);
    if (out.overlaps == 0) out.first_overlap = of_part.first_overlap;
    out.overlaps += of_part.overlaps;
    out.rows = std::max(out.rows, of_part.rows);
    out.rows_aside = std::max(out.rows_aside, of_part.rows_aside);
    out.stepped_aside |= of_part.stepped_aside;
    out.busy += of_part.busy;
  }
  for (const std::optional<NestSweep>& done : sweeps) done->settle();
  number_rows(out, order, into);
  return out;
}

}  // namespace tv
