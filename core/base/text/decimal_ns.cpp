#include "core/base/text/decimal_ns.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

__extension__ using Wide = unsigned __int128;

// All powers of ten that fit into 64 bits.
constexpr std::array<std::uint64_t, 20> kPowers = [] {
  std::array<std::uint64_t, 20> powers = {1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// A number as sign and mantissa * 10^exponent.
struct Decimal {
  Wide mantissa = 0;
  int exponent = 0;
  bool negative = false;
};

constexpr int kMantissaDigits = 36;  // 10^36 < 2^128; digits after these only change the exponent

std::optional<Decimal> parse(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) ++p;
  Decimal d;
  if (p < end && (*p == '-' || *p == '+')) d.negative = *p++ == '-';
  int digits = 0, significant = 0;
  std::uint64_t first_digits = 0;  // the first 19, nearly always all: 64 bits are faster than 128
  constexpr int kFirstDigits = 19;
  bool fraction = false;
  for (; p < end; ++p) {
    if (*p == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (!is_digit(*p)) break;
    ++digits;
    if (significant < kMantissaDigits) {
      const auto digit = static_cast<unsigned>(*p - '0');
      if (significant < kFirstDigits) {
        first_digits = first_digits * 10 + digit;
        d.mantissa = first_digits;
      } else {
        d.mantissa = d.mantissa * 10 + digit;
      }
      if (first_digits != 0) ++significant;
      if (fraction) --d.exponent;
    } else if (!fraction) {
      ++d.exponent;
    }
  }
  if (digits == 0) return std::nullopt;
  if (p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    bool negative = false;
    if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
    if (p == end || !is_digit(*p)) return std::nullopt;
    int exponent = 0;
    for (; p < end && is_digit(*p); ++p) {
      if (exponent < 100'000) exponent = exponent * 10 + (*p - '0');
    }
    d.exponent += negative ? -exponent : exponent;
  }
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) ++p;
  if (p != end) return std::nullopt;
  return d;
}

struct Digits {
  std::uint64_t value;
  unsigned count;
};

// Reads the leading digits at `p`, at most eight, all at once. Eight bytes must be readable.
// Source: D. Lemire, "Quickly parsing eight digits" (2018).
[[gnu::always_inline]] inline Digits leading_digits(const char* p) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, p, sizeof bytes);
  bytes ^= 0x3030'3030'3030'3030;  // digits become 0 to 9, other characters something larger
  // Adding 0x76 sets the top bit of a byte above 9. A carry only disturbs bytes after the first such byte.
  const std::uint64_t non_digits = ((bytes + 0x7676'7676'7676'7676) | bytes) & 0x8080'8080'8080'8080;
  const unsigned count = static_cast<unsigned>(std::countr_zero(non_digits)) / 8;
  if (count == 0) return {0, 0};
  bytes <<= 64 - 8 * count;  // as if zeros preceded the digits
  bytes = bytes * 10 + (bytes >> 8);
  constexpr std::uint64_t kEveryFourth = 0x0000'00ff'0000'00ff;
  bytes = (bytes & kEveryFourth) * 0x000f'4240'0000'0064 + (bytes >> 16 & kEveryFourth) * 0x0000'2710'0000'0001;
  bytes >>= 32;
  return {bytes, count};
}

// Reads the form of nearly every time in a trace: up to 16 digits of microseconds and up to 3 decimals. Returns false for any other
// form. Whether the text ends where the number ends is compared last, so it looks beyond the text (kDecimalPadding). The result
// must be that of decimal_ns() (tests/base/decimal_ns_test.cpp).
bool plain_microseconds(std::string_view text, Ns& ns) {
  if constexpr (std::endian::native != std::endian::little) return false;
  const char* p = text.data();
  Digits whole = leading_digits(p);
  if (whole.count == 0) return false;
  p += whole.count;
  if (whole.count == 8) {
    const Digits more = leading_digits(p);
    whole.value = whole.value * kPowers[more.count] + more.value;
    p += more.count;
  }
  std::uint64_t value = whole.value * 1000;
  if (*p == '.') {
    const Digits decimals = leading_digits(++p);
    if (decimals.count > 3) return false;
    value += decimals.value * kPowers[3 - decimals.count];
    p += decimals.count;
  }
  if (p != text.data() + text.size() || value > static_cast<std::uint64_t>(INT64_MAX)) return false;
  ns = static_cast<Ns>(value);
  return true;
}

// The same for the form of nearly every duration in a log: up to 8 digits of seconds and any number of decimals.
bool plain_seconds(std::string_view text, Ns& ns) {
  if constexpr (std::endian::native != std::endian::little) return false;
  const char* p = text.data();
  const char* const end = p + text.size();
  const Digits whole = leading_digits(p);
  if (whole.count == 0) return false;
  p += whole.count;
  std::uint64_t value = whole.value * 1'000'000'000;
  if (p < end && *p == '.') {
    const Digits decimals = leading_digits(++p);
    value += decimals.value * kPowers[9 - decimals.count];
    p += decimals.count;
    if (decimals.count == 8 && p < end && is_digit(*p)) {
      value += static_cast<unsigned>(*p++ - '0');
      if (p < end && is_digit(*p)) value += *p >= '5' ? 1 : 0;
      while (p < end && is_digit(*p)) ++p;
    }
  }
  ns = static_cast<Ns>(value);
  return p == end;
}

}  // namespace

std::optional<Ns> decimal_ns(std::string_view text, Ns unit_ns) {
  const std::optional<Decimal> parsed = parse(text);
  if (!parsed) return std::nullopt;
  Decimal d = *parsed;
  if (d.mantissa == 0) return 0;
  constexpr Wide kLimit = Wide{1} << 64;  // larger than any result
  Ns factor = unit_ns;  // what remains of the unit without its powers of ten
  for (; factor >= 10 && factor % 10 == 0; factor /= 10) ++d.exponent;
  d.mantissa *= static_cast<Wide>(factor);  // fits: a mantissa has at most 36 digits, and the factor is at most 100
  for (; d.exponent > 0; --d.exponent) {
    if (d.mantissa > kLimit) return std::nullopt;
    d.mantissa *= 10;
  }
  bool round_up = false;
  if (d.mantissa < kLimit) {  // nearly always; dividing 128 bits takes ten times as long
    const auto mantissa = static_cast<std::uint64_t>(d.mantissa);
    const auto dropped = static_cast<std::size_t>(-d.exponent);
    const bool in_table = dropped < kPowers.size();  // otherwise the result is below half a nanosecond
    round_up = in_table && dropped > 0 && mantissa % kPowers[dropped] >= kPowers[dropped] / 2;
    d.mantissa = in_table ? mantissa / kPowers[dropped] : 0;
  } else {
    for (; d.exponent < 0 && d.mantissa != 0; ++d.exponent) {
      round_up = d.mantissa % 10 >= 5;
      d.mantissa /= 10;
    }
    if (d.exponent < 0) round_up = false;  // the result is far below half a nanosecond
  }
  d.mantissa += round_up ? 1 : 0;
  if (d.mantissa > static_cast<Wide>(INT64_MAX)) return std::nullopt;
  const auto ns = static_cast<Ns>(d.mantissa);
  return d.negative ? -ns : ns;
}

std::optional<Ns> decimal_ns_padded(std::string_view text, Ns unit_ns) {
  if (text.empty()) return std::nullopt;
  if (Ns ns = 0; unit_ns == kMicrosecond && plain_microseconds(text, ns)) return ns;
  if (Ns ns = 0; unit_ns == kSecond && plain_seconds(text, ns)) return ns;
  return decimal_ns(text, unit_ns);
}

Ns unit_of_time(std::string_view name) {
  struct Unit {
    std::string_view name;
    Ns ns;
  };
  constexpr Ns kMinute = 60 * kSecond;
  constexpr Unit kUnits[] = {{"ns", 1},      {"us", kMicrosecond}, {"µs", kMicrosecond}, {"ms", kMillisecond},
                             {"s", kSecond}, {"m", kMinute},       {"min", kMinute},     {"h", 60 * kMinute}};
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return unit.ns;
  }
  return 0;
}

std::optional<Ns> decimal_time(std::string_view text) {
  const auto is_of_number = [](char c) { return is_digit(c) || c == '.' || c == ' ' || c == '+' || c == '-'; };
  // Reads one number with or without a unit. The unit is what follows the last digit, so the e of "1e5" belongs to the number.
  const auto read_one = [&](std::string_view part, Ns& unit) -> std::optional<Ns> {
    std::size_t end = part.size();
    while (end > 0 && !is_of_number(part[end - 1])) --end;
    const std::string_view name = part.substr(end);
    unit = name.empty() ? kSecond : unit_of_time(name);
    if (unit == 0) return std::nullopt;
    return decimal_ns(part.substr(0, end), unit);
  };
  Ns unit = 0;
  if (const auto whole = read_one(text, unit)) return whole;
  // Several parts, as in "5h45m": units must decrease, and only the first part may have a sign, which applies to all.
  Ns sum = 0, last_unit = INT64_MAX;
  bool negative = false;
  for (std::size_t at = 0, begin = 0; at < text.size(); begin = at) {
    while (at < text.size() && is_of_number(text[at])) ++at;
    if (at == begin) return std::nullopt;
    while (at < text.size() && !is_of_number(text[at])) ++at;
    const std::string_view part = text.substr(begin, at - begin);
    const auto value = read_one(part, unit);
    const bool is_signed = part.find_first_of("+-") != std::string_view::npos;
    if (!value || unit >= last_unit || (begin > 0 && is_signed) || is_of_number(part.back())) return std::nullopt;
    if (begin == 0) negative = part.find('-') != std::string_view::npos;
    if (__builtin_add_overflow(sum, negative && begin > 0 ? -*value : *value, &sum)) return std::nullopt;
    last_unit = unit;
  }
  // Callers may negate the result, so the one value that cannot be negated is rejected.
  return text.empty() || sum == INT64_MIN ? std::nullopt : std::optional(sum);
}

}  // namespace tv
