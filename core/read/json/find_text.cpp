#include "core/read/json/find_text.h"

#include <bit>
#include <cstring>

#include "core/read/json/byte_masks.h"

namespace tv {

std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t from) {
  std::size_t at = from;
#if defined(__AVX2__) || defined(__SSE2__)
  constexpr std::size_t kWidth = 32;
  const std::size_t last = wanted.size() - 1;
  for (; at + last + kWidth <= text.size(); at += kWidth) {
    const char* const place = text.data() + at;
    std::uint32_t both = ByteMasks(place).equal(wanted.front()) & ByteMasks(place + last).equal(wanted.back());
    for (; both != 0; both &= both - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(both));
      if (std::memcmp(place + bit, wanted.data(), wanted.size()) == 0) return at + bit;
    }
  }
#endif
  return at < text.size() ? text.find(wanted, at) : std::string_view::npos;
}

}  // namespace tv
