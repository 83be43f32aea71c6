// The id of a request in a log that a test makes by hand.
#pragma once

#include <memory>
#include <string_view>

#include "core/store/logs/rollout_log.h"

namespace tv {

/// Interns the text; the result is valid as long as the log exists.
inline std::string_view kept_id(RolloutLog& log, std::string_view text) {
  const auto table = std::make_shared<StringTable>();
  const StrId id = table->intern(text);
  log.ids.push_back(table);
  return (*table)[id];
}

}  // namespace tv
