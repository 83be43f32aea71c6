#include "core/store/logs/rollout_bytes.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/store/logs/table_bytes.h"

namespace tv {
namespace {

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, RolloutFile>& file) {
  std::int32_t runs = 1;  // unused: a count in earlier versions
  bytes(file.source, file.step, file.worker, runs, file.begun, file.first_end, file.first_seconds);
}

template <class Bytes>
void members(Bytes& bytes, Like<Bytes, RolloutRequest>& request, Like<Bytes, std::uint32_t>& id) {
  bytes(request.seconds, request.end, request.offset, request.batch_id, request.file, id, request.finish,
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

constexpr std::size_t kLeastFile = 33, kLeastRequest = 197, kLeastTurn = 48, kLeastPhase = 36;  // bytes per entry

// `texts`: the number of texts.
bool consistent(const RolloutLog& log, std::size_t sources, std::size_t texts) {
  const std::size_t files = log.files.size(), turns = log.turns.size();
  return std::ranges::all_of(
             log.files,
             [&](const RolloutFile& file) { return file.source < sources && can_count_with(file.first_end); }) &&
         std::ranges::all_of(log.requests,
                             [&](const RolloutRequest& r) {
                               return r.file < files && r.finish < texts && r.run >= 0 && can_count_with(r.end) &&
                                      r.first_turn <= turns && r.turn_count <= turns - r.first_turn;
                             }) &&
         std::ranges::all_of(log.phases,
                             [&](const RolloutPhase& p) {
                               return p.file < files && p.event < texts && p.run >= 0 && can_count_with(p.end);
                             }) &&
         std::ranges::all_of(log.turns, [](const RolloutTurn& turn) { return can_count_with(turn.engine_end); });
}

// Copies the texts that are events and finish reasons to `out`, in table order. Returns by text its index there.
std::vector<std::uint32_t> copy_used_texts(const RolloutLog& log, const StringTable& texts, StringTable& out) {
  std::vector<bool> is_used(texts.size());
  for (const RolloutRequest& request : log.requests) is_used[request.finish] = true;
  for (const RolloutPhase& phase : log.phases) is_used[phase.event] = true;
  std::vector<std::uint32_t> number(texts.size());
  for (std::size_t t = 0; t < texts.size(); ++t) {
    if (is_used[t]) number[t] = static_cast<std::uint32_t>(out.intern_from(texts, id_at<StrId>(t)));
  }
  return number;
}

}  // namespace

// The format has one table for all texts, with events and reasons before request ids.
std::string rollout_bytes(const RolloutLog& log) {
  ByteWriter bytes;
  StringTable texts;
  const std::vector<std::uint32_t> number = copy_used_texts(log, log.texts, texts);
  texts.reserve(texts.size() + log.requests.size());
  std::vector<std::uint32_t> ids;  // by request
  ids.reserve(log.requests.size());
  for (const RolloutRequest& request : log.requests) ids.push_back(static_cast<std::uint32_t>(texts.intern(request.id)));
  put_texts(bytes, texts);
  put_table(bytes, log.files, kRolloutEntry);
  put_table(bytes, log.requests, [&, id = ids.begin()](ByteWriter& to, RolloutRequest request) mutable {
    request.finish = number[request.finish];
    members(to, request, *id++);
  });
  put_table(bytes, log.turns, kRolloutEntry);
  put_table(bytes, log.phases, [&](ByteWriter& to, RolloutPhase phase) {
    phase.event = number[phase.event];
    members(to, phase);
  });
  return bytes.bytes();
}

void take_rollout(ByteReader& bytes, std::size_t sources, RolloutLog& log) {
  const auto texts = std::make_shared<StringTable>();
  take_texts(bytes, *texts);
  log.ids.push_back(texts);
  take_table(bytes, kLeastFile, log.files, kRolloutEntry);
  take_table(bytes, kLeastRequest, log.requests.own(), [&](ByteReader& from, RolloutRequest& request) {
    std::uint32_t id = 0;
    members(from, request, id);
    if (id < texts->size()) request.id = (*texts)[id_at<StrId>(id)];
    else from.fail();
  });
  take_table(bytes, kLeastTurn, log.turns.own(), kRolloutEntry);
  take_table(bytes, kLeastPhase, log.phases.own(), kRolloutEntry);
  if (!bytes.ok() || !consistent(log, sources, texts->size())) return bytes.fail();
  const std::vector<std::uint32_t> number = copy_used_texts(log, *texts, log.texts);
  for (RolloutRequest& request : log.requests.own()) request.finish = number[request.finish];
  for (RolloutPhase& phase : log.phases.own()) phase.event = number[phase.event];
  log.share();
}

}  // namespace tv
