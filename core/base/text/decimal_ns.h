// Converts decimal text to integer nanoseconds exactly, never through double (at 1.7e15 µs, a double has steps of 0.25 µs).
// Source: times in the Trace Event Format, as kineto writes them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace tv {

/// `text` counts units of `unit_ns` (1000 for microseconds): "-12.5", "1.5e3", "1724203468009469.317".
/// Fractions of a nanosecond are rounded, halves away from zero. Only blanks may surround the number; nullopt for anything else and
/// for values that do not fit. `unit_ns`: at most 100 times a power of ten.
std::optional<Ns> decimal_ns(std::string_view text, Ns unit_ns);
/// Like decimal_ns(), but several times faster for plain numbers of microseconds or seconds. kDecimalPadding bytes after the text
/// must be readable.
std::optional<Ns> decimal_ns_padded(std::string_view text, Ns unit_ns);
/// A text of one digit may be followed by more: up to 16 digits, a dot and 8 decimals are read before the ends are compared.
inline constexpr std::size_t kDecimalPadding = 16 + 1 + 8 - 1;
/// A duration as users write it: "1.5ms", "-250 us", "10ns", "3s", "-9h", "2.5m", "5h45m"; seconds if there is no unit. Never
/// INT64_MIN, which cannot be negated.
std::optional<Ns> decimal_time(std::string_view text);
/// The length of a unit that decimal_time() and filters accept: "ns", "us", "µs", "ms", "s", "m" or "min", "h". 0 for others.
Ns unit_of_time(std::string_view name);

}  // namespace tv
