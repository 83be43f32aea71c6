// The data of rollout logs beyond slices: sizes, turns, and durations in seconds exactly as written (slices have whole
// nanoseconds, but scripts compute with the written numbers). Each file is read in file order; in a Trace, files are in the order
// of its sources. Copies share requests, turns and phases (share()). Cost: 216 bytes per request plus its id once, 48 per turn,
// 40 per phase of a worker. Source: rollout logs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
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
  std::int32_t step = -1;    ///< from the name of the folder, or else from the lines; -1: unknown
  std::int32_t worker = -1;  ///< from the lines, or else from the name of the file; -1: the trainer
  bool begun = false;        ///< there is a line with a time
  Ns first_end = 0;          ///< the time of the first such line, at which its event ended
  double first_seconds = 0;  ///< the duration of that event; 0 if the line has none
};

/// A request. Its complete line is async_rollout_request_complete; a request that was in flight when the log ended has none.
struct RolloutRequest {
  std::string_view id;         ///< request_id; stored in one of RolloutLog::ids
  double seconds = 0;          ///< duration in the complete line, may be NaN; 0 if the line has no duration
  Ns end = 0;                  ///< timestamp of the complete line, or else of the last line; in a Trace, in the trace's clock
  std::uint64_t offset = 0;    ///< of the complete line in its file, or else of the first line
  std::int64_t batch_id = -1;  ///< batch_data_id: the position of the prompt in the batch
  std::uint32_t file = 0;      ///< index into RolloutLog::files
  std::uint32_t finish = 0;    ///< finish reason without the name of the enumeration, in texts
  std::int32_t run = 0;        ///< number of the run within the file, from 0
  std::int32_t turns = -1, user_turns = -1, turns_with_tools = -1;  ///< -1: unknown
  std::int32_t prompt_tokens = -1;     ///< initial_prompt_length
  std::int32_t response_length = -1;   ///< tokens, including those of tools and users
  std::int32_t response_tokens = -1;   ///< tokens of the model only
  std::int32_t total_length = -1;      ///< including the prompt
  std::uint32_t first_turn = 0, turn_count = 0;  ///< in RolloutLog::turns
  bool complete = false;
  std::array<double, static_cast<std::size_t>(RolloutEvent::kCount)> seconds_of{};  ///< by event: sum over the request's lines
};

/// An entry of turn_timings; for an incomplete request, a turn_engine_call line.
struct RolloutTurn {
  double pre_process = 0, engine_call = 0, post_process = 0, tool_parsing = 0;  ///< seconds
  Ns engine_end = -1;         ///< time of the turn_engine_call line; -1: there is no such line
  std::int32_t turn = 0;      ///< from 0
  std::int32_t tokens = -1;   ///< generated in this turn; -1: unknown
};

/// A line about the worker itself that has a duration.
struct RolloutPhase {
  double seconds = 0;
  Ns end = 0;
  std::uint64_t offset = 0;
  std::uint32_t file = 0;
  std::uint32_t event = 0;  ///< canonical name, in texts
  std::int32_t run = 0;
};

/// The folder of the run that a file belongs to: .../exp/step_3/worker_0.jsonl and .../exp/worker_0.jsonl -> .../exp
std::string_view rollout_run_folder(std::string_view path);
/// SourceInfo::run of a file, once it is known which reader reads it.
std::string rollout_run(std::string_view reader, std::string_view path);
/// "exp" for the run folder .../exp, "exp (run 2)" for the second run in the same files. `number`: from 0.
std::string rollout_run_name(std::string_view folder, std::int64_t number);

/// The sizes of a log's tables, or of the first part of each.
struct RolloutLogEnd {
  std::size_t texts = 0, ids = 0, files = 0, requests = 0, turns = 0, phases = 0;
  bool operator==(const RolloutLogEnd&) const = default;
};

struct RolloutLog {
  StringTable texts;  ///< names of events and finish reasons: few
  std::vector<std::shared_ptr<const StringTable>> ids;  ///< ids of requests; files can share a table, and so can logs
  std::vector<RolloutFile> files;
  AppendList<RolloutRequest> requests;  ///< by file, in order of their complete lines, those in flight last
  AppendList<RolloutTurn> turns;
  AppendList<RolloutPhase> phases;  ///< by file, in file order

  bool empty() const { return files.empty(); }
  std::string_view text(std::uint32_t id) const { return texts[static_cast<StrId>(id)]; }
  /// A copy. Data for which share() was called are shared.
  RolloutLog copy() const { return first(end()); }
  /// A copy of the data that existed when end() returned `end`.
  RolloutLog first(const RolloutLogEnd& end) const;
  RolloutLogEnd end() const { return {texts.size(), ids.size(), files.size(), requests.size(), turns.size(), phases.size()}; }
  /// Reserves memory for these logs, so that appending them reallocates nothing.
  void reserve_for(std::span<const RolloutLog* const> logs);
  /// Appends another log. Adds `shift` to its times, and `source` to the numbers of its sources.
  void append(const RolloutLog& other, std::uint32_t source, Ns shift);
  /// Allows later copies to share the data that the log has now.
  void share();
  std::size_t bytes() const;
};

}  // namespace tv
