#include "core/store/collectives/stream_match.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "core/store/collectives/told_in_both.h"
#include "core/store/logs/told_collectives.h"

namespace tv {
namespace {

constexpr std::size_t kLongIntervals = 512, kLongestIntervals = 32, kLongPart = 8;  // one interval in eight is long
constexpr std::size_t kVoters = 48, kJudgingIntervals = 32, kJudgesBetween = 24, kCompared = 512;
constexpr std::ptrdiff_t kAlike = 8;  // how many shorter and longer intervals a voter compares with its own
constexpr Ns kVoteTolerance = 50 * kMicrosecond;
constexpr std::size_t kMostVoted = 8;          // offsets that are judged, in addition to those near the recorded clocks
constexpr std::ptrdiff_t kNearRecorded = 2;    // collectives on each side of the one at the recorded time
constexpr double kScale = 5.0 * kMicrosecond;  // the distance that costs ln 2
constexpr double kMostCost = 6;                // limit for one kernel: the cost at 100 us
constexpr double kCostOfFew = 10;              // divided by their number: three that fit prove less than a hundred
constexpr double kAsGood = 3;                  // a cost may exceed another by this many errors of the mean by chance
constexpr double kLeastAsGood = 0.05, kMostAsGood = 0.7;  // bounds of that excess; 0.7 is a factor of 1.4 in distance
constexpr double kHopeless = 5.5;                         // cost of a fit in which all are 80 us apart
constexpr Ns kSameOffset = 10 * kMicrosecond;
constexpr Ns kLeastTolerance = 20 * kMicrosecond;
constexpr std::size_t kSharedPart = 5;  // collectives of several groups can share a stream, so one in five must match
constexpr std::size_t kFew = 8;         // fewer matches count only if they are half of all

template <class Values>
auto middle_of(Values& values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

std::vector<std::uint32_t> evenly(const std::vector<std::uint32_t>& from, std::size_t most) {
  if (from.size() <= most) return from;
  std::vector<std::uint32_t> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(from[i * from.size() / most]);
  return some;
}

void add_evenly(std::vector<std::uint32_t>& to, std::size_t n, std::size_t most) {
  const std::size_t count = std::min(n, most);
  for (std::size_t i = 0; i < count; ++i) to.push_back(static_cast<std::uint32_t>(i * n / count));
}

template <class Value>
void sort_once(std::vector<Value>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// For collectives of one stream, in ascending order, finds the nearest kernel of the other stream. That takes a few comparisons
// each if the streams run in parallel.
class Walk {
 public:
  Walk(const CollectiveStream& stream, Ns offset) : stream_(stream), offset_(offset) {}

  bool covers(Ns end) const {
    constexpr Ns kEdgeTolerance = 100 * kMicrosecond;
    return end - offset_ >= stream_.front().end - kEdgeTolerance && end - offset_ <= stream_.back().end + kEdgeTolerance;
  }

  // The nearest kernel of the same name. Null if there is none nearby.
  const CollectiveKernel* nearest(const CollectiveStream& from, std::uint32_t index) {
    const Ns target = from[index].end - offset_;
    const auto n = static_cast<std::ptrdiff_t>(stream_.size());
    seek(target, at_ + static_cast<std::ptrdiff_t>(index) - last_);
    last_ = static_cast<std::ptrdiff_t>(index);
    const CollectiveKernel* best = nullptr;
    for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(at_ - 3, 0); i < std::min(at_ + 3, n); ++i) {
      const CollectiveKernel& other = stream_[static_cast<std::size_t>(i)];
      if (other.name != from[index].name) continue;
      if (!best || std::abs(other.end - target) < std::abs(best->end - target)) best = &other;
    }
    return best;
  }

 private:
  // Moves `at_` to the first kernel that does not end before the target.
  void seek(Ns target, std::ptrdiff_t guess) {
    constexpr int kSteps = 24;
    const auto n = static_cast<std::ptrdiff_t>(stream_.size());
    const auto end = [&](std::ptrdiff_t i) { return stream_[static_cast<std::size_t>(i)].end; };
    at_ = std::clamp<std::ptrdiff_t>(guess, 0, n);
    int steps = 0;
    for (; at_ > 0 && end(at_ - 1) >= target && steps < kSteps; ++steps) --at_;
    for (; at_ < n && end(at_) < target && steps < kSteps; ++steps) ++at_;
    if (steps == kSteps) at_ = std::ranges::lower_bound(stream_, target, {}, &CollectiveKernel::end) - stream_.begin();
  }

  const CollectiveStream& stream_;
  const Ns offset_;
  std::ptrdiff_t at_ = 0, last_ = 0;
};

// How two streams fit with an offset.
struct StreamFit {
  Ns offset = 0;
  double cost = std::numeric_limits<double>::max();
  double error = 0;           // of the cost, which is a mean
  Ns width = 0;               // of the interval that holds the densest residuals
  std::size_t seen = 0;       // number of collectives compared, in the time that both streams cover
  std::vector<Ns> residuals;  // of those with a partner
};

// The shortest interval with a fifth of the values, at least five: the densest agreement, independent of outliers.
std::pair<Ns, Ns> densest(std::vector<Ns>& values) {
  std::ranges::sort(values);
  const std::size_t n = values.size(), held = std::min(n, std::max<std::size_t>(5, n / kSharedPart));
  std::size_t best = 0;
  for (std::size_t i = 0; i + held <= n; ++i) {
    if (values[i + held - 1] - values[i] < values[best + held - 1] - values[best]) best = i;
  }
  return {values[best], values[best + held - 1]};
}

bool is_enough(std::size_t found, std::size_t all) { return found >= kFew || 2 * found >= all; }

StreamFit fit_at(const StreamProbe& a, const StreamProbe& b, Ns offset, const std::vector<std::uint32_t>& which) {
  StreamFit fit;
  Walk walk(b.stream(), offset);
  for (const std::uint32_t index : which) {
    if (!walk.covers(a.stream()[index].end)) continue;
    ++fit.seen;
    if (const CollectiveKernel* const other = walk.nearest(a.stream(), index)) {
      fit.residuals.push_back(a.stream()[index].end - other->end - offset);
    }
  }
  if (fit.residuals.size() < kLeastCollectives) return fit;
  const auto [low, high] = densest(fit.residuals);
  const Ns centre = low + (high - low) / 2;
  fit.width = high - low;
  const double unmatched = static_cast<double>(fit.seen - fit.residuals.size()), seen = static_cast<double>(fit.seen);
  double cost = kMostCost * unmatched, squares = kMostCost * kMostCost * unmatched;
  for (Ns& residual : fit.residuals) {
    residual -= centre;
    const double distance = static_cast<double>(residual) / kScale;
    const double cost_of_one = std::min(std::log1p(distance * distance), kMostCost);
    cost += cost_of_one;
    squares += cost_of_one * cost_of_one;
  }
  fit.offset = offset + centre;
  fit.cost = (cost + kCostOfFew) / seen;
  fit.error = std::sqrt(std::max(squares / seen - cost / seen * (cost / seen), 0.0) / seen);
  return fit;
}

// The votes of those of a's judges whose records identify one collective.
std::vector<Ns> told_votes(const StreamProbe& a, const StreamProbe& b) {
  std::vector<Ns> votes;
  for (const std::uint32_t index : a.judges()) {
    const CollectiveKernel& judge = a.stream()[index];
    if (what_is_told(judge.name) != Told::Collective) continue;
    for (const std::uint32_t other : b.of_collective(judge.name)) {
      const Ns offset = judge.end - b.stream()[other].end;
      if (std::abs(offset) <= kMostClockError) votes.push_back(offset);
    }
  }
  return votes;
}

// Each voter of `a` votes for the offsets at which its interval matches one of `b`, in length and in the kernel at the end.
std::vector<Ns> interval_votes(const StreamProbe& a, const StreamProbe& b) {
  std::vector<Ns> votes;
  const auto& intervals = b.long_intervals();
  const auto n = static_cast<std::ptrdiff_t>(intervals.size());
  for (const std::uint32_t index : a.voters()) {
    const CollectiveKernel& voter = a.stream()[index];
    const Ns length = voter.end - a.stream()[index - 1].end;
    const auto at = std::ranges::lower_bound(intervals, length, {}, &StreamProbe::Interval::length) - intervals.begin();
    for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(at - kAlike, 0); i < std::min(at + kAlike, n); ++i) {
      const StreamProbe::Interval& other = intervals[static_cast<std::size_t>(i)];
      const CollectiveKernel& partner = b.stream()[other.index];
      const Ns offset = voter.end - partner.end;
      if (std::abs(other.length - length) > kVoteTolerance || partner.name != voter.name) continue;
      if (std::abs(offset) <= kMostClockError) votes.push_back(offset);
    }
  }
  return votes;
}

// The offsets with many votes, most votes first.
std::vector<Ns> voted(const StreamProbe& a, const StreamProbe& b) {
  std::vector<Ns> votes = told_votes(a, b);
  if (votes.empty()) votes = interval_votes(a, b);
  std::ranges::sort(votes);
  struct Cluster {
    std::size_t first, count;
  };
  std::vector<Cluster> clusters;
  for (std::size_t first = 0, end = 0; first < votes.size(); first = end) {
    while (end < votes.size() && votes[end] - votes[first] <= kVoteTolerance) ++end;
    clusters.push_back({first, end - first});
  }
  std::ranges::stable_sort(clusters, [](const Cluster& x, const Cluster& y) { return x.count > y.count; });
  std::vector<Ns> offsets;
  for (std::size_t i = 0; i < std::min(clusters.size(), kMostVoted); ++i) {
    offsets.push_back(votes[clusters[i].first + clusters[i].count / 2]);
  }
  return offsets;
}

// Adds offsets for which the recorded clocks are nearly right.
void add_near_recorded(const StreamProbe& a, const StreamProbe& b, std::vector<Ns>& offsets) {
  const CollectiveStream &from = a.stream(), &to = b.stream();
  const Ns begin = std::max(from.front().end, to.front().end), end = std::min(from.back().end, to.back().end);
  const Ns time = begin + (end - begin) / 2;  // lies between the streams if they do not overlap
  const auto found = std::ranges::lower_bound(from, time, {}, &CollectiveKernel::end);
  const CollectiveKernel& kernel = found == from.end() ? from.back() : *found;
  const auto near = std::ranges::lower_bound(to, kernel.end, {}, &CollectiveKernel::end) - to.begin();
  const auto n = static_cast<std::ptrdiff_t>(to.size());
  for (auto i = std::max<std::ptrdiff_t>(near - kNearRecorded, 0); i < std::min(near + kNearRecorded + 1, n); ++i) {
    const CollectiveKernel& other = to[static_cast<std::size_t>(i)];
    if (other.name == kernel.name && std::abs(kernel.end - other.end) <= kMostClockError)
      offsets.push_back(kernel.end - other.end);
  }
}

// Several fits can be nearly as good as the best. Returns the one nearest to the recorded clocks. `period`: receives the distance
// to the next one.
StreamFit chosen(std::vector<StreamFit> fits, Ns& period) {
  const StreamFit best = *std::ranges::min_element(fits, {}, &StreamFit::cost);
  const double as_good = std::clamp(kAsGood * best.error, kLeastAsGood, kMostAsGood);
  std::erase_if(fits, [&](const StreamFit& fit) { return fit.cost > best.cost + as_good || 3 * fit.seen < best.seen; });
  const StreamFit nearest = *std::ranges::min_element(fits, {}, [](const StreamFit& fit) { return std::abs(fit.offset); });
  StreamFit fit = nearest;
  for (const StreamFit& other : fits) {
    const Ns apart = std::abs(other.offset - nearest.offset);
    if (apart <= kSameOffset && other.cost < fit.cost) fit = other;
    if (apart > kSameOffset && (period == 0 || apart < period)) period = apart;
  }
  return fit;
}

// The deviation of few values from their median means little, so half their range is used if that is larger.
Ns spread_of(std::vector<Ns> values) {
  constexpr std::size_t kMany = 12;
  if (values.empty()) return 0;
  const auto [least, most] = std::ranges::minmax(values);
  const Ns half_range = values.size() < kMany ? (most - least) / 2 : 0;
  const Ns centre = middle_of(values);
  for (Ns& value : values) value = std::abs(value - centre);
  return std::max<Ns>(std::llround(1.4826 * static_cast<double>(middle_of(values))), half_range);
}

// Compares more kernels at the chosen offset, in two rounds. The second has a narrower tolerance for a match, because the first
// guess is too wide if only some kernels are shared.
std::optional<StreamMatch> refined(const StreamProbe& a, const StreamProbe& b, const StreamFit& fit) {
  Ns tolerance = std::max(12 * std::min(fit.width, kMostClockError), kLeastTolerance);
  StreamMatch match;
  match.cost = fit.cost;
  match.offset = fit.offset;
  std::vector<Ns> ends, begins;
  for (int round = 0; round < 2; ++round) {
    ends.clear();
    begins.clear();
    std::size_t seen = 0;
    Walk walk(b.stream(), match.offset);
    for (const std::uint32_t index : a.compared()) {
      if (!walk.covers(a.stream()[index].end)) continue;
      ++seen;
      const CollectiveKernel& kernel = a.stream()[index];
      const CollectiveKernel* const other = walk.nearest(a.stream(), index);
      if (!other || std::abs(kernel.end - other->end - match.offset) > tolerance) continue;
      ends.push_back(kernel.end - other->end);
      begins.push_back(kernel.begin - other->begin);
    }
    if (ends.size() < kLeastCollectives || ends.size() * kSharedPart < seen) return std::nullopt;
    match.share = static_cast<double>(ends.size()) / static_cast<double>(seen);
    match.spread = spread_of(ends);
    match.offset = middle_of(ends);
    tolerance = std::min(tolerance, std::max(6 * match.spread, kLeastTolerance));
  }
  match.matched = static_cast<std::uint32_t>(ends.size());
  match.part =
      static_cast<double>(ends.size()) / static_cast<double>(std::min(a.compared().size(), b.compared().size()));
  match.begin_spread = spread_of(begins);
  for (const Ns end : ends) match.residuals.push_back(static_cast<std::int32_t>(end - match.offset));
  if (!is_enough(match.matched, std::min(a.compared().size(), b.compared().size()))) return std::nullopt;
  return match;
}

// Without a common name, there are no two kernels to compare at any offset.
bool share_a_name(const StreamProbe& a, const StreamProbe& b) {
  return std::ranges::any_of(a.judges(), [&](std::uint32_t index) { return b.has(a.stream()[index].name); });
}

}  // namespace

StreamProbe::StreamProbe(const CollectiveStream& stream) : stream_(&stream) {
  find_names();
  find_intervals();
  // The longest intervals distinguish steps, but only the others exist wherever captures overlap.
  std::vector<std::uint32_t> longest, others;
  for (std::size_t i = 0; i < long_.size(); ++i) {
    (i + kLongestIntervals >= long_.size() ? longest : others).push_back(long_[i].index);
  }
  std::ranges::sort(longest);
  std::ranges::sort(others);
  const auto some_long = [&](std::size_t most) {
    std::vector<std::uint32_t> some = evenly(longest, most / 2);
    for (const std::uint32_t index : evenly(others, most / 2)) some.push_back(index);
    return some;
  };
  voters_ = some_long(kVoters);
  for (const std::uint32_t index : some_long(kJudgingIntervals)) {
    judges_.push_back(index - 1);
    judges_.push_back(index);
  }
  compared_ = judges_;
  sort_once(voters_);
  add_evenly(judges_, stream.size(), kJudgesBetween);
  add_evenly(compared_, stream.size(), kCompared - 2 * kJudgingIntervals);
  sort_once(judges_);
  sort_once(compared_);
}

void StreamProbe::find_names() {
  const CollectiveStream& stream = *stream_;
  std::size_t room = 256;  // there are few kernel names, but a stream may have millions of kernels
  for (std::uint32_t i = 0; i < stream.size(); ++i) {
    const std::uint64_t name = stream[i].name;
    if (what_is_told(name) == Told::Collective) identified_.push_back(i);
    else if (names_.empty() || names_.back() != name) names_.push_back(name);
    if (names_.size() < room) continue;
    sort_once(names_);
    room = std::max<std::size_t>(256, 2 * names_.size());
  }
  sort_once(names_);
  std::ranges::sort(identified_, {}, [&](std::uint32_t index) { return std::pair(stream[index].name, index); });
}

void StreamProbe::find_intervals() {
  const CollectiveStream& stream = *stream_;
  const std::size_t n = stream.empty() ? 0 : stream.size() - 1;
  const auto interval = [&](std::size_t i) { return Interval{stream[i + 1].end - stream[i].end, static_cast<std::uint32_t>(i + 1)}; };
  if (n > 0) {
    std::vector<Ns> lengths;
    for (std::size_t i = 0; i < n; i += 1 + n / kCompared) lengths.push_back(interval(i).length);
    interval_ = middle_of(lengths);
  }
  const auto is_longer = [](const Interval& x, const Interval& y) { return x.length != y.length ? x.length > y.length : x.index > y.index; };
  const std::size_t many = std::clamp(n / kLongPart, std::min(kLongestIntervals, n), kLongIntervals);
  for (std::size_t i = 0; i < n; ++i) {  // long_ is a min-heap of the longest so far
    if (long_.size() == many) {
      if (!is_longer(interval(i), long_.front())) continue;
      std::ranges::pop_heap(long_, is_longer);
      long_.pop_back();
    }
    long_.push_back(interval(i));
    std::ranges::push_heap(long_, is_longer);
  }
  std::ranges::sort_heap(long_, is_longer);
  std::ranges::reverse(long_);
}

std::span<const std::uint32_t> StreamProbe::of_collective(std::uint64_t name) const {
  const auto name_of = [&](std::uint32_t index) { return (*stream_)[index].name; };
  return {std::ranges::lower_bound(identified_, name, {}, name_of), std::ranges::upper_bound(identified_, name, {}, name_of)};
}

std::vector<std::uint64_t> StreamProbe::group_names() const {
  std::vector<std::uint64_t> groups;
  std::ranges::copy_if(names_, std::back_inserter(groups), [](std::uint64_t name) { return what_is_told(name) == Told::Group; });
  return groups;
}

bool StreamProbe::has(std::uint64_t name) const {
  return std::ranges::binary_search(names_, name) || !of_collective(name).empty();
}

namespace {

std::optional<StreamMatch> match_all(const StreamProbe& a, const StreamProbe& b, std::optional<Ns> at) {
  if (std::min(a.stream().size(), b.stream().size()) < kLeastCollectives || !share_a_name(a, b)) return std::nullopt;
  std::vector<Ns> offsets;
  if (at) {
    offsets.push_back(*at);
  } else {
    offsets = voted(a, b);
    add_near_recorded(a, b, offsets);
  }
  std::vector<StreamFit> fits;
  for (const Ns offset : offsets) {
    StreamFit fit = fit_at(a, b, offset, a.judges());
    const bool enough = is_enough(fit.seen, std::min(a.judges().size(), b.judges().size()));
    if (fit.residuals.size() >= kLeastCollectives && enough) fits.push_back(std::move(fit));
  }
  if (fits.empty()) return std::nullopt;
  Ns period = 0;
  const StreamFit best = chosen(std::move(fits), period);
  if (best.cost > kHopeless) return std::nullopt;
  std::optional<StreamMatch> match = refined(a, b, best);
  if (match) match->period = period;
  return match;
}

}  // namespace

std::optional<StreamMatch> match_streams(const StreamProbe& a, const StreamProbe& b, std::optional<Ns> at) {
  if (const ToldInBoth told(a, b); told.are_enough()) {
    return match_all(StreamProbe(told.a), StreamProbe(told.b), at);
  }
  return match_all(a, b, at);
}

}  // namespace tv
