// One line of a verl rollout log, as far as we need it.
// Source: rollout logs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/store/logs/rollout_log.h"

namespace tv {

struct RolloutLine {
  std::string_view timestamp, event, duration;  ///< duration: the number's text
  std::optional<std::int64_t> worker, step;
  // from "extra"; apart from the id, only for events whose extras RolloutTally wants
  std::string_view request_id, finish_reason;
  std::int64_t batch_id = -1;
  std::int32_t turn = -1, generated_tokens = -1, prompt_tokens = -1;
  std::int32_t turns = -1, user_turns = -1, turns_with_tools = -1;
  std::int32_t response_length = -1, response_tokens = -1, total_length = -1;
  std::vector<RolloutTurn> timings;

  /// Resets all members, but keeps the memory of `timings`.
  void clear() {
    std::vector<RolloutTurn> kept = std::move(timings);
    kept.clear();
    *this = {};
    timings = std::move(kept);
  }
};

/// The parts of "extra" that are read, besides the request's id.
struct WantedExtras {
  bool completion, engine, start;
};
WantedExtras wanted_extras(std::string_view event);

/// Reads a line of any JSON. False if it is not JSON. A value of the wrong type counts as missing. The line's texts live
/// until the next call on this thread.
bool read_rollout_line(std::string_view text, RolloutLine& line);

}  // namespace tv
