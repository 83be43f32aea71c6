#include "core/io/tables/number_planes.h"

#include <cassert>
#include <cstdint>
#include <cstring>

namespace tv {
namespace {

template <class U>
void split(std::span<const char> numbers, std::span<char> planes) {
  const std::size_t n = numbers.size() / sizeof(U);
  U before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    U value;
    std::memcpy(&value, numbers.data() + i * sizeof(U), sizeof(U));
    const U difference = static_cast<U>(value - before);
    before = value;
    const U sign = static_cast<U>(U{0} - (difference >> (8 * sizeof(U) - 1)));
    const U zigzag = static_cast<U>(difference << 1) ^ sign;
    for (std::size_t b = 0; b < sizeof(U); ++b) planes[b * n + i] = static_cast<char>(zigzag >> (8 * b) & 0xff);
  }
}

template <class U>
void join(std::span<const char> planes, std::span<char> numbers) {
  const std::size_t n = numbers.size() / sizeof(U);
  U value = 0;
  for (std::size_t i = 0; i < n; ++i) {
    U zigzag = 0;
    for (std::size_t b = 0; b < sizeof(U); ++b) {
      zigzag |= static_cast<U>(static_cast<U>(static_cast<unsigned char>(planes[b * n + i])) << (8 * b));
    }
    value = static_cast<U>(value + ((zigzag >> 1) ^ static_cast<U>(U{0} - (zigzag & 1))));
    std::memcpy(numbers.data() + i * sizeof(U), &value, sizeof(U));
  }
}

}  // namespace

void to_planes(std::span<const char> numbers, unsigned width, std::span<char> planes) {
  assert(numbers.size() == planes.size() && numbers.size() % width == 0 && (width == 4 || width == 8));
  width == 4 ? split<std::uint32_t>(numbers, planes) : split<std::uint64_t>(numbers, planes);
}

void from_planes(std::span<const char> planes, unsigned width, std::span<char> numbers) {
  assert(numbers.size() == planes.size() && numbers.size() % width == 0 && (width == 4 || width == 8));
  width == 4 ? join<std::uint32_t>(planes, numbers) : join<std::uint64_t>(planes, numbers);
}

}  // namespace tv
