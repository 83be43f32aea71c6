// Compares two short texts without calling memcmp. Used for the thread and category of every event of a trace.
// Cost: two loads from each text up to 16 bytes; memcmp beyond that. Reads nothing outside the texts.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tv {

[[gnu::always_inline]] inline bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const std::size_t size = a.size();
  // Compares the first and the last bytes of both texts. The two ranges cover the text; they may overlap in the middle.
  const auto ends_are_equal = [&]<class Word>(Word) {
    Word first_a, first_b, last_a, last_b;
    std::memcpy(&first_a, a.data(), sizeof(Word));
    std::memcpy(&first_b, b.data(), sizeof(Word));
    std::memcpy(&last_a, a.data() + size - sizeof(Word), sizeof(Word));
    std::memcpy(&last_b, b.data() + size - sizeof(Word), sizeof(Word));
    return ((first_a ^ first_b) | (last_a ^ last_b)) == 0;
  };
  if (size > 2 * sizeof(std::uint64_t)) return std::memcmp(a.data(), b.data(), size) == 0;
  if (size >= sizeof(std::uint64_t)) return ends_are_equal(std::uint64_t{});
  if (size >= sizeof(std::uint32_t)) return ends_are_equal(std::uint32_t{});
  if (size >= sizeof(std::uint16_t)) return ends_are_equal(std::uint16_t{});
  return size == 0 || a.front() == b.front();
}

}  // namespace tv
