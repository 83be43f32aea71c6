#include "core/read/verl/rollout_tally.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace tv {
namespace {

constexpr std::uint32_t kNoRow = UINT32_MAX;

// The value that json.loads returns; nullopt if the text is not a number. Infinity becomes NaN, as sums and differences with it
// would be NaN or infinite.
std::optional<double> seconds_of(std::string_view text) {
  double seconds = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), seconds).ec != std::errc()) return std::nullopt;
  return std::isfinite(seconds) ? seconds : std::numeric_limits<double>::quiet_NaN();
}

std::int32_t small(std::optional<std::int64_t> number) {
  return number && *number >= -1 && *number <= std::numeric_limits<std::int32_t>::max()
             ? static_cast<std::int32_t>(*number)
             : -1;
}

// FinishReasonTypeEnum.STOP -> STOP
std::string_view short_reason(std::string_view reason) { return reason.substr(reason.rfind('.') + 1); }

}  // namespace

void RolloutTally::add(const RolloutLine& line, const Event& event) {
  if (!file_.begun) {
    file_.begun = true;
    file_.first_end = event.stamp;
    file_.first_seconds = seconds_of(line.duration).value_or(0);
  }
  if (line.request_id.empty()) {
    const std::optional<double> seconds = seconds_of(line.duration);
    if (seconds) log_.phases.push_back({*seconds, event.stamp, event.offset, 0, text(event.name), event.run});
    return;
  }
  const std::uint32_t row = row_of(line, event);
  RolloutRequest& request = rows_[row];
  if (event.name == "async_rollout_request_complete") {
    return add_completion(line, event, seconds_of(line.duration).value_or(0), request);
  }
  if (!request.complete) request.end = event.stamp;
  if (line.prompt_tokens >= 0) request.prompt_tokens = line.prompt_tokens;
  if (event.kind == RolloutEvent::kCount) return;
  const std::optional<double> seconds = seconds_of(line.duration);
  if (!seconds) return;
  request.seconds_of[static_cast<std::size_t>(event.kind)] += *seconds;
  if (event.kind == RolloutEvent::turn_engine_call) add_engine_call(line, event, *seconds, row);
}

std::uint32_t RolloutTally::row_of(const RolloutLine& line, const Event& event) {
  if (event.key < row_of_key_.size() && row_of_key_[event.key] != kNoRow) return row_of_key_[event.key];
  const StrId id = ids_->intern(line.request_id);
  const auto row = static_cast<std::uint32_t>(id);
  if (row == rows_.size()) {
    RolloutRequest& request = rows_.emplace_back();
    request.id = (*ids_)[id];
    request.finish = text("");
    request.offset = event.offset;
    request.run = event.run;
  }
  if (event.key >= row_of_key_.size()) row_of_key_.resize(event.key + 1, kNoRow);
  return row_of_key_[event.key] = row;
}

void RolloutTally::add_completion(const RolloutLine& line, const Event& event, double seconds,
                                  RolloutRequest& request) {
  if (request.complete) return;  // of completions with the same id, the first counts
  request.complete = true;
  request.seconds = seconds;
  request.end = event.stamp;
  request.offset = event.offset;
  request.batch_id = line.batch_id;
  request.finish = text(short_reason(line.finish_reason));
  request.turns = line.turns;
  request.user_turns = line.user_turns;
  request.turns_with_tools = line.turns_with_tools;
  request.response_length = line.response_length;
  request.response_tokens = line.response_tokens;
  request.total_length = line.total_length;
  request.first_turn = static_cast<std::uint32_t>(timings_.size());
  request.turn_count = static_cast<std::uint32_t>(line.timings.size());
  timings_.insert(timings_.end(), line.timings.begin(), line.timings.end());
  completed_.push_back(static_cast<std::uint32_t>(&request - rows_.data()));
}

void RolloutTally::add_engine_call(const RolloutLine& line, const Event& event, double seconds, std::uint32_t row) {
  RolloutTurn turn;
  turn.engine_call = seconds;
  turn.engine_end = event.stamp;
  turn.turn = line.turn;
  turn.tokens = line.generated_tokens;
  calls_.push_back({row, turn});
}

RolloutLog RolloutTally::take(std::optional<std::int64_t> step, std::optional<std::int64_t> worker) {
  file_.step = small(step);
  file_.worker = small(worker);
  log_.files.push_back(file_);
  log_.ids.push_back(ids_);
  // Engine calls supply the ends and token counts of a request's turns. Without turn_timings, each engine call is a turn.
  std::ranges::stable_sort(calls_, {}, &EngineCall::row);
  std::vector<std::uint32_t> first_call(rows_.size() + 1, 0);
  for (const EngineCall& call : calls_) ++first_call[call.row + 1];
  for (std::size_t r = 0; r < rows_.size(); ++r) first_call[r + 1] += first_call[r];
  log_.requests.reserve_more(rows_.size());
  std::vector<RolloutTurn>& turns = log_.turns.own();
  turns.reserve(std::max(timings_.size(), calls_.size()));
  std::vector<std::pair<std::int32_t, std::uint32_t>> calls_by_turn;  // of a request: number of the turn, index of the call
  const auto finish = [&](std::uint32_t row) {
    RolloutRequest request = rows_[row];
    const std::span calls(calls_.data() + first_call[row], first_call[row + 1] - first_call[row]);
    const std::size_t first = turns.size();
    turns.insert(turns.end(), timings_.begin() + request.first_turn,
                 timings_.begin() + request.first_turn + request.turn_count);
    const bool listed = request.turn_count > 0;
    calls_by_turn.clear();
    for (std::uint32_t c = 0; c < calls.size(); ++c) {
      if (listed) calls_by_turn.emplace_back(calls[c].turn.turn, c);
      if (!listed) turns.push_back(calls[c].turn);
    }
    std::ranges::sort(calls_by_turn);
    for (std::size_t t = first; !calls_by_turn.empty() && t < turns.size(); ++t) {
      // If a turn has several calls, the last one counts.
      const auto after = std::ranges::upper_bound(calls_by_turn, turns[t].turn, {}, [](const auto& call) { return call.first; });
      if (after == calls_by_turn.begin() || (after - 1)->first != turns[t].turn) continue;
      const RolloutTurn& call = calls[(after - 1)->second].turn;
      turns[t].engine_end = call.engine_end;
      turns[t].tokens = call.tokens;
    }
    request.first_turn = static_cast<std::uint32_t>(first);
    request.turn_count = static_cast<std::uint32_t>(turns.size() - first);
    log_.requests.push_back(request);
  };
  for (const std::uint32_t row : completed_) finish(row);
  for (std::uint32_t row = 0; row < rows_.size(); ++row) {
    if (!rows_[row].complete) finish(row);
  }
  RolloutLog log = std::move(log_);
  clear();
  return log;
}

void RolloutTally::clear() {
  constexpr std::size_t kMostKept = 1 << 16;
  if (rows_.capacity() > kMostKept || calls_.capacity() > kMostKept) {  // after an exceptionally large file
    *this = {};
    return;
  }
  log_ = {};
  file_ = {};
  rows_.clear();
  completed_.clear();
  ids_ = std::make_shared<StringTable>();
  row_of_key_.clear();
  timings_.clear();
  calls_.clear();
}

}  // namespace tv
