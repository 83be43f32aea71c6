// Reads plain JSON in one pass: ASCII without escapes, strings where strings are expected. For anything else the functions return
// nullptr, and the caller lets simdjson read the record and report what is wrong with it. simdjson must accept every record that
// is read here, and find the same values.
//
// kPlainPadding bytes after the text must be readable, and one of them must be no part of JSON, since it ends runs of blanks,
// words and numbers. Unless that byte is the first, reading may pass the end of the text, which the caller must check. Included
// only by sources of core/read, all of which are compiled for the same processor.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/text/decimal_ns.h"
#include "core/read/json/byte_masks.h"

namespace tv {

inline constexpr std::size_t kPlainPadding = 64;
static_assert(kDecimalPadding <= kPlainPadding, "readers convert numbers of such texts with decimal_ns_padded()");

/// The meaning of a newline between the parts of a record.
enum class Newlines { Blanks, End };

#if defined(__AVX2__) || defined(__SSE2__)

/// Each function takes the position of an element and returns one past it, or nullptr.
template <Newlines newlines>
class PlainJson {
 public:
  explicit PlainJson(const char* end) : end_(end) {}

  [[gnu::always_inline]] static const char* skip_blanks(const char* p) {
    while (*p == ' ' || *p == '\r' || *p == '\t' || (newlines == Newlines::Blanks && *p == '\n')) ++p;
    return p;
  }

  /// An object. `field` takes the position of a key's first letter and returns one past the key's value.
  template <class Field>
  static const char* object(const char* p, Field field) {
    return list<'}'>(p, [&](const char* key) { return *key == '"' ? field(key + 1) : nullptr; });
  }
  /// An array. `element` takes the position of an element and returns one past it.
  template <class Element>
  static const char* array(const char* p, Element element) {
    return list<']'>(p, element);
  }

  /// The position of the value if the key is `word`, which includes the closing quote. Comparing with a known word saves the
  /// search for the end of the key.
  template <std::size_t n>
  [[gnu::always_inline]] static const char* value(const char* key, const char (&word)[n]) {
    return std::memcmp(key, word, n - 1) == 0 ? after_colon(key + n - 1) : nullptr;
  }
  /// Skips a key and a value that are not needed.
  const char* pass_field(const char* key) const {
    const char* const last = end_of_string(key);
    const char* const p = last ? after_colon(last + 1) : nullptr;
    return p ? pass_over(p) : nullptr;
  }

  [[gnu::always_inline]] const char* text(const char* p, std::string_view& into) const {
    if (*p != '"') return nullptr;
    const char* const last = end_of_string(p + 1);
    if (!last) return nullptr;
    into = {p + 1, static_cast<std::size_t>(last - p - 1)};
    return last + 1;
  }

  /// The end of a number without exponent. The caller checks for a second point or a slash in it, and for an 'e' or a lost
  /// quote after it.
  [[gnu::always_inline]] const char* end_of_number(const char* p) const {
    if (*p == '-') ++p;
    for (; p < end_; p += 32) {
      const std::uint32_t stops = ByteMasks(p).outside('.', '9');
      if (stops != 0) return p + std::countr_zero(stops);
    }
    return nullptr;
  }

  /// The end of any value.
  const char* pass_over(const char* p) const {
    if (*p == '{' || *p == '[') return end_of_brackets(p);
    std::string_view unused;
    if (*p == '"') return text(p, unused);
    if (*p == 't' || *p == 'f' || *p == 'n') return end_of_letters(p);
    const char* const last = end_of_number(p);
    return last == p ? nullptr : last;
  }

 private:
  // From an opening bracket to one past the closing one.
  template <char closing, class Part>
  static const char* list(const char* p, Part part) {
    p = skip_blanks(p + 1);
    if (*p == closing) return p + 1;
    for (;;) {
      p = part(p);
      if (!p) return nullptr;
      p = skip_blanks(p);
      if (*p == closing) return p + 1;
      if (*p != ',') return nullptr;
      p = skip_blanks(p + 1);
    }
  }

  [[gnu::always_inline]] static const char* after_colon(const char* p) {
    p = skip_blanks(p);
    return *p == ':' ? skip_blanks(p + 1) : nullptr;
  }

  // The position of the closing quote, or nullptr if simdjson has to read the string. `p` is one past the opening quote.
  [[gnu::always_inline]] const char* end_of_string(const char* p) const {
    for (; p < end_; p += 32) {
      const ByteMasks bytes(p);
      const std::uint32_t stops = bytes.equal('"') | bytes.equal('\\') | bytes.not_printable();
      if (stops == 0) continue;
      p += std::countr_zero(stops);
      return *p == '"' ? p : nullptr;
    }
    return nullptr;
  }

  // The bits after an odd number of quotes, including those of opening quotes: a carry-less product with all ones.
  static std::uint64_t between_quotes(std::uint64_t quotes) {
#if defined(__PCLMUL__)
    const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<std::int64_t>(quotes)), _mm_set1_epi8('\xff'), 0);
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
#else
    for (unsigned shift = 1; shift < 64; shift *= 2) quotes ^= quotes << shift;
    return quotes;
#endif
  }

  // The end of the object or array at p, found by counting brackets, as simdjson does when it skips one.
  const char* end_of_brackets(const char* p) const {
    std::uint64_t in_string = 0;  // all ones when the block begins inside a string
    int depth = 0;
    for (; p < end_; p += 64) {
      const ByteMasks low(p), high(p + 32);
      const auto both = [](std::uint32_t a, std::uint32_t b) { return a | std::uint64_t{b} << 32; };
      const std::uint64_t strings = between_quotes(both(low.equal('"'), high.equal('"'))) ^ in_string;
      const std::uint64_t opening = both(low.equal_in_either_case('{'), high.equal_in_either_case('{')) & ~strings;
      std::uint64_t closing = both(low.equal_in_either_case('}'), high.equal_in_either_case('}')) & ~strings;
      std::uint64_t strange = both(low.equal('\\') | low.beyond_ascii(), high.equal('\\') | high.beyond_ascii()) |
                              (both(low.not_printable(), high.not_printable()) & strings);
      if constexpr (newlines == Newlines::End) strange |= both(low.equal('\n'), high.equal('\n'));
      // The depth at each closing bracket counts the brackets that opened before it.
      int before = 0;
      for (; closing != 0; closing &= closing - 1) {
        const int bit = std::countr_zero(closing);
        const std::uint64_t until = (std::uint64_t{1} << bit) - 1;
        if (depth + std::popcount(opening & until) - ++before > 0) continue;
        return (strange & until) == 0 && p + bit < end_ ? p + bit + 1 : nullptr;
      }
      if (strange != 0) return nullptr;
      depth += std::popcount(opening) - before;
      in_string = strings >> 63 != 0 ? ~std::uint64_t{0} : 0;
    }
    return nullptr;
  }

  // true, false, null, or any other letters.
  static const char* end_of_letters(const char* p) {
    while (*p >= 'a' && *p <= 'z') ++p;
    return p;
  }

  const char* const end_;
};

#endif

}  // namespace tv
