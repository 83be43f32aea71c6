// The cost and the result of putting ranks on one clock: 64 ranks in tensor-parallel groups of 8, with clocks that are wrong by up
// to 12 s. Each of the first three lines has ten times as many collectives as the one before. Then follow a line without anything
// that connects the groups, and one with four times as many streams.
//   clock_costs [collectives per rank, at most; 100000]
// Times are processor time of one thread. With ten times the collectives only finding the long intervals takes longer.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tests/support/gen_collectives.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// `streams`: how many of each stream there are. The ends of all but the first are moved at random, as if there were more kinds of
// groups.
double line(std::size_t per_rank, bool connected, std::size_t streams = 1) {
  CollectiveRun run;
  run.ranks = 64;
  run.tp = 8;
  run.steps = 50;
  run.layers = std::max<std::size_t>(per_rank / run.steps, 4) - 2;
  run.data_parallel = connected;
  run.skew = random_skew(1, run.ranks, 12 * kSecond);
  std::vector<PlayedUnit> units = run.units(1);
  for (PlayedUnit& unit : units) {
    const std::vector<CollectiveStream> own = unit.streams;
    for (std::size_t copy = 1; copy < streams; ++copy) {
      for (CollectiveStream stream : own) {
        Random later(copy);  // the same on all ranks
        for (CollectiveKernel& collective : stream) collective.end += later.in(0, 800 * kMicrosecond);
        std::ranges::sort(stream, {}, &CollectiveKernel::end);
        unit.streams.push_back(std::move(stream));
      }
    }
  }
  std::size_t count = 0;
  for (const PlayedUnit& unit : units) {
    for (const CollectiveStream& stream : unit.streams) count += stream.size();
  }
  const std::clock_t begin = std::clock();
  const std::vector<CollectiveClock> clocks = collective_clocks(units);
  const double ms = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  Ns worst = 0;
  std::size_t groups = 0, known = 0;
  for (std::size_t a = 0; a < clocks.size(); ++a) {
    groups += clocks[a].group == a ? 1 : 0;
    known += clocks[a].known() ? 1 : 0;
    for (std::size_t b = 0; b < a; ++b) {
      if (clocks[a].group != clocks[b].group) continue;
      worst = std::max(worst, std::abs(run.skew[a] + clocks[a].offset - run.skew[b] - clocks[b].offset));
    }
  }
  std::printf("%10zu %7zu %7zu %12.1f %14.1f\n", count, known, groups, static_cast<double>(worst) * 1e-3, ms);
  return ms;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t most = argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : 100'000;
  std::printf("%10s %7s %7s %12s %14s\n", "kernels", "known", "groups", "error, us", "processor, ms");
  double first = 0, last = 0;
  for (std::size_t per_rank = most / 100; per_rank <= most && per_rank > 0; per_rank *= 10) {
    last = line(per_rank, true);
    if (first == 0) first = last;
  }
  line(most, false);
  line(most / 4, true, 4);
  if (first > 0) std::printf("100 times as many kernels: %.1f times the cost\n", last / first);
  return 0;
}
