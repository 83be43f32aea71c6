// The message when a trace does not fit into memory, and which part would.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/store/draft/load_choice.h"
#include "core/store/draft/source_info.h"

namespace tv {

/// At the peak of loading, index included, for each slice, instant, sample and flow point. Measured with bench load (78 on
/// 2.67 GB of kineto), and some room.
inline constexpr std::uint64_t kBytesPerItem = 88;

struct TooLarge {
  std::uint64_t needed = 0, limit = 0;  ///< in bytes; needed is an estimate
  std::vector<RankSpan> ranks = {};     ///< the first ranks, as many as would fit; empty if there is no choice of ranks
  bool ran_out = false;                 ///< no estimate: memory ran out, or the limit was reached
  std::string file = {};                ///< that was being read then; empty when it was no single one

  /// "about 9.8 GB are needed, 4.0 GB are allowed".
  std::string amounts() const;
  /// For the command line: with the options that help.
  std::string text() const;
};

/// `items` were read in `bytes_done` of `bytes_total` bytes. 0 while that is too little to tell.
std::uint64_t memory_estimate(std::uint64_t items, std::uint64_t bytes_done, std::uint64_t bytes_total);

struct RankBytes {
  std::int64_t rank = 0;
  std::uint64_t bytes = 0;  ///< of its files
};

TooLarge too_large(std::uint64_t needed, std::uint64_t limit, std::vector<RankBytes> files);

}  // namespace tv
