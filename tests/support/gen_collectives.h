// Training of several ranks as its NCCL kernels show it, with clocks that are wrong by known amounts. Ranks work for a while,
// each a little longer or shorter, wait for their group and leave together. A tensor-parallel group has neighbouring ranks, a
// data-parallel one every `tp`-th; each kind has its own stream.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/store/collectives/collective_clock.h"
#include "core/store/draft/source_draft.h"

namespace tv::test {

/// A rank, as it is recorded.
struct PlayedUnit {
  std::vector<CollectiveStream> streams;
  bool moved_by_user = false;
};

struct CollectiveRun {
  std::size_t ranks = 8, tp = 2;
  std::size_t steps = 12, layers = 6;
  bool data_parallel = true;     ///< else groups of `tp` ranks have nothing in common
  bool one_stream = false;       ///< all kinds on the same one
  Ns work = 900 * kMicrosecond;  ///< of a layer
  double uneven = 0.05;          ///< of the work, standard deviation by rank and layer
  double uneven_step = 0.05;     ///< of the pause between steps, the same for all ranks
  Ns jitter = 3 * kMicrosecond;  ///< of a kernel's end
  double outliers = 0;           ///< share of kernels that end up to 5 ms late on one rank
  Ns begin = 1'700'000'000 * kSecond;
  std::vector<Ns> skew;                            ///< by rank: added to all of its times
  std::vector<std::size_t> skip_front, skip_back;  ///< by rank: collectives of each stream that were not captured

  /// By rank and stream: tensor, then data parallel.
  std::vector<PlayedUnit> units(std::uint64_t seed) const;
};

std::vector<CollectiveClock> collective_clocks(const std::vector<PlayedUnit>& units);

/// The same as sources: a file per rank, with the lanes of a PyTorch trace and work on another stream.
std::vector<SourceView> sources_of(const std::vector<PlayedUnit>& units);

/// Skews from -most to `most`.
std::vector<Ns> random_skew(std::uint64_t seed, std::size_t ranks, Ns most);

}  // namespace tv::test
