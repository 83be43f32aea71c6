// A line of a rollout log as verl writes it.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace tv::test {

/// `end`: seconds since 2025-07-13 11:00, within an hour, stamped in whole microseconds. `extra`: the members of "extra".
inline std::string rollout_log_line(double end, std::string_view event, double seconds, int worker, int step,
                                    std::string_view extra = {}) {
  const std::int64_t us = std::llround(end * 1e6);
  return fmt::format(
      R"({{"timestamp": "2025-07-13T11:{:02}:{:02}.{:06}", "event": "{}", "duration_sec": {}{}, "workid": {}, "step": {}}})"
      "\n",
      us / 60'000'000, us / 1'000'000 % 60, us % 1'000'000, event, seconds,
      extra.empty() ? std::string() : fmt::format(R"(, "extra": {{{}}})", extra), worker, step);
}

}  // namespace tv::test
