#include "core/analysis/collectives/collective_match.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace tv {
namespace {

constexpr std::size_t kSampled = 48;  // kernels of a line that are compared with each other line
constexpr std::size_t kFewSampled = 12, kManyPairs = 100'000;  // with more than kManyPairs pairs, only kFewSampled kernels
constexpr Ns kLeastTogether = 10 * kMicrosecond, kMostTogether = 300 * kMicrosecond;  // bounds of the tolerance
constexpr std::size_t kTightPart = 5;  // one in five: unrelated kernels hardly affect the 20 % quantile of distances
constexpr double kWide = 20;           // factor from the 20 % quantile to five standard deviations
constexpr double kOfBest = 0.5;        // least share that coincides, relative to the best partner's
constexpr double kAsNear = 2;          // largest median distance, relative to the nearest partner's
constexpr Ns kNear = 3 * kMicrosecond, kMostNear = 20 * kMicrosecond;  // lines further apart than kMostNear only run at the same pace
constexpr double kNearlyAll = 6;  // factor from the median distance of coinciding kernels to that of nearly all
constexpr double kLeastPart = 0.15, kLeastPartOfRest = 0.4;  // least share that coincides, in the first round and later
constexpr double kSurely = 0.9, kOverChance = 2;  // a share below kSurely must be kOverChance times what chance gives
constexpr int kMostGroupRounds = 4;  // for groups that share a line

Ns ends_apart(Ns a, Ns b) { return std::abs(a - b); }

// The kernels of a line that are not matched yet, in order.
struct OpenLine {
  const CommLine* line = nullptr;
  std::vector<std::uint32_t> open;  // indices into its kernels
  Ns tight = kMostTogether;         // smallest 20 % quantile of the distances to another line
  Ns wide = 0;                      // ends within this may be one collective
  double best = 0;                  // share of kernels that coincide with those of the best partner
  Ns near = kMostTogether;          // median distance of coinciding kernels, with the nearest partner
  Ns together = 0;                  // ends within this are one collective

  Ns end(std::size_t i) const { return line->kernels[open[i]].end; }
  std::size_t size() const { return open.size(); }
  // The distance to the nearest end.
  Ns nearest(Ns time) const {
    const auto at = std::ranges::lower_bound(open, time, {}, [&](std::uint32_t k) { return line->kernels[k].end; });
    const auto i = static_cast<std::size_t>(at - open.begin());
    Ns least = i < open.size() ? ends_apart(end(i), time) : kMostTogether + 1;
    if (i > 0) least = std::min(least, ends_apart(end(i - 1), time));
    return least;
  }
};

struct LinePair {
  std::size_t a = 0, b = 0;
  std::vector<Ns> from_a, from_b;  // distances to the nearest end on the other line, rising
  Ns tight = 0, near = 0;
  double part = 0;
};

double part_within(const std::vector<Ns>& rising, Ns most) {
  if (rising.empty()) return 0;
  const auto within = std::ranges::upper_bound(rising, most) - rising.begin();
  return static_cast<double>(within) / static_cast<double>(rising.size());
}

class CollectiveMatching {
 public:
  explicit CollectiveMatching(const std::vector<CommLine>& lines) {
    for (const CommLine& line : lines) {
      OpenLine& open = lines_.emplace_back();
      open.line = &line;
      for (std::uint32_t k = 0; k < line.kernels.size(); ++k) {
        if (line.kernels[k].named_collective == 0) open.open.push_back(k);
      }
    }
    for (std::size_t l = 0; l < lines.size(); ++l) comparable_[{lines[l].clock, lines[l].name}].push_back(l);
  }

  std::vector<MatchedKernels> run() {
    take_named();
    for (const auto& [key, lines] : comparable_) {
      for (int round = 0; round < kMostGroupRounds; ++round) {
        if (!match(lines, round == 0)) break;
      }
    }
    const auto first_end = [&](const MatchedKernels& found) {
      return lines_[found.front().line].line->kernels[found.front().kernel].end;
    };
    std::ranges::stable_sort(found_, {}, first_end);
    return std::move(found_);
  }

 private:
  // A kernel whose record names its collective.
  struct NamedKernel {
    std::uint32_t clock;
    std::uint64_t name;
    std::uint32_t gpu;
    Ns end;
    MatchedKernel kernel;
    bool taken = false;
    auto collective() const { return std::pair(clock, name); }
  };

  void take_named() {
    std::vector<NamedKernel> all;
    for (std::uint32_t l = 0; l < lines_.size(); ++l) {
      const CommLine& line = *lines_[l].line;
      for (std::uint32_t k = 0; k < line.kernels.size(); ++k) {
        const CommKernel& kernel = line.kernels[k];
        if (kernel.named_collective != 0) all.push_back({line.clock, kernel.named_collective, line.gpu, kernel.end, {l, k}});
      }
    }
    std::ranges::sort(all, {}, [](const NamedKernel& k) { return std::tuple(k.collective(), k.gpu, k.end, k.kernel.line); });
    for (auto first = all.begin(); first != all.end();) {
      const auto end = std::find_if(first, all.end(), [&](const NamedKernel& k) { return k.collective() != first->collective(); });
      take_named(std::span(first, end));
      first = end;
    }
  }

  // Takes the kernels of one collective, sorted by GPU and then by end.
  void take_named(std::span<NamedKernel> kernels) {
    std::vector<std::span<NamedKernel>> gpus;
    for (std::size_t first = 0, end = 0; first < kernels.size(); first = end) {
      while (end < kernels.size() && kernels[end].gpu == kernels[first].gpu) ++end;
      gpus.push_back(kernels.subspan(first, end - first));
    }
    if (gpus.size() < 2) return;
    std::vector<NamedKernel*> by_end;
    for (NamedKernel& kernel : kernels) by_end.push_back(&kernel);
    std::ranges::stable_sort(by_end, {}, [](const NamedKernel* kernel) { return kernel->end; });
    std::vector<std::size_t> next(gpus.size(), 0);  // kernels before these belong to earlier parts of the collective
    for (NamedKernel* const hub : by_end) {
      if (hub->taken) continue;
      hub->taken = true;
      MatchedKernels found = {hub->kernel};
      for (std::size_t g = 0; g < gpus.size(); ++g) {
        if (gpus[g].front().gpu == hub->gpu) continue;
        std::size_t& at = next[g];
        while (at < gpus[g].size() && gpus[g][at].taken) ++at;
        while (at + 1 < gpus[g].size() && ends_apart(gpus[g][at + 1].end, hub->end) < ends_apart(gpus[g][at].end, hub->end)) ++at;
        if (at == gpus[g].size() || gpus[g][at].taken || !run_at_once(hub->kernel, gpus[g][at].kernel)) continue;
        gpus[g][at].taken = true;
        found.push_back(gpus[g][at].kernel);
      }
      if (found.size() > 1) found_.push_back(std::move(found));
    }
  }

  // Whether the two kernels may have overlapped, given the clocks' accuracy.
  bool run_at_once(const MatchedKernel& a, const MatchedKernel& b) const {
    const CommLine &of_a = *lines_[a.line].line, &of_b = *lines_[b.line].line;
    const CommKernel &x = of_a.kernels[a.kernel], &y = of_b.kernels[b.kernel];
    const Ns slack = kMostTogether + 4 * std::max(of_a.residual, of_b.residual);
    return std::max(x.begin, y.begin) <= std::min(x.end, y.end) + slack;
  }

  bool match(const std::vector<std::size_t>& lines, bool first) {
    const std::vector<LinePair> pairs = pairs_of(lines, first);
    std::map<std::size_t, std::vector<std::pair<std::size_t, double>>> partners;
    for (const LinePair& pair : pairs) {
      partners[pair.a].emplace_back(pair.b, pair.part);
      partners[pair.b].emplace_back(pair.a, pair.part);
    }
    std::vector<std::size_t> hubs;
    for (const auto& [line, others] : partners) hubs.push_back(line);
    std::ranges::stable_sort(hubs, [&](std::size_t x, std::size_t y) { return lines_[x].size() > lines_[y].size(); });
    const std::size_t before = found_.size();
    for (const std::size_t hub : hubs) take(hub, partners[hub], first);
    return found_.size() > before;
  }

  // The pairs of lines that belong together.
  std::vector<LinePair> pairs_of(const std::vector<std::size_t>& lines, bool first) {
    std::vector<LinePair> pairs;
    const std::size_t sampled = lines.size() * lines.size() / 2 > kManyPairs ? kFewSampled : kSampled;
    for (const std::size_t l : lines) lines_[l].tight = kMostTogether;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (std::size_t j = i + 1; j < lines.size(); ++j) {
        OpenLine &a = lines_[lines[i]], &b = lines_[lines[j]];
        if (a.line->gpu == b.line->gpu || a.open.empty() || b.open.empty()) continue;
        LinePair pair{lines[i], lines[j], distances(a, b, sampled, 0), distances(b, a, sampled, 0)};
        if (pair.from_a.empty() || pair.from_b.empty()) continue;
        pair.tight = std::max(pair.from_a[pair.from_a.size() / kTightPart], pair.from_b[pair.from_b.size() / kTightPart]);
        if (pair.tight > kMostTogether) continue;
        a.tight = std::min(a.tight, pair.tight);
        b.tight = std::min(b.tight, pair.tight);
        pairs.push_back(std::move(pair));
      }
    }
    for (const std::size_t l : lines) {
      OpenLine& line = lines_[l];
      line.wide = within_bounds(kWide * static_cast<double>(line.tight), 4 * line.line->residual);
      line.best = 0;
      line.near = kMostTogether;
    }
    const auto wide = [&](const LinePair& pair) { return std::max(lines_[pair.a].wide, lines_[pair.b].wide); };
    for (LinePair& pair : pairs) {
      pair.part = std::min(part_within(pair.from_a, wide(pair)), part_within(pair.from_b, wide(pair)));
      lines_[pair.a].best = std::max(lines_[pair.a].best, pair.part);
      lines_[pair.b].best = std::max(lines_[pair.b].best, pair.part);
    }
    std::erase_if(pairs, [&](const LinePair& pair) {
      const double best = std::max(lines_[pair.a].best, lines_[pair.b].best);
      if (pair.part < kOfBest * best || pair.part < (first ? kLeastPart : kLeastPartOfRest)) return true;
      return pair.part < kSurely && pair.part < kOverChance * by_chance(pair, wide(pair), sampled);
    });
    for (LinePair& pair : pairs) {
      OpenLine &a = lines_[pair.a], &b = lines_[pair.b];
      pair.near = std::max(middle_of_best(pair.from_a, a.best), middle_of_best(pair.from_b, b.best));
      a.near = std::min(a.near, pair.near);
      b.near = std::min(b.near, pair.near);
    }
    std::erase_if(pairs, [&](const LinePair& pair) {
      const OpenLine &a = lines_[pair.a], &b = lines_[pair.b];
      const Ns residual = std::max(a.line->residual, b.line->residual), room = std::max(kNear, residual / 2);
      if (pair.near > std::max(kMostNear, 4 * residual)) return true;
      return pair.near > static_cast<Ns>(kAsNear * static_cast<double>(std::max(a.near, b.near))) + room;
    });
    for (const std::size_t l : lines) {
      OpenLine& line = lines_[l];
      // Set only once: the kernels left for later rounds end elsewhere and would widen the tolerance.
      if (line.near < kMostTogether && line.together == 0)
        line.together = within_bounds(kNearlyAll * static_cast<double>(line.near), 2 * line.line->residual);
    }
    return pairs;
  }

  static Ns within_bounds(double most, Ns residual) {
    return std::min(std::max({static_cast<Ns>(most), residual, kLeastTogether}), kMostTogether);
  }

  static Ns middle_of_best(const std::vector<Ns>& rising, double best) {
    return rising[static_cast<std::size_t>(kOfBest * best * static_cast<double>(rising.size() - 1))];
  }

  // The distances from evenly chosen kernels of `from`, each moved by `shift`, to the nearest end in `to`. Only kernels in the time
  // that both lines cover are chosen.
  static std::vector<Ns> distances(const OpenLine& from, const OpenLine& to, std::size_t most, Ns shift) {
    const Ns begin = to.end(0) - kMostTogether, end = to.end(to.size() - 1) + kMostTogether;
    const auto position = [&](Ns time) {
      return std::ranges::lower_bound(from.open, time, {}, [&](std::uint32_t k) { return from.line->kernels[k].end; }) -
             from.open.begin();
    };
    const auto first = static_cast<std::size_t>(position(begin)), last = static_cast<std::size_t>(position(end + 1));
    const std::size_t count = last - first, sampled = std::min(count, most);
    std::vector<Ns> found;
    for (std::size_t i = 0; i < sampled; ++i) found.push_back(to.nearest(from.end(first + i * count / sampled) + shift));
    std::ranges::sort(found);
    return found;
  }

  // The share that would coincide by chance alone.
  double by_chance(const LinePair& pair, Ns together, std::size_t sampled) const {
    double sum = 0;
    constexpr std::array<Ns, 4> kShifts = {-11, -5, 7, 13};
    for (const Ns times : kShifts) {
      sum += part_within(distances(lines_[pair.a], lines_[pair.b], sampled, times * together), together);
    }
    return sum / static_cast<double>(kShifts.size());
  }

  struct Taken {
    std::size_t in_hub, in_partner;  // positions in the lines' open kernels
  };

  // The pairs of kernels that end together, in order on both lines.
  static std::vector<Taken> walk(const OpenLine& hub, const OpenLine& partner, Ns together) {
    std::vector<Taken> taken;
    for (std::size_t i = 0, j = 0; i < hub.size() && j < partner.size();) {
      const Ns apart = ends_apart(hub.end(i), partner.end(j));
      if (j + 1 < partner.size() && ends_apart(hub.end(i), partner.end(j + 1)) < apart) {
        ++j;
      } else if (i + 1 < hub.size() && ends_apart(hub.end(i + 1), partner.end(j)) < apart) {
        ++i;
      } else if (apart <= together) {
        taken.push_back({i++, j++});
      } else {
        hub.end(i) < partner.end(j) ? ++i : ++j;
      }
    }
    return taken;
  }

  // If each line has a single unmatched kernel between two matched ones and these kernels overlap, they form a collective, even
  // though their ends differ.
  static void add_between(const OpenLine& hub, const OpenLine& partner, std::vector<Taken>& taken) {
    const std::size_t n = taken.size();
    for (std::size_t t = 0; t + 1 < n; ++t) {
      const Taken between{taken[t].in_hub + 1, taken[t].in_partner + 1};
      if (taken[t + 1].in_hub != between.in_hub + 1 || taken[t + 1].in_partner != between.in_partner + 1) continue;
      const CommKernel& x = hub.line->kernels[hub.open[between.in_hub]];
      const CommKernel& y = partner.line->kernels[partner.open[between.in_partner]];
      if (x.begin < y.end && y.begin < x.end) taken.push_back(between);
    }
  }

  void take(std::size_t hub, const std::vector<std::pair<std::size_t, double>>& partners, bool first) {
    const OpenLine& hub_line = lines_[hub];
    struct Partner {
      std::size_t position;  // in hub_line.open
      MatchedKernel kernel;
      std::uint32_t gpu;
      Ns apart;
    };
    std::vector<Partner> all;
    for (const auto& [line, part] : partners) {
      const OpenLine& partner = lines_[line];
      if (hub_line.open.empty() || partner.open.empty()) continue;
      std::vector<Taken> taken = walk(hub_line, partner, std::max(hub_line.together, partner.together));
      if (first && part >= kSurely) add_between(hub_line, partner, taken);
      for (const Taken& t : taken) {
        const MatchedKernel kernel{static_cast<std::uint32_t>(line), partner.open[t.in_partner]};
        const Ns apart = ends_apart(hub_line.end(t.in_hub), partner.end(t.in_partner));
        all.push_back({t.in_hub, kernel, partner.line->gpu, apart});
      }
    }
    std::ranges::sort(all, [](const Partner& x, const Partner& y) {
      if (x.position != y.position) return x.position < y.position;
      if (x.gpu != y.gpu) return x.gpu < y.gpu;
      return x.apart != y.apart ? x.apart < y.apart : x.kernel.line < y.kernel.line;
    });
    std::map<std::size_t, std::vector<std::uint32_t>> gone;  // by line: matched kernels, which are no longer open
    for (std::size_t i = 0; i < all.size();) {
      const std::size_t position = all[i].position;
      MatchedKernels& found = found_.emplace_back();
      found.push_back({static_cast<std::uint32_t>(hub), hub_line.open[position]});
      for (std::size_t of_gpu = i; i < all.size() && all[i].position == position; ++i) {
        if (i > of_gpu && all[i].gpu == all[of_gpu].gpu) continue;  // a nearer kernel of this GPU was taken already
        of_gpu = i;
        found.push_back(all[i].kernel);
      }
      for (const MatchedKernel& kernel : found) gone[kernel.line].push_back(kernel.kernel);
    }
    for (auto& [line, gone_of_line] : gone) {
      auto& kernels = gone_of_line;  // clang 14 cannot capture a structured binding in a lambda
      std::ranges::sort(kernels);
      std::erase_if(lines_[line].open, [&](std::uint32_t k) { return std::ranges::binary_search(kernels, k); });
    }
  }

  std::vector<OpenLine> lines_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> comparable_;  // by clock and name
  std::vector<MatchedKernels> found_;
};

}  // namespace

std::vector<MatchedKernels> match_collectives(const std::vector<CommLine>& lines) {
  return CollectiveMatching(lines).run();
}

}  // namespace tv
