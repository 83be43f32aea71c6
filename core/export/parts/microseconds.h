// Writes nanoseconds as microseconds with three decimals, for JSON. Computes with integers, because a double would round.
#pragma once

#include <fmt/format.h>

#include <string>

#include "core/base/time.h"

namespace tv {

inline void append_microseconds(std::string& out, Ns ns) {
  std::uint64_t magnitude = static_cast<std::uint64_t>(ns);
  if (ns < 0) {
    out += '-';
    magnitude = 0 - magnitude;  // correct even for the least Ns
  }
  const fmt::format_int whole(magnitude / kMicrosecond);
  out.append(whole.data(), whole.size());
  const auto rest = static_cast<unsigned>(magnitude % kMicrosecond);
  const char decimals[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
  out.append(decimals, sizeof decimals);
}

}  // namespace tv
