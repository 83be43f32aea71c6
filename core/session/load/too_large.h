// The message when a trace does not fit into memory, and which part of it would.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/store/draft/load_choice.h"
#include "core/store/draft/source_info.h"

namespace tv {

/// Peak memory of loading, index included, per slice, instant, sample and flow point. Measured with bench load (78 for 2.67 GB of
/// kineto), plus a margin.
inline constexpr std::uint64_t kBytesPerItem = 88;

struct TooLarge {
  std::uint64_t needed = 0, limit = 0;  ///< in bytes; needed is an estimate
  std::vector<RankSpan> ranks = {};     ///< as many of the first ranks as would fit; empty if ranks cannot be chosen
  bool ran_out = false;                 ///< no estimate: memory ran out, or the limit was reached
  std::string file = {};                ///< being read when memory ran out; empty if it was not a single one

  /// "about 9.8 GB are needed, 4.0 GB are allowed".
  std::string amounts() const;
  /// For the command line, with the options that help.
  std::string text() const;
};

/// Bytes of memory for all `bytes_total`, if the first `bytes_done` gave `items`. Below 1/32 of them, only these items count.
std::uint64_t memory_estimate(std::uint64_t items, std::uint64_t bytes_done, std::uint64_t bytes_total);

struct RankBytes {
  std::int64_t rank = 0;
  std::uint64_t bytes = 0;  ///< of its files
};

TooLarge too_large(std::uint64_t needed, std::uint64_t limit, std::vector<RankBytes> files);

}  // namespace tv
