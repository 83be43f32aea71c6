#include "core/store/collectives/unit_pairs.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>

namespace tv {
namespace {

constexpr std::size_t kMostStreams = 8;       // of a unit, those with the most collectives
constexpr std::size_t kMostStreamPairs = 16;  // of two units
constexpr double kMany = 8;                   // matches
constexpr Ns kAgreeing = 10 * kMicrosecond;   // offsets of streams that differ by less agree

// Whether the kernels belong to the same collectives, rather than to ranks of about equal speed. If streams overlap only briefly
// or few kernels match, they may fit by chance, so the ends must be closer together. If ends spread more, nearly all must match.
bool of_one_collective(const StreamMatch& match) {
  const double of_many = static_cast<double>(match.matched) / kMany;
  const double surely = static_cast<double>(kSurelyTight) * std::min({1.0, 2 * match.part, of_many});
  if (static_cast<double>(match.spread) <= surely) return true;
  if (of_many < 1 || match.part < 0.5 || match.share < 0.8 || match.spread > kMostSpread) return false;
  return match.spread <= kTightSpread ? 5 * match.spread <= 3 * match.begin_spread
                                      : 3 * match.spread <= match.begin_spread;
}

bool is_beyond_doubt(const StreamMatch& match) {
  return match.period == 0 && match.spread <= kSurelyTight && match.share > 0.8 && match.part > 0.5 &&
         static_cast<double>(match.matched) >= 4 * kMany;
}

// Regular intervals fit at many offsets. If even the nearest one is more than a period from the recorded clocks, the captures do
// not overlap at all.
bool is_believable(const StreamMatch& match) { return match.period == 0 || std::abs(match.offset) <= match.period; }

// Streams of one communicator have about equally many collectives, so such pairs come first. Of many pairs, not all are tried.
std::vector<std::pair<std::size_t, std::size_t>> likely_streams(const UnitCollectives& a, const UnitCollectives& b) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < a.streams().size(); ++i) {
    for (std::size_t j = 0; j < b.streams().size(); ++j) pairs.emplace_back(i, j);
  }
  std::ranges::stable_sort(pairs, {}, [&](const auto& pair) {
    const std::size_t x = a.streams()[pair.first].stream().size();
    const std::size_t y = b.streams()[pair.second].stream().size();
    const std::size_t apart = std::max(pair.first, pair.second) - std::min(pair.first, pair.second);
    return std::pair(std::max(x, y) * 1000 / std::min(x, y), apart);
  });
  pairs.resize(std::min(pairs.size(), kMostStreamPairs));
  return pairs;
}

}  // namespace

UnitCollectives::UnitCollectives(std::vector<CollectiveStream> streams) : streams_(std::move(streams)) {
  std::vector<const CollectiveStream*> long_enough;
  for (CollectiveStream& stream : streams_) {
    std::ranges::sort(stream, [](const CollectiveKernel& a, const CollectiveKernel& b) {
      if (a.end != b.end) return a.end < b.end;
      return a.begin != b.begin ? a.begin < b.begin : a.name < b.name;
    });
    if (stream.size() >= kLeastCollectives) long_enough.push_back(&stream);
  }
  std::ranges::stable_sort(long_enough, [](const auto* x, const auto* y) { return x->size() > y->size(); });
  long_enough.resize(std::min(long_enough.size(), kMostStreams));
  probes_.reserve(long_enough.size());
  for (const CollectiveStream* stream : long_enough) probes_.emplace_back(*stream);
}

std::size_t UnitCollectives::size() const {
  return std::transform_reduce(streams_.begin(), streams_.end(), std::size_t{0}, std::plus<>(),
                               [](const CollectiveStream& stream) { return stream.size(); });
}

std::shared_ptr<const UnitPair> compare_units(const UnitCollectives& a, const UnitCollectives& b) {
  struct Matched {
    std::size_t a, b;
    StreamMatch match;
  };
  std::vector<Matched> found;
  std::optional<Ns> certain;  // the offset of a pair of streams beyond doubt, which others can only confirm
  for (const auto& [i, j] : likely_streams(a, b)) {
    std::optional<StreamMatch> match = match_streams(a.streams()[i], b.streams()[j], certain);
    if (!match || !of_one_collective(*match) || !is_believable(*match)) continue;
    if (is_beyond_doubt(*match)) certain = match->offset;
    found.push_back({i, j, std::move(*match)});
  }
  if (found.empty()) return nullptr;
  // Regular intervals are weaker evidence, however well they fit.
  std::ranges::stable_sort(found, [](const Matched& x, const Matched& y) {
    const bool x_regular = x.match.period != 0, y_regular = y.match.period != 0;
    return x_regular != y_regular ? y_regular : x.match.cost < y.match.cost;
  });
  const StreamMatch& best = found.front().match;
  auto pair = std::make_shared<UnitPair>();
  pair->offset = best.offset;
  pair->spread = best.spread;
  pair->period = best.period;
  for (const Matched& other : found) {  // only streams that agree count
    const Ns apart = std::abs(other.match.offset - best.offset);
    if (apart > kAgreeing || other.match.spread > 3 * best.spread + kAgreeing) continue;
    pair->matched_a.emplace_back(other.a, other.match.matched);
    pair->matched_b.emplace_back(other.b, other.match.matched);
    for (const std::int32_t residual : other.match.residuals) {
      pair->residuals.push_back(residual + static_cast<std::int32_t>(other.match.offset - best.offset));
    }
  }
  return pair;
}

std::size_t compared_streams(const UnitCollectives& a, const UnitCollectives& b) {
  return std::min(a.streams().size() * b.streams().size(), kMostStreamPairs);
}

std::shared_ptr<const UnitPair> ComparedPairs::of(const Unit& a, const Unit& b) {
  const auto [used, is_new] = used_.try_emplace({a, b});
  if (!is_new) return used->second;
  if (const auto known = known_.find({a, b}); known != known_.end()) return used->second = known->second;
  ++compared_;
  return used->second = compare_units(*a, *b);
}

}  // namespace tv
