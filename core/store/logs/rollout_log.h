// What a rollout's logs say of its requests beyond the slices that are drawn: sizes, turns, and durations in seconds
// exactly as they were written (slices have whole nanoseconds, which is not what a script computes with). Filled file
// by file while reading, in file order; in a Trace, all files one after the other in the order of its sources. A copy shares what
// is in it. Cost: 216 bytes per request and its id once, 48 per turn, 48 per phase of a worker. Source: rollout logs.
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

/// A step_N/worker_M.jsonl.
struct RolloutFile {
  std::uint32_t source = 0;
  std::int32_t step = -1;    ///< as the folder says, else the lines; -1: neither does
  std::int32_t worker = -1;  ///< as the lines say, else the file's name; the trainer is -1
  bool begun = false;        ///< has a line with a time
  Ns first_end = 0;          ///< end of the first such line
  double first_seconds = 0;  ///< its duration, 0 when it has none
};

/// A request that was seen: one line async_rollout_request_complete, or none if it was in flight when the log ends.
struct RolloutRequest {
  std::string_view id;        ///< request_id; of one of RolloutLog::ids
  double seconds = 0;         ///< of the complete line, NaN if it says so; 0 if it has no duration
  Ns end = 0;                 ///< its stamp, else the last one seen; in the trace's time once in a Trace
  std::uint64_t offset = 0;   ///< of the complete line in its file, else of the first line
  std::int64_t batch_id = -1;  ///< batch_data_id: the prompt's place in the batch
  std::uint32_t file = 0;     ///< index into RolloutLog::files
  std::uint32_t finish = 0;   ///< its reason without the enumeration's name, in texts
  std::int32_t run = 0;       ///< run within the file, from 0
  std::int32_t turns = -1, user_turns = -1, turns_with_tools = -1;  ///< -1: not said
  std::int32_t prompt_tokens = -1;     ///< initial_prompt_length
  std::int32_t response_length = -1;   ///< tokens, those of tools and users too
  std::int32_t response_tokens = -1;   ///< tokens of the model alone
  std::int32_t total_length = -1;      ///< with the prompt
  std::uint32_t first_turn = 0, turn_count = 0;  ///< in RolloutLog::turns
  bool complete = false;
  std::array<double, static_cast<std::size_t>(RolloutEvent::kCount)> seconds_of{};  ///< sums over the request's lines
};

/// An entry of turn_timings; where the request is not complete, a turn_engine_call line.
struct RolloutTurn {
  double pre_process = 0, engine_call = 0, post_process = 0, tool_parsing = 0;  ///< seconds
  Ns engine_end = -1;         ///< from its turn_engine_call line; -1: there is none
  std::int32_t turn = 0;      ///< from 0
  std::int32_t tokens = -1;   ///< generated in it; -1: not said
};

/// A line of the worker itself that has a duration.
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

/// How much there is of a log, or of the first part of it.
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
  /// A copy, which shares what share() was called for.
  RolloutLog copy() const { return first(end()); }
  /// A copy of the data that was there when end() returned this.
  RolloutLog first(const RolloutLogEnd& end) const;
  RolloutLogEnd end() const { return {texts.size(), ids.size(), files.size(), requests.size(), turns.size(), phases.size()}; }
  /// Reserves room for these logs, so that nothing is moved when they are appended.
  void reserve_for(std::span<const RolloutLog* const> logs);
  /// Adds another's, its times moved by `shift`, its files' sources numbered from `source`.
  void append(const RolloutLog& other, std::uint32_t source, Ns shift);
  /// From now on copies share its data.
  void share();
  std::size_t bytes() const;
};

}  // namespace tv
