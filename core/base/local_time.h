// A time on the wall clock of the user's time zone, for dates that users read.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>

namespace tv {

/// `seconds` since the epoch. None if the year does not fit into a std::tm.
std::optional<std::tm> local_time(std::int64_t seconds);

}  // namespace tv
