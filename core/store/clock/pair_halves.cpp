#include "core/store/pair_halves.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/radix_order.h"

namespace tv {
namespace {

bool matches(const Half& begin, const Half& end, const LabelTable& labels) {
  if (begin.label == end.label) return true;
  if (end.named && labels.name(begin.label) != labels.name(end.label)) return false;
  // An async key holds the category already.
  return is_async(end) || !end.categorised || labels.category(begin.label) == labels.category(end.label);
}

// The begun slices of each place, a thread or an async id: stacks that are chained through the halves. Places are counted
// from 0, so that a table serves, and millions of them cost four bytes each.
class OpenStacks {
 public:
  static constexpr std::uint32_t kNobody = UINT32_MAX;

  OpenStacks(std::size_t places, std::size_t halves) : top_(places, kNobody), below_(halves) {}

  void push(std::size_t place, std::uint32_t half) { below_[half] = std::exchange(top_[place], half); }

  /// Takes out the topmost one that matches; kNobody when none does.
  template <class Matches>
  std::uint32_t take(std::size_t place, Matches matches) {
    std::uint32_t* link = &top_[place];
    while (*link != kNobody && !matches(*link)) link = &below_[*link];
    return *link == kNobody ? kNobody : std::exchange(*link, below_[*link]);
  }

  /// All that nobody took, in no particular order.
  std::vector<std::uint32_t> rest() const {
    std::vector<std::uint32_t> rest;
    for (std::uint32_t half : top_) {
      for (; half != kNobody; half = below_[half]) rest.push_back(half);
    }
    return rest;
  }

 private:
  std::vector<std::uint32_t> top_;    // by place
  std::vector<std::uint32_t> below_;  // by half
};

struct Places {
  std::vector<std::uint32_t> of_half;
  std::uint32_t tracks = 0;  // they come first; async places are behind them
  std::uint32_t count = 0;
};

Places find_places(const std::vector<Half>& halves) {
  Places places;
  places.of_half.resize(halves.size());
  std::vector<std::uint32_t> async;
  for (std::uint32_t i = 0; i < halves.size(); ++i) {
    if (is_async(halves[i])) {
      async.push_back(i);
    } else {
      places.of_half[i] = halves[i].track;
      places.tracks = std::max(places.tracks, halves[i].track + 1);
    }
  }
  places.count = places.tracks;
  std::vector<std::uint32_t> spare(async.size());
  std::vector<std::uint64_t> ids(halves.size());
  std::ranges::transform(halves, ids.begin(), &Half::id);
  radix_order(std::span(async), std::span(spare), [&](std::uint32_t i) { return ids[i]; });
  radix_order(std::span(async), std::span(spare), [&](std::uint32_t i) { return halves[i].key; });
  const Half* last = nullptr;
  for (const std::uint32_t i : async) {
    const Half& half = halves[i];
    if (!last || last->key != half.key || last->id != half.id) ++places.count;
    places.of_half[i] = places.count - 1;
    last = &half;
  }
  return places;
}

}  // namespace

std::uint32_t pair_halves(std::vector<Half> halves, const LabelTable& labels, std::uint32_t first_group, SliceColumns& out,
                          ProblemLog& problems) {
  const auto by_time = [](const Half& a, const Half& b) { return a.time < b.time; };
  if (!std::is_sorted(halves.begin(), halves.end(), by_time)) {
    std::stable_sort(halves.begin(), halves.end(), by_time);
  }
  const Places places = find_places(halves);
  OpenStacks open(places.count, halves.size());
  out.reserve(out.size() + static_cast<std::size_t>(std::ranges::count_if(halves, begins)));
  const auto emit = [&](std::uint32_t i, Ns duration, std::uint8_t flags) {
    const Half& begin = halves[i];
    const std::uint32_t group = is_async(begin) ? first_group + places.of_half[i] - places.tracks : kNoGroup;
    out.add(begin.track, begin.time, duration, begin.label, group, begin.offset, flags);
  };
  for (std::uint32_t i = 0; i < halves.size(); ++i) {
    const Half& half = halves[i];
    const std::uint32_t place = places.of_half[i];
    if (begins(half)) {
      open.push(place, i);
      continue;
    }
    const std::uint32_t begin =
        open.take(place, [&](std::uint32_t candidate) { return matches(halves[candidate], half, labels); });
    if (begin == OpenStacks::kNobody) {
      problems.add(ProblemKind::unmatched_end, half.offset, labels.name(half.label));
    } else {
      emit(begin, half.time - halves[begin].time, 0);
    }
  }
  std::vector<std::uint32_t> unclosed = open.rest();
  std::ranges::sort(unclosed, {}, [&](std::uint32_t half) { return halves[half].offset; });
  for (const std::uint32_t begin : unclosed) {
    problems.add(ProblemKind::unclosed_slice, halves[begin].offset, labels.name(halves[begin].label));
    emit(begin, kOpenEnd, kUnfinished);
  }
  return places.count - places.tracks;
}

}  // namespace tv
