// Sorts positions by a key, stably, for data whose comparisons the processor cannot predict, such as the slices of a log that is
// written in order of their ends. Two passes over the positions for each 11 bits of the largest key, instead of log2(n) with a
// mispredicted branch for every second position. Source: D. Knuth, TAOCP 3, 5.2.5. Cost: the keys are looked up in each pass, so
// they should fit into the cache, with another 8 KiB.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tv {

/// `key(position)`: an unsigned number. `spare` has room for as many positions; its contents are undefined afterwards.
template <class Key>
void radix_order(std::span<std::uint32_t> order, std::span<std::uint32_t> spare, Key key) {
  constexpr unsigned kBits = 11;
  constexpr std::uint64_t kMask = (1u << kBits) - 1;
  std::uint64_t most = 0;
  for (const std::uint32_t item : order) most = std::max<std::uint64_t>(most, key(item));
  std::span<std::uint32_t> from = order, to = spare.first(order.size());
  for (unsigned shift = 0; shift < static_cast<unsigned>(std::bit_width(most)); shift += kBits) {
    std::array<std::uint32_t, kMask + 1> next{};
    for (const std::uint32_t item : from) ++next[key(item) >> shift & kMask];
    std::uint32_t sum = 0;
    for (std::uint32_t& count : next) sum += std::exchange(count, sum);
    for (const std::uint32_t item : from) to[next[key(item) >> shift & kMask]++] = item;
    std::swap(from, to);
  }
  if (from.data() != order.data()) std::copy(from.begin(), from.end(), order.begin());
}

}  // namespace tv
