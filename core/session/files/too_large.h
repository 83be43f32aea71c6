// Describes a trace that does not fit into memory, and which part of it would.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/store/draft/load_choice.h"
#include "core/store/draft/source_info.h"

namespace tv {

/// Peak memory of loading, in bytes per slice, instant, sample and flow point, with the index. Measured with bench load (78 for
/// 2.67 GB of kineto), plus a margin.
inline constexpr std::uint64_t kBytesPerItem = 88;

struct TooLarge {
  std::uint64_t needed = 0, limit = 0;  ///< in bytes; needed is an estimate
  std::vector<RankSpan> ranks = {};     ///< as many of the first ranks as would fit; empty if ranks cannot be chosen
  bool ran_out = false;                 ///< no estimate: memory ran out, or the limit was reached
  std::string file = {};                ///< the file being read when memory ran out; empty: not a single file

  /// "about 9.8 GB are needed, 4.0 GB are allowed".
  std::string amounts() const;
  /// For the command line, with the options that help.
  std::string text() const;
};

/// Estimates the memory for all `bytes_total`, in bytes, if the first `bytes_done` gave `items`. Before 1/32 is done, does not
/// extrapolate.
std::uint64_t memory_estimate(std::uint64_t items, std::uint64_t bytes_done, std::uint64_t bytes_total);

struct RankBytes {
  std::int64_t rank = 0;
  std::uint64_t bytes = 0;  ///< of its files
};

/// `files`: one entry for each file with a rank.
TooLarge too_large(std::uint64_t needed, std::uint64_t limit, std::vector<RankBytes> files);

}  // namespace tv
