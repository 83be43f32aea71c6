// Sorts positions by a key, stably, for data whose comparisons the processor cannot predict, such as the slices of a log that is
// written in order of their ends. It makes two passes over the positions for each 11 bits of the largest key. Merge sort makes
// log2(n) passes, and mispredicts a branch for every second position. Source: D. Knuth, TAOCP 3, 5.2.5. Each pass looks up the
// keys, so keys and the table of 8 KiB should fit into the cache.
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
  std::uint64_t largest = 0;
  for (const std::uint32_t item : order) largest = std::max<std::uint64_t>(largest, key(item));
  std::span<std::uint32_t> from = order, to = spare.first(order.size());
  for (unsigned shift = 0; shift < static_cast<unsigned>(std::bit_width(largest)); shift += kBits) {
    std::array<std::uint32_t, kMask + 1> next{};  // by digit: first the count, then the next place in `to`
    for (const std::uint32_t item : from) ++next[key(item) >> shift & kMask];
    std::uint32_t sum = 0;
    for (std::uint32_t& count : next) sum += std::exchange(count, sum);
    for (const std::uint32_t item : from) to[next[key(item) >> shift & kMask]++] = item;
    std::swap(from, to);
  }
  if (from.data() != order.data()) std::copy(from.begin(), from.end(), order.begin());
}

}  // namespace tv
