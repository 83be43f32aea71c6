// Reads one line of a verl rollout log, as far as traceview needs it. Source: rollout logs.
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
  // From "extra". All but the id are read only for events for which RolloutTally needs them (wanted_extras()).
  std::string_view request_id, finish_reason;
  std::int64_t batch_id = -1;
  std::int32_t turn = -1, generated_tokens = -1, prompt_tokens = -1;
  std::int32_t turns = -1, user_turns = -1, turns_with_tools = -1;
  std::int32_t response_length = -1, response_tokens = -1, total_length = -1;
  std::vector<RolloutTurn> timings;

  /// Resets all members, but keeps the memory of `timings`.
  void clear() {
    std::vector<RolloutTurn> memory = std::move(timings);
    memory.clear();
    *this = {};
    timings = std::move(memory);
  }
};

/// The parts of "extra" that are read, apart from the request's id.
struct WantedExtras {
  bool completion, engine, start;
};
WantedExtras wanted_extras(std::string_view event);

/// Reads a line of any JSON, plain or not. False if the text is not one JSON object. A value of the wrong type counts as missing.
/// The line's texts are valid until the next call on this thread.
bool read_rollout_line(std::string_view text, RolloutLine& line);

}  // namespace tv
