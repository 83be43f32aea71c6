#include "core/store/clock/pair_halves.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/radix_order.h"

namespace tv {
namespace {

constexpr std::uint32_t kNoHalf = UINT32_MAX;

bool matches(const HalfEvent& begin, const HalfEvent& end, const LabelTable& labels) {
  if (begin.label == end.label) return true;
  if (end.named && labels.name(begin.label) != labels.name(end.label)) return false;
  // An async key already contains the category.
  return is_async(end) || !end.categorised || labels.category(begin.label) == labels.category(end.label);
}

// The open slices of one place, after an end there fitted none of the topmost slices. There is a stack for each combination of
// label parts that an end can name. A slice taken from one stack stays in the others until it reaches their top.
class OpenByName {
 public:
  OpenByName(const std::vector<HalfEvent>& halves, const LabelTable& labels) : halves_(halves), labels_(labels) {}

  void push(std::uint32_t half) {
    const LabelId label = halves_[half].label;
    all_.push_back(half);
    of_label_[idx(label)].push_back(half);
    of_name_[labels_.name(label)].push_back(half);
    of_category_[labels_.category(label)].push_back(half);
  }
  /// As OpenStacks::take.
  std::uint32_t take(const HalfEvent& end, std::vector<bool>& taken) {
    std::vector<std::uint32_t>& fitting = stack_for(end);
    while (!fitting.empty() && taken[fitting.back()]) fitting.pop_back();
    if (fitting.empty()) return kNoHalf;
    const std::uint32_t half = fitting.back();
    taken[half] = true;
    return half;
  }
  const std::vector<std::uint32_t>& all() const { return all_; }

 private:
  std::vector<std::uint32_t>& stack_for(const HalfEvent& end) {
    const bool categorised = end.categorised && !is_async(end);
    if (end.named) return categorised ? of_label_[idx(end.label)] : of_name_[labels_.name(end.label)];
    return categorised ? of_category_[labels_.category(end.label)] : all_;
  }

  const std::vector<HalfEvent>& halves_;
  const LabelTable& labels_;
  std::vector<std::uint32_t> all_;
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> of_label_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> of_name_, of_category_;
};

// The open slices of each place, a thread or an async id, as stacks chained through the halves. Places are numbered from 0, so a
// plain table suffices, at four bytes per place. If an end fits none of the topmost slices, the place switches to OpenByName.
class OpenStacks {
 public:
  OpenStacks(std::size_t places, const std::vector<HalfEvent>& halves, const LabelTable& labels)
      : halves_(halves), labels_(labels), top_(places, kNoHalf), below_(halves.size()) {}

  void push(std::size_t place, std::uint32_t half) {
    if (top_[place] == kByName) return by_name_.at(place).push(half);
    below_[half] = std::exchange(top_[place], half);
  }

  /// Removes the topmost slice that the end fits; kNoHalf if there is none.
  std::uint32_t take(std::size_t place, const HalfEvent& end) {
    if (top_[place] == kByName) return by_name_.at(place).take(end, taken_);
    std::uint32_t* link = &top_[place];
    for (std::size_t looked_at = 0; *link != kNoHalf && !matches(halves_[*link], end, labels_); ++looked_at) {
      if (looked_at == kMostLookedAt) return switch_to_by_name(place).take(end, taken_);
      link = &below_[*link];
    }
    return *link == kNoHalf ? kNoHalf : std::exchange(*link, below_[*link]);
  }

  /// All slices still open, in no particular order.
  std::vector<std::uint32_t> rest() const {
    std::vector<std::uint32_t> rest;
    for (std::uint32_t half : top_) {
      for (; half < kByName; half = below_[half]) rest.push_back(half);
    }
    for (const auto& [place, open] : by_name_) {
      std::ranges::copy_if(open.all(), std::back_inserter(rest), [&](std::uint32_t half) { return !taken_[half]; });
    }
    return rest;
  }

 private:
  static constexpr std::uint32_t kByName = kNoHalf - 1;
  static constexpr std::size_t kMostLookedAt = 32;

  OpenByName& switch_to_by_name(std::size_t place) {
    taken_.resize(halves_.size());
    std::vector<std::uint32_t> open;
    for (std::uint32_t half = std::exchange(top_[place], kByName); half != kNoHalf; half = below_[half]) open.push_back(half);
    OpenByName& by_name = by_name_.try_emplace(place, halves_, labels_).first->second;
    for (auto half = open.rbegin(); half != open.rend(); ++half) by_name.push(*half);
    return by_name;
  }

  const std::vector<HalfEvent>& halves_;
  const LabelTable& labels_;
  std::vector<std::uint32_t> top_;    // by place
  std::vector<std::uint32_t> below_;  // by half
  std::unordered_map<std::size_t, OpenByName> by_name_;
  std::vector<bool> taken_;  // by half, for places in by_name_
};

struct Places {
  std::vector<std::uint32_t> of_half;
  std::uint32_t tracks = 0;  // places of tracks come first, then those of async ids
  std::uint32_t count = 0;
};

Places find_places(const std::vector<HalfEvent>& halves) {
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
  std::ranges::transform(halves, ids.begin(), &HalfEvent::id);
  radix_order(std::span(async), std::span(spare), [&](std::uint32_t i) { return ids[i]; });
  radix_order(std::span(async), std::span(spare), [&](std::uint32_t i) { return halves[i].key; });
  const HalfEvent* last = nullptr;
  for (const std::uint32_t i : async) {
    const HalfEvent& half = halves[i];
    if (!last || last->key != half.key || last->id != half.id) ++places.count;
    places.of_half[i] = places.count - 1;
    last = &half;
  }
  return places;
}

}  // namespace

std::uint32_t pair_halves(std::vector<HalfEvent> halves, const LabelTable& labels, std::uint32_t first_group, SliceColumns& out,
                          ProblemLog& problems) {
  const auto by_time = [](const HalfEvent& a, const HalfEvent& b) { return a.time < b.time; };
  if (!std::is_sorted(halves.begin(), halves.end(), by_time)) {
    std::stable_sort(halves.begin(), halves.end(), by_time);
  }
  const Places places = find_places(halves);
  OpenStacks open(places.count, halves, labels);
  out.reserve(out.size() + static_cast<std::size_t>(std::ranges::count_if(halves, begins)));
  const auto emit = [&](std::uint32_t i, Ns duration, std::uint8_t flags) {
    const HalfEvent& begin = halves[i];
    const std::uint32_t group = is_async(begin) ? first_group + places.of_half[i] - places.tracks : kNoGroup;
    out.add(begin.track, begin.time, duration, begin.label, group, begin.offset, flags);
  };
  for (std::uint32_t i = 0; i < halves.size(); ++i) {
    const HalfEvent& half = halves[i];
    const std::uint32_t place = places.of_half[i];
    if (begins(half)) {
      open.push(place, i);
      continue;
    }
    const std::uint32_t begin = open.take(place, half);
    if (begin == kNoHalf) {
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
