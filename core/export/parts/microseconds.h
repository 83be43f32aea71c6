// Nanoseconds as JSON's microseconds: exact, with three decimals. Never through a double.
#pragma once

#include <fmt/format.h>

#include <string>

#include "core/base/time.h"

namespace tv {

inline void append_microseconds(std::string& out, Ns ns) {
  std::uint64_t n = static_cast<std::uint64_t>(ns);
  if (ns < 0) {
    out += '-';
    n = 0 - n;
  }
  const fmt::format_int whole(n / kMicrosecond);
  out.append(whole.data(), whole.size());
  const auto rest = static_cast<unsigned>(n % kMicrosecond);
  const char decimals[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
  out.append(decimals, sizeof decimals);
}

}  // namespace tv
