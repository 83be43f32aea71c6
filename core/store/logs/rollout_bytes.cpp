#include "core/store/logs/rollout_bytes.h"

#include <algorithm>

#include "core/store/logs/table_bytes.h"

namespace tv {
namespace {

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, RolloutFile>& file) {
  std::int32_t runs = 1;  // counted here once
  bytes(file.source, file.step, file.worker, runs, file.begun, file.first_end, file.first_seconds);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, RolloutRequest>& request) {
  bytes(request.seconds, request.end, request.offset, request.batch_id, request.file, request.id, request.finish,
        request.run, request.turns, request.user_turns, request.turns_with_tools, request.prompt_tokens,
        request.response_length, request.response_tokens, request.total_length, request.first_turn, request.turn_count,
        request.complete);
  for (auto& seconds : request.seconds_of) bytes(seconds);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, RolloutTurn>& turn) {
  bytes(turn.pre_process, turn.engine_call, turn.post_process, turn.tool_parsing, turn.engine_end, turn.turn,
        turn.tokens);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, RolloutPhase>& phase) {
  bytes(phase.seconds, phase.end, phase.offset, phase.file, phase.event, phase.run);
}

constexpr auto kRolloutEntry = [](auto& bytes, auto& entry) { members(bytes, entry); };

constexpr std::size_t kLeastFile = 33, kLeastRequest = 200, kLeastTurn = 48, kLeastPhase = 36;  // bytes an entry takes

bool consistent(const RolloutLog& log, std::size_t sources) {
  const std::size_t texts = log.texts.size(), files = log.files.size(), turns = log.turns.size();
  return std::ranges::all_of(
             log.files,
             [&](const RolloutFile& file) { return file.source < sources && can_count_with(file.first_end); }) &&
         std::ranges::all_of(log.requests,
                             [&](const RolloutRequest& r) {
                               return r.file < files && r.id < texts && r.finish < texts && r.run >= 0 &&
                                      can_count_with(r.end) && r.first_turn <= turns &&
                                      r.turn_count <= turns - r.first_turn;
                             }) &&
         std::ranges::all_of(log.phases,
                             [&](const RolloutPhase& p) {
                               return p.file < files && p.event < texts && p.run >= 0 && can_count_with(p.end);
                             }) &&
         std::ranges::all_of(log.turns, [](const RolloutTurn& turn) { return can_count_with(turn.engine_end); });
}

}  // namespace

std::string rollout_bytes(const RolloutLog& log) {
  ByteWriter bytes;
  put_texts(bytes, log.texts);
  put_table(bytes, log.files, kRolloutEntry);
  put_table(bytes, log.requests, kRolloutEntry);
  put_table(bytes, log.turns, kRolloutEntry);
  put_table(bytes, log.phases, kRolloutEntry);
  return bytes.bytes();
}

void take_rollout(ByteReader& bytes, std::size_t sources, RolloutLog& log) {
  take_texts(bytes, log.texts);
  take_table(bytes, kLeastFile, log.files, kRolloutEntry);
  take_table(bytes, kLeastRequest, log.requests.own(), kRolloutEntry);
  take_table(bytes, kLeastTurn, log.turns.own(), kRolloutEntry);
  take_table(bytes, kLeastPhase, log.phases.own(), kRolloutEntry);
  log.share();
  if (!consistent(log, sources)) bytes.fail();
}

}  // namespace tv
