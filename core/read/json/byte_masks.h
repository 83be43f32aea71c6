// Finds which of the next 32 bytes of a text are of some kind; bit i of a mask stands for byte i. Uses AVX2, else SSE2. For other
// processors, kHasByteMasks is false and there is no ByteMasks.
// Cost: a load, and two or three instructions per mask.
#pragma once

#include <cstdint>

#if defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

namespace tv {

// The namespaces differ, because files compiled for different processors may be linked into one program.
#if defined(__AVX2__)
inline namespace avx2 {

inline constexpr bool kHasByteMasks = true;

class ByteMasks {
 public:
  explicit ByteMasks(const char* p) : bytes_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))) {}

  std::uint32_t equal(char c) const { return bits(_mm256_cmpeq_epi8(bytes_, _mm256_set1_epi8(c))); }
  /// The letter in upper or lower case. '{' also matches '[', and '}' matches ']'.
  std::uint32_t equal_in_either_case(char lower) const {
    return bits(_mm256_cmpeq_epi8(_mm256_or_si256(bytes_, _mm256_set1_epi8(0x20)), _mm256_set1_epi8(lower)));
  }
  /// Bytes outside of first ... last.
  std::uint32_t outside(char first, char last) const {
    const __m256i from_first = _mm256_sub_epi8(bytes_, _mm256_set1_epi8(first));
    const __m256i clamped = _mm256_min_epu8(from_first, _mm256_set1_epi8(static_cast<char>(last - first)));
    return ~bits(_mm256_cmpeq_epi8(from_first, clamped));
  }
  /// Control characters, and every byte of a character beyond ASCII.
  std::uint32_t not_printable() const { return bits(_mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), bytes_)); }
  std::uint32_t beyond_ascii() const { return bits(bytes_); }

 private:
  static std::uint32_t bits(__m256i mask) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(mask)); }
  __m256i bytes_;
};

}  // namespace avx2
#elif defined(__SSE2__)
inline namespace sse2 {

inline constexpr bool kHasByteMasks = true;

class ByteMasks {
 public:
  explicit ByteMasks(const char* p) : low_(load(p)), high_(load(p + 16)) {}

  std::uint32_t equal(char c) const {
    const __m128i wanted = _mm_set1_epi8(c);
    return bits(_mm_cmpeq_epi8(low_, wanted), _mm_cmpeq_epi8(high_, wanted));
  }
  /// The letter in upper or lower case. '{' also matches '[', and '}' matches ']'.
  std::uint32_t equal_in_either_case(char lower) const {
    const __m128i wanted = _mm_set1_epi8(lower), fold = _mm_set1_epi8(0x20);
    return bits(_mm_cmpeq_epi8(_mm_or_si128(low_, fold), wanted), _mm_cmpeq_epi8(_mm_or_si128(high_, fold), wanted));
  }
  /// Bytes outside of first ... last.
  std::uint32_t outside(char first, char last) const {
    const auto inside = [&](__m128i bytes) {
      const __m128i from_first = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
      return _mm_cmpeq_epi8(from_first, _mm_min_epu8(from_first, _mm_set1_epi8(static_cast<char>(last - first))));
    };
    return ~bits(inside(low_), inside(high_));
  }
  /// Control characters, and every byte of a character beyond ASCII.
  std::uint32_t not_printable() const {
    const __m128i space = _mm_set1_epi8(0x20);
    return bits(_mm_cmpgt_epi8(space, low_), _mm_cmpgt_epi8(space, high_));
  }
  std::uint32_t beyond_ascii() const { return bits(low_, high_); }

 private:
  static __m128i load(const char* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
  static std::uint32_t bits(__m128i low, __m128i high) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(low)) | static_cast<std::uint32_t>(_mm_movemask_epi8(high)) << 16;
  }
  __m128i low_, high_;
};

}  // namespace sse2
#else

inline constexpr bool kHasByteMasks = false;

#endif

}  // namespace tv
