#include "core/session/files/too_large.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tv {
namespace {

std::string bytes_text(std::uint64_t bytes) {
  const auto n = static_cast<double>(bytes);
  return n < 999.5e6 ? fmt::format("{:.0f} MB", n / 1e6) : fmt::format("{:.1f} GB", n / 1e9);
}

constexpr std::uint64_t kLeastReadPart = 32;  // a divisor: less than 1/32 of all bytes is headers and warm-up, so it gives no estimate

}  // namespace

std::string TooLarge::amounts() const {
  if (ran_out) return fmt::format("memory ran out{}, {} are allowed", file.empty() ? "" : " in " + file, bytes_text(limit));
  return fmt::format("about {} are needed, {} are allowed", bytes_text(needed), bytes_text(limit));
}

std::string TooLarge::text() const {
  if (ran_out) {
    return fmt::format(
        "does not fit into memory: out of memory{}, {} are allowed; load a part of it with --rank or --range A..B, or "
        "allow more with --memory-limit, ulimit or the container's limit",
        file.empty() ? "" : " while reading " + file, bytes_text(limit));
  }
  const std::string ranks_that_fit =
      ranks.empty() ? std::string() : fmt::format("--rank {} (these ranks would fit), ", ranks_text(ranks));
  return fmt::format(
      "does not fit into memory: {}; load a part of it with {}--range A..B (a stretch of time, such as 0s..2s), or allow more with "
      "--memory-limit",
      amounts(), ranks_that_fit);
}

std::uint64_t memory_estimate(std::uint64_t items, std::uint64_t bytes_done, std::uint64_t bytes_total) {
  const double held = static_cast<double>(items) * static_cast<double>(kBytesPerItem);
  if (bytes_done * kLeastReadPart < bytes_total) return static_cast<std::uint64_t>(held);
  const double times = static_cast<double>(bytes_total) / static_cast<double>(std::max<std::uint64_t>(bytes_done, 1));
  return static_cast<std::uint64_t>(held * std::max(times, 1.0));
}

TooLarge too_large(std::uint64_t needed, std::uint64_t limit, std::vector<RankBytes> files) {
  TooLarge out{needed, limit, {}};
  std::map<std::int64_t, std::uint64_t> bytes_of;
  std::uint64_t all = 0, sum = 0;
  for (const RankBytes& file : files) {
    bytes_of[file.rank] += file.bytes;
    all += file.bytes;
  }
  const double room = 0.9 * static_cast<double>(limit) / static_cast<double>(std::max<std::uint64_t>(needed, 1));
  for (const auto& [rank, bytes] : bytes_of) {
    sum += bytes;
    if (static_cast<double>(sum) > room * static_cast<double>(all)) break;
    if (!out.ranks.empty() && out.ranks.back().last + 1 == rank) {
      out.ranks.back().last = rank;
    } else {
      out.ranks.push_back({rank, rank});
    }
  }
  return out;
}

}  // namespace tv
