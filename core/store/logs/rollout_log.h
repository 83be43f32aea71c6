// Data of a rollout's logs beyond the slices that are drawn: sizes, turns, and durations in seconds exactly as written (slices
// have whole nanoseconds, which is not what a script computes with). Filled file by file while reading, in file order; in a
// Trace, files are in the order of its sources. Copies share requests, turns and phases (share()). Cost: 216 bytes per request
// plus its id once, 48 per turn, 40 per phase of a worker. Source: rollout logs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/memory/append_list.h"
#include "core/base/text/string_table.h"
#include "core/base/time.h"

namespace tv {

/// The events of a request's lines, by name. Their durations nest (a main loop contains its turns).
enum class RolloutEvent : std::uint8_t {
  main_loop,
  pending_state_handling,
  tool_calling_state,
  tool_execution,
  tool_response_processing,
  turn_tool_parsing,
  tool_parsing,   ///< before July 2025
  running_state,  ///< before July 2025
  engine_call,    ///< before July 2025
  turn_engine_call,
  interacting_state,
  interaction_response,
  reward_calculation,
  finalization,
  kCount,
};
std::string_view name(RolloutEvent event);
/// kCount: none of them.
RolloutEvent rollout_event(std::string_view name);

/// One step_N/worker_M.jsonl.
struct RolloutFile {
  std::uint32_t source = 0;
  std::int32_t step = -1;    ///< from the folder's name, else from the lines; -1: unknown
  std::int32_t worker = -1;  ///< from the lines, else from the file's name; the trainer is -1
  bool begun = false;        ///< has a line with a time
  Ns first_end = 0;          ///< end of the first such line
  double first_seconds = 0;  ///< its duration, 0 if it has none
};

/// A request: one line async_rollout_request_complete, or none if it was in flight when the log ends.
struct RolloutRequest {
  std::string_view id;        ///< request_id; stored in one of RolloutLog::ids
  double seconds = 0;         ///< from the complete line, NaN if written so; 0 if it has no duration
  Ns end = 0;                 ///< its timestamp, else the last one seen; in a Trace, in the trace's clock
  std::uint64_t offset = 0;   ///< of the complete line in its file, else of the first line
  std::int64_t batch_id = -1;  ///< batch_data_id: the position of the prompt in the batch
  std::uint32_t file = 0;     ///< index into RolloutLog::files
  std::uint32_t finish = 0;   ///< finish reason without the enumeration's name, in texts
  std::int32_t run = 0;       ///< run within the file, from 0
  std::int32_t turns = -1, user_turns = -1, turns_with_tools = -1;  ///< -1: unknown
  std::int32_t prompt_tokens = -1;     ///< initial_prompt_length
  std::int32_t response_length = -1;   ///< tokens, including those of tools and users
  std::int32_t response_tokens = -1;   ///< tokens of the model only
  std::int32_t total_length = -1;      ///< including the prompt
  std::uint32_t first_turn = 0, turn_count = 0;  ///< in RolloutLog::turns
  bool complete = false;
  std::array<double, static_cast<std::size_t>(RolloutEvent::kCount)> seconds_of{};  ///< sums over the request's lines
};

/// An entry of turn_timings; for an incomplete request, a turn_engine_call line.
struct RolloutTurn {
  double pre_process = 0, engine_call = 0, post_process = 0, tool_parsing = 0;  ///< seconds
  Ns engine_end = -1;         ///< from its turn_engine_call line; -1: there is none
  std::int32_t turn = 0;      ///< from 0
  std::int32_t tokens = -1;   ///< generated in this turn; -1: unknown
};

/// A line with a duration about the worker itself.
struct RolloutPhase {
  double seconds = 0;
  Ns end = 0;
  std::uint64_t offset = 0;
  std::uint32_t file = 0;
  std::uint32_t event = 0;  ///< canonical name, in texts
  std::int32_t run = 0;
};

/// The folder of a file's run: .../exp/step_3/worker_0.jsonl and .../exp/worker_0.jsonl -> .../exp
std::string_view rollout_run_folder(std::string_view path);

/// The sizes of a log, or of its first part.
struct RolloutLogEnd {
  std::size_t texts = 0, ids = 0, files = 0, requests = 0, turns = 0, phases = 0;
  bool operator==(const RolloutLogEnd&) const = default;
};

struct RolloutLog {
  StringTable texts;  ///< texts of events and finish reasons: few
  std::vector<std::shared_ptr<const StringTable>> ids;  ///< ids of requests; several files can share a table, and so can logs
  std::vector<RolloutFile> files;
  AppendList<RolloutRequest> requests;  ///< by file, in order of their complete lines, those in flight last
  AppendList<RolloutTurn> turns;
  AppendList<RolloutPhase> phases;  ///< by file, in file order

  bool empty() const { return files.empty(); }
  std::string_view text(std::uint32_t id) const { return texts[static_cast<StrId>(id)]; }
  /// A copy that shares the data for which share() was called.
  RolloutLog copy() const { return first(end()); }
  /// A copy of the data that existed when end() returned `end`.
  RolloutLog first(const RolloutLogEnd& end) const;
  RolloutLogEnd end() const { return {texts.size(), ids.size(), files.size(), requests.size(), turns.size(), phases.size()}; }
  /// Reserves room for these logs, so that appending them moves nothing.
  void reserve_for(std::span<const RolloutLog* const> logs);
  /// Appends another log; its times are shifted by `shift`, its files' sources are numbered from `source`.
  void append(const RolloutLog& other, std::uint32_t source, Ns shift);
  /// Lets later copies share the present data.
  void share();
  std::size_t bytes() const;
};

}  // namespace tv
