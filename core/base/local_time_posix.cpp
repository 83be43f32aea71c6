#include "core/base/local_time.h"

namespace tv {

std::optional<std::tm> local_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  if (!::localtime_r(&time, &parts)) return std::nullopt;
  return parts;
}

}  // namespace tv
