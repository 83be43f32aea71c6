#include "core/store/rollout_bytes.h"

#include <algorithm>

namespace tv {
namespace {

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, RolloutFile>& file) {
  bytes(file.source, file.step, file.worker, file.runs, file.begun, file.first_end, file.first_seconds);
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

template <class Table>
void put_table(ByteWriter& bytes, const Table& table) {
  bytes(std::uint64_t{table.size()});
  for (const auto& entry : table) members(bytes, entry);
}

template <class Table>
void take_table(ByteReader& bytes, std::size_t least, Table& table) {
  table.resize(bytes.count(least));
  for (auto& entry : table) members(bytes, entry);
}

constexpr std::size_t kLeastFile = 33, kLeastRequest = 200, kLeastTurn = 48, kLeastPhase = 36;  // bytes an entry takes

bool consistent(const RolloutLog& log, std::size_t sources) {
  const std::size_t texts = log.texts.size(), files = log.files.size(), turns = log.turns.size();
  return std::ranges::all_of(log.files, [&](const RolloutFile& file) { return file.source < sources; }) &&
         std::ranges::all_of(log.requests,
                             [&](const RolloutRequest& r) {
                               return r.file < files && r.id < texts && r.finish < texts && r.run >= 0 &&
                                      r.first_turn <= turns && r.turn_count <= turns - r.first_turn;
                             }) &&
         std::ranges::all_of(log.phases,
                             [&](const RolloutPhase& p) { return p.file < files && p.event < texts && p.run >= 0; });
}

}  // namespace

std::string rollout_bytes(const RolloutLog& log) {
  ByteWriter bytes;
  bytes(std::uint64_t{log.texts.size()});
  for (std::size_t t = 0; t < log.texts.size(); ++t) bytes(std::string(log.texts[id_at<StrId>(t)]));
  put_table(bytes, log.files);
  put_table(bytes, log.requests);
  put_table(bytes, log.turns);
  put_table(bytes, log.phases);
  return bytes.bytes();
}

void take_rollout(ByteReader& bytes, std::size_t sources, RolloutLog& log) {
  std::string text;
  const std::size_t texts = bytes.count(8);
  for (std::size_t t = 0; t < texts && bytes.ok(); ++t) {
    bytes(text);
    if (idx(log.texts.intern(text)) != t) bytes.fail();
  }
  take_table(bytes, kLeastFile, log.files);
  take_table(bytes, kLeastRequest, log.requests);
  take_table(bytes, kLeastTurn, log.turns);
  take_table(bytes, kLeastPhase, log.phases);
  if (!consistent(log, sources)) bytes.fail();
}

}  // namespace tv
