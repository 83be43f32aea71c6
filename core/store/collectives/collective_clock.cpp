#include "core/store/collectives/collective_clock.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/base/disjoint_sets.h"
#include "core/base/names/natural_less.h"

namespace tv {
namespace {

constexpr std::size_t kNeighbours = 4;     // every unit is compared with this many units on each side
constexpr std::size_t kMostOthers = 1024;  // limit of the pairs of streams that are tried to connect the remaining units
constexpr Ns kFitTolerance = 10 * kMicrosecond;
constexpr int kMostClockRounds = 16;

struct Pairing {
  std::size_t a = 0, b = 0;
  std::shared_ptr<const UnitPair> pair;
  bool good = false;
};

template <class Values>
auto median_value(Values values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : values[half - 1] + (values[half] - values[half - 1]) / 2;
}

class ClocksOfUnits {
 public:
  ClocksOfUnits(const std::vector<ClockUnit>& units, ComparedPairs& pairs)
      : units_(units), pairs_(pairs), clocks_(units.size()) {
    for (std::size_t u = 0; u < units.size(); ++u)
      clocks_[u].group = clocks_[u].reference = static_cast<std::uint32_t>(u);
  }

  std::vector<CollectiveClock> run() {
    DisjointSets sets(units_.size());
    pair_usual(sets);
    pair_others(sets);
    connect();
    polish();
    count_from_the_middle();
    judge();
    return std::move(clocks_);
  }

 private:
  void try_pair(std::size_t a, std::size_t b, DisjointSets& sets) {
    if (units_[a].rank && units_[a].rank == units_[b].rank) return;
    if (units_[a].collectives->size() == 0 || units_[b].collectives->size() == 0) return;
    std::shared_ptr<const UnitPair> pair = pairs_.of(units_[a].collectives, units_[b].collectives);
    if (!pair) return;
    if (pair->period == 0) sets.join(a, b);
    pairings_.push_back({a, b, std::move(pair)});
  }

  static bool is_usual_distance(std::size_t apart) { return apart <= kNeighbours || (apart & (apart - 1)) == 0; }
  bool has_streams(std::size_t unit) const { return !units_[unit].collectives->streams().empty(); }

  // Ranks of a group are usually close or a power of two apart.
  void pair_usual(DisjointSets& sets) {
    for (std::size_t apart = 1; apart < units_.size(); ++apart) {
      for (std::size_t a = 0; is_usual_distance(apart) && a + apart < units_.size(); ++a) try_pair(a, a + apart, sets);
    }
  }

  // Other pairs are only tried for units that remain unconnected, the closest first. In each such pair, one unit is outside the
  // largest set, so only units outside it are visited.
  void pair_others(DisjointSets& sets) {
    const std::size_t largest = first_of_largest(sets);
    std::vector<std::size_t> outside;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (has_streams(u)) outside.push_back(u);
    }
    std::size_t others = 0;
    for (std::size_t apart = 1; apart < units_.size(); ++apart) {
      std::erase_if(outside, [&](std::size_t u) { return sets.first_of(u) == sets.first_of(largest); });
      if (outside.empty()) return;
      if (is_usual_distance(apart)) continue;
      for (const std::size_t a : first_units(outside, apart)) {
        if (sets.first_of(a) == sets.first_of(a + apart) || !has_streams(a) || !has_streams(a + apart)) continue;
        if (others >= kMostOthers) return;
        try_pair(a, a + apart, sets);
        others += compared_streams(*units_[a].collectives, *units_[a + apart].collectives);
      }
    }
  }

  // The set with the most units that can be compared.
  std::size_t first_of_largest(DisjointSets& sets) const {
    std::vector<std::size_t> sizes(units_.size() + 1, 0);
    for (std::size_t u = 0; u < units_.size(); ++u) sizes[sets.first_of(u)] += has_streams(u) ? 1 : 0;
    return static_cast<std::size_t>(std::ranges::max_element(sizes) - sizes.begin());
  }

  // The first unit of each pair at this distance that contains one of these units, ascending.
  std::vector<std::size_t> first_units(const std::vector<std::size_t>& some, std::size_t apart) const {
    std::vector<std::size_t> firsts;
    for (const std::size_t u : some) {
      if (u >= apart) firsts.push_back(u - apart);
      if (u + apart < units_.size()) firsts.push_back(u);
    }
    std::ranges::sort(firsts);
    firsts.erase(std::unique(firsts.begin(), firsts.end()), firsts.end());
    return firsts;
  }

  // Connects the units by the tightest pairings, and sets an offset for each along them.
  void connect() {
    std::ranges::stable_sort(pairings_, [](const Pairing& x, const Pairing& y) {
      if ((x.pair->period == 0) != (y.pair->period == 0)) return x.pair->period == 0;
      return x.pair->spread < y.pair->spread;
    });
    DisjointSets sets(units_.size());
    tree_.resize(units_.size());
    std::vector<Ns> spreads;
    for (Pairing& pairing : pairings_) {
      if (sets.first_of(pairing.a) == sets.first_of(pairing.b)) continue;
      sets.join(pairing.a, pairing.b);
      pairing.good = true;
      spreads.push_back(pairing.pair->spread);
      tree_[pairing.a].push_back(&pairing);
      tree_[pairing.b].push_back(&pairing);
    }
    for (std::size_t u = 0; u < units_.size(); ++u) {
      clocks_[u].group = static_cast<std::uint32_t>(sets.first_of(u));
      if (sets.first_of(u) != u) continue;
      walk_from(u, [&](std::size_t at, std::size_t next, const Pairing& pairing) {
        clocks_[next].offset = clocks_[at].offset + (pairing.a == at ? pairing.pair->offset : -pairing.pair->offset);
      });
    }
    if (spreads.empty()) return;
    const Ns usual = median_value(spreads);
    for (Pairing& pairing : pairings_) {
      const bool agrees = std::abs(error_of(pairing)) <= 4 * pairing.pair->spread + kFitTolerance;
      pairing.good |= agrees && pairing.pair->period == 0 && pairing.pair->spread <= 3 * usual + kLeastCollectiveOffset;
    }
  }

  // Walks the tree and calls step(unit, next unit, their pairing) for each edge.
  template <class Step>
  void walk_from(std::size_t first, Step step) const {
    std::vector<std::pair<std::size_t, std::size_t>> open{{first, first}};  // a unit, and the one before it
    while (!open.empty()) {
      const auto [u, before] = open.back();
      open.pop_back();
      for (const Pairing* pairing : tree_[u]) {
        const std::size_t other = pairing->a == u ? pairing->b : pairing->a;
        if (other == before) continue;
        step(u, other, *pairing);
        open.push_back({other, u});
      }
    }
  }

  // How much later the current offsets place a moment on a's clock than on b's.
  Ns error_of(const Pairing& pairing) const {
    return clocks_[pairing.a].offset + pairing.pair->offset - clocks_[pairing.b].offset;
  }

  // Sets each offset in turn to the median of those that the unit's pairings suggest.
  void polish() {
    std::vector<std::vector<const Pairing*>> of_unit(units_.size());
    for (const Pairing& pairing : pairings_) {
      if (!pairing.good) continue;
      of_unit[pairing.a].push_back(&pairing);
      of_unit[pairing.b].push_back(&pairing);
    }
    bool changed = true;
    for (int round = 0; round < kMostClockRounds && changed; ++round) {
      changed = false;
      for (std::size_t u = 0; u < units_.size(); ++u) {
        if (of_unit[u].size() < 3) continue;  // two that disagree would move the offset in every round
        std::vector<Ns> suggested;
        for (const Pairing* pairing : of_unit[u]) {
          suggested.push_back(pairing->a == u ? clocks_[pairing->b].offset - pairing->pair->offset
                                         : clocks_[pairing->a].offset + pairing->pair->offset);
        }
        const Ns offset = median_value(std::move(suggested));
        changed |= offset != clocks_[u].offset;
        clocks_[u].offset = offset;
      }
    }
  }

  void count_from_the_middle() {
    std::vector<std::vector<std::uint32_t>> groups(units_.size());
    for (std::uint32_t u = 0; u < units_.size(); ++u) groups[clocks_[u].group].push_back(u);
    for (const std::vector<std::uint32_t>& group : groups) {
      if (group.empty()) continue;
      const bool moved_by_user = std::ranges::any_of(group, [&](std::uint32_t u) { return units_[u].moved_by_user; });
      std::vector<std::pair<Ns, std::uint32_t>> sorted;
      for (const std::uint32_t u : group) {
        if (units_[u].moved_by_user == moved_by_user) sorted.push_back({clocks_[u].offset, u});
      }
      std::ranges::sort(sorted);
      const std::size_t half = sorted.size() / 2;
      std::uint32_t reference = sorted[half].second;
      const auto stands_before = [&](std::uint32_t a, std::uint32_t b) {
        return units_[a].path == units_[b].path ? a < b : natural_less(units_[a].path, units_[b].path);
      };
      if (sorted.size() % 2 == 0) reference = std::min(reference, sorted[half - 1].second, stands_before);
      const Ns zero = clocks_[reference].offset;
      for (const std::uint32_t u : group) {
        clocks_[u].offset -= zero;
        clocks_[u].reference = reference;
      }
      walk_from(reference, [&](std::size_t at, std::size_t next, const Pairing& pairing) {
        clocks_[next].period = pairing.pair->period != 0 ? pairing.pair->period : clocks_[at].period;
      });
    }
  }

  // Sets partners, the remaining distances between ends, and the number of matched collectives.
  void judge() {
    std::vector<std::vector<std::int32_t>> distances(units_.size());
    std::vector<std::vector<std::uint32_t>> matched(units_.size());
    for (std::size_t u = 0; u < units_.size(); ++u) matched[u].resize(units_[u].collectives->streams().size());
    const auto count = [&](std::size_t unit, const auto& streams) {
      for (const auto& [stream, number] : streams) matched[unit][stream] = std::max(matched[unit][stream], number);
    };
    for (const Pairing& pairing : pairings_) {
      if (!pairing.good) continue;
      count(pairing.a, pairing.pair->matched_a);
      count(pairing.b, pairing.pair->matched_b);
      clocks_[pairing.a].partners.push_back(static_cast<std::uint32_t>(pairing.b));
      clocks_[pairing.b].partners.push_back(static_cast<std::uint32_t>(pairing.a));
      const Ns error = error_of(pairing);
      for (const std::int32_t residual : pairing.pair->residuals) {
        const auto distance = static_cast<std::int32_t>(std::abs(residual + error));
        distances[pairing.a].push_back(distance);
        distances[pairing.b].push_back(distance);
      }
    }
    for (std::size_t u = 0; u < units_.size(); ++u) {
      CollectiveClock& clock = clocks_[u];
      std::ranges::sort(clock.partners);
      clock.matched = std::accumulate(matched[u].begin(), matched[u].end(), 0u);
      clock.residual = at_part(distances[u], 5);
      clock.residual_p90 = at_part(distances[u], 9);
    }
  }

  static Ns at_part(std::vector<std::int32_t>& values, std::size_t tenths) {
    if (values.empty()) return 0;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * tenths / 10);
    std::nth_element(values.begin(), at, values.end());
    return *at;
  }

  const std::vector<ClockUnit>& units_;
  ComparedPairs& pairs_;
  std::vector<Pairing> pairings_;
  std::vector<std::vector<const Pairing*>> tree_;  // by unit
  std::vector<CollectiveClock> clocks_;
};

}  // namespace

bool CollectiveClock::is_significant() const {
  if (!known()) return false;
  const double of_the_mean = 3 * 1.4826 * static_cast<double>(residual) / std::sqrt(static_cast<double>(matched));
  return std::abs(offset) > kLeastCollectiveOffset && static_cast<double>(std::abs(offset)) > of_the_mean;
}

std::vector<CollectiveClock> collective_clocks(const std::vector<ClockUnit>& units, ComparedPairs& pairs) {
  return ClocksOfUnits(units, pairs).run();
}

}  // namespace tv
