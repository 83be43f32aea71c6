#include "core/store/pair_halves.h"

#include <algorithm>
#include <utility>

namespace tv {
namespace {

bool is_async(const Half& half) {
  return half.kind == Half::Kind::AsyncBegin || half.kind == Half::Kind::AsyncEnd;
}

bool matches(const Half& begin, const Half& end, const LabelTable& labels) {
  if (begin.label == end.label) return true;
  if (end.named && labels.name(begin.label) != labels.name(end.label)) return false;
  // An async key holds the category already.
  return is_async(end) || !end.categorised || labels.category(begin.label) == labels.category(end.label);
}

// The begun slices of each place, a thread or an async key: stacks that are chained through the halves. Places are counted
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

}  // namespace

void pair_halves(std::vector<Half> halves, const LabelTable& labels, SliceColumns& out, ProblemLog& problems) {
  const auto by_time = [](const Half& a, const Half& b) { return a.time < b.time; };
  if (!std::is_sorted(halves.begin(), halves.end(), by_time)) {
    std::stable_sort(halves.begin(), halves.end(), by_time);
  }
  // Keys are counted through all sources: this one's begin somewhere.
  std::uint32_t tracks = 0, first_key = UINT32_MAX, last_key = 0;
  for (const Half& half : halves) {
    if (is_async(half)) {
      first_key = std::min(first_key, half.key);
      last_key = std::max(last_key, half.key);
    } else {
      tracks = std::max(tracks, half.track + 1);
    }
  }
  const std::size_t keys = first_key > last_key ? 0 : std::size_t{last_key} - first_key + 1;
  const auto place_of = [&](const Half& half) {
    return is_async(half) ? std::size_t{tracks} + (half.key - first_key) : half.track;
  };
  OpenStacks open(tracks + keys, halves.size());
  const auto emit = [&](const Half& begin, Ns duration, std::uint8_t flags) {
    out.add(begin.track, begin.time, duration, begin.label, is_async(begin) ? begin.key : kNoGroup, begin.offset, flags);
  };
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const Half& half = halves[i];
    const std::size_t place = place_of(half);
    if (half.kind == Half::Kind::Begin || half.kind == Half::Kind::AsyncBegin) {
      open.push(place, static_cast<std::uint32_t>(i));
      continue;
    }
    const std::uint32_t begin =
        open.take(place, [&](std::uint32_t candidate) { return matches(halves[candidate], half, labels); });
    if (begin == OpenStacks::kNobody) {
      problems.add(ProblemKind::unmatched_end, half.offset, labels.name(half.label));
    } else {
      emit(halves[begin], half.time - halves[begin].time, 0);
    }
  }
  std::vector<std::uint32_t> unclosed = open.rest();
  std::ranges::sort(unclosed, {}, [&](std::uint32_t half) { return halves[half].offset; });
  for (const std::uint32_t begin : unclosed) {
    problems.add(ProblemKind::unclosed_slice, halves[begin].offset, labels.name(halves[begin].label));
    emit(halves[begin], kOpenEnd, kUnfinished);
  }
}

}  // namespace tv
