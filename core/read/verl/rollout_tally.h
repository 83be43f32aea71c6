// Collects the RolloutLog of one file, line by line in file order. A request gets its row at the first line with its id, and its
// place among the complete requests at its async_rollout_request_complete.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/read/verl/rollout_line.h"
#include "core/store/logs/rollout_log.h"

namespace tv {

class RolloutTally {
 public:
  struct Event {
    std::string_view name;  ///< canonical (verl_events.h)
    RolloutEvent kind = RolloutEvent::kCount;  ///< the kind of `name`
    Ns stamp = 0;
    std::uint64_t offset = 0;
    std::int32_t run = 0;
    std::uint32_t key = 0;  ///< stands for the request id, if there is one: equal ids have equal keys until forget_keys()
  };

  void add(const RolloutLine& line, const Event& event);
  /// Call if the keys of later events are unrelated to those of earlier events.
  void forget_keys() { row_of_key_.clear(); }
  /// Resets everything, but keeps the memory, unless it is large.
  void clear();
  /// Call after the end of the file. Returns the log and clears the tally. `step`, `worker`: those of the file.
  RolloutLog take(std::optional<std::int64_t> step, std::optional<std::int64_t> worker);

 private:
  std::uint32_t row_of(const RolloutLine& line, const Event& event);
  void add_completion(const RolloutLine& line, const Event& event, double seconds, RolloutRequest& request);
  void add_engine_call(const RolloutLine& line, const Event& event, double seconds, std::uint32_t row);
  std::uint32_t text(std::string_view text) { return static_cast<std::uint32_t>(log_.texts.intern(text)); }

  struct EngineCall {
    std::uint32_t row;
    RolloutTurn turn;
  };

  RolloutLog log_;
  RolloutFile file_;
  std::vector<RolloutRequest> rows_;         ///< in order of their first lines
  std::vector<std::uint32_t> completed_;     ///< rows, in order of completion
  std::shared_ptr<StringTable> ids_ = std::make_shared<StringTable>();  ///< for rows_, with the same numbers
  std::vector<std::uint32_t> row_of_key_;    ///< saves looking up the id's text again
  std::vector<RolloutTurn> timings_;         ///< for the completed rows
  std::vector<EngineCall> calls_;
};

}  // namespace tv
