#include "tests/support/gen_collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/support/gen_trace.h"

namespace tv::test {
namespace {

constexpr const char* kKernels[] = {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                                    "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                                    "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"};

class CollectiveSimulation {
 public:
  CollectiveSimulation(const CollectiveRun& run, std::uint64_t seed)
      : run_(run), random_(seed), now_(run.ranks, run.begin) {
    units_.resize(run.ranks);
    for (PlayedUnit& unit : units_) unit.streams.resize(run.one_stream ? 1 : 2);
  }

  std::vector<PlayedUnit> play() {
    for (std::size_t step = 0; step < run_.steps; ++step) {
      for (std::size_t layer = 0; layer < run_.layers; ++layer) {
        work(run_.work);
        for (std::size_t first = 0; first < run_.ranks; first += run_.tp) meet(first, 1, run_.tp, 0, 0);
      }
      if (run_.data_parallel) {
        for (std::uint32_t name = 1; name < 3; ++name) {
          work(run_.work);
          for (std::size_t first = 0; first < run_.tp; ++first) meet(first, run_.tp, run_.ranks / run_.tp, name, 1);
        }
      }
      const double between = 4 * static_cast<double>(run_.work) * (1 + run_.uneven_step * normal());
      for (Ns& now : now_) now += static_cast<Ns>(std::max(between, 0.0));
    }
    finish();
    return std::move(units_);
  }

 private:
  double normal() {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += random_.unit();
    return sum - 6;
  }

  void work(Ns length) {
    for (Ns& now : now_)
      now += std::max<Ns>(0, std::llround(static_cast<double>(length) * (1 + run_.uneven * normal())));
  }

  void meet(std::size_t first, std::size_t apart, std::size_t count, std::uint32_t name, std::size_t stream) {
    if (count < 2) return;
    Ns all_there = 0;
    for (std::size_t i = 0; i < count; ++i) all_there = std::max(all_there, now_[first + i * apart]);
    const Ns end = all_there + 40 * kMicrosecond;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t rank = first + i * apart;
      Ns own = end + std::llround(static_cast<double>(run_.jitter) * normal());
      if (random_.chance(run_.outliers)) own += random_.in(0, 5 * kMillisecond);
      units_[rank].streams[run_.one_stream ? 0 : stream].push_back({name, now_[rank], std::max(own, now_[rank])});
      now_[rank] = std::max(own, now_[rank]);
    }
  }

  void finish() {
    for (std::size_t rank = 0; rank < run_.ranks; ++rank) {
      const Ns skew = rank < run_.skew.size() ? run_.skew[rank] : 0;
      for (CollectiveStream& stream : units_[rank].streams) {
        const auto some = [&](const std::vector<std::size_t>& skipped) {
          return static_cast<std::ptrdiff_t>(std::min(rank < skipped.size() ? skipped[rank] : 0, stream.size()));
        };
        stream.erase(stream.begin(), stream.begin() + some(run_.skip_front));
        stream.erase(stream.end() - some(run_.skip_back), stream.end());
        for (CollectiveKernel& collective : stream) {
          collective.begin += skew;
          collective.end += skew;
        }
        std::ranges::sort(stream, {}, &CollectiveKernel::end);
      }
    }
  }

  const CollectiveRun& run_;
  Random random_;
  std::vector<Ns> now_;
  std::vector<PlayedUnit> units_;
};

}  // namespace

std::vector<PlayedUnit> CollectiveRun::units(std::uint64_t seed) const {
  return CollectiveSimulation(*this, seed).play();
}

std::vector<CollectiveClock> collective_clocks(const std::vector<PlayedUnit>& units) {
  std::vector<ClockUnit> compared;
  for (const PlayedUnit& unit : units) compared.push_back({std::make_shared<const UnitCollectives>(unit.streams), unit.moved_by_user});
  ComparedPairs pairs;
  return tv::collective_clocks(compared, pairs);
}

std::vector<SourceView> sources_of(const std::vector<PlayedUnit>& units) {
  std::vector<SourceView> views;
  for (std::size_t rank = 0; rank < units.size(); ++rank) {
    TraceSketch sketch;
    const LaneSegment file{fmt::format("rank {}", rank)}, gpu{fmt::format("GPU {}", rank)};
    sketch.lane("work", {{file, gpu, {"stream 7"}}, LaneKind::Stream});
    Ns begin = 0;  // stays 0 for a rank without collectives; the caller then places its file
    for (const CollectiveStream& stream : units[rank].streams) {
      if (!stream.empty()) begin = stream.front().begin;
    }
    sketch.slice("work", begin, kMillisecond, "gemm", {}, "kernel");
    for (std::size_t s = 0; s < units[rank].streams.size(); ++s) {
      const std::string track = fmt::format("stream {}", 20 + s);
      sketch.lane(track, {{file, gpu, {track}}, LaneKind::Stream});
      for (const CollectiveKernel& collective : units[rank].streams[s]) {
        sketch.slice(track, collective.begin, collective.end - collective.begin, kKernels[collective.name], {},
                     "kernel");
      }
    }
    views.push_back(sketch.view());
    views.back().info.path = fmt::format("run/rank{}.json", rank);
    views.back().info.rank = static_cast<std::int64_t>(rank);
  }
  return views;
}

std::vector<Ns> random_skew(std::uint64_t seed, std::size_t ranks, Ns most) {
  Random random(seed ^ 0x51EDULL);
  std::vector<Ns> skew;
  for (std::size_t rank = 0; rank < ranks; ++rank) skew.push_back(random.in(-most, most));
  return skew;
}

}  // namespace tv::test
