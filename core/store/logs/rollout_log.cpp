#include "core/store/logs/rollout_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/base/text/path_parts.h"

namespace tv {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(RolloutEvent::kCount)> kNames = {
    "main_loop",     "pending_state_handling", "tool_calling_state", "tool_execution",    "tool_response_processing",
    "turn_tool_parsing", "tool_parsing",       "running_state",      "engine_call",       "turn_engine_call",
    "interacting_state", "interaction_response", "reward_calculation", "finalization"};

}  // namespace

std::string_view name(RolloutEvent event) { return kNames[static_cast<std::size_t>(event)]; }

RolloutEvent rollout_event(std::string_view name) {
  return static_cast<RolloutEvent>(std::ranges::find(kNames, name) - kNames.begin());
}

std::string_view rollout_run_folder(std::string_view path) {
  const std::string_view folder = folder_of(path);
  return last_part(folder).starts_with("step_") ? folder_of(folder) : folder;
}

std::string rollout_run(std::string_view reader, std::string_view path) {
  return reader == "verl_rollout" ? std::string(rollout_run_folder(path)) : std::string();
}

std::string rollout_run_name(std::string_view folder, std::int64_t number) {
  const std::string_view name = last_part(folder).empty() ? "rollout" : last_part(folder);
  return number == 0 ? std::string(name) : fmt::format("{} (run {})", name, number + 1);
}

RolloutLog RolloutLog::first(const RolloutLogEnd& end) const {
  return {StringTable(texts, end.texts), {ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(end.ids)},
          {files.begin(), files.begin() + static_cast<std::ptrdiff_t>(end.files)},
          requests.first(end.requests), turns.first(end.turns), phases.first(end.phases)};
}

void RolloutLog::reserve_for(std::span<const RolloutLog* const> logs) {
  const auto sum_of = [&](auto size_of) {
    return std::transform_reduce(logs.begin(), logs.end(), std::size_t{0}, std::plus<>(), size_of);
  };
  requests.reserve_more(sum_of([](const RolloutLog* log) { return log->requests.size(); }));
  turns.reserve_more(sum_of([](const RolloutLog* log) { return log->turns.size(); }));
  phases.reserve_more(sum_of([](const RolloutLog* log) { return log->phases.size(); }));
}

void RolloutLog::append(const RolloutLog& other, std::uint32_t source, Ns shift) {
  std::vector<std::uint32_t> text_of;
  for (std::size_t t = 0; t < other.texts.size(); ++t) {
    text_of.push_back(static_cast<std::uint32_t>(texts.intern_from(other.texts, id_at<StrId>(t))));
  }
  ids.insert(ids.end(), other.ids.begin(), other.ids.end());
  const auto file_base = static_cast<std::uint32_t>(files.size()), turn_base = static_cast<std::uint32_t>(turns.size());
  for (RolloutFile file : other.files) {
    file.source += source;
    file.first_end += shift;
    files.push_back(file);
  }
  for (RolloutRequest request : other.requests) {
    request.end += shift;
    request.file += file_base;
    request.first_turn += turn_base;
    request.finish = text_of[request.finish];
    requests.push_back(request);
  }
  for (RolloutTurn turn : other.turns) {
    if (turn.engine_end >= 0) turn.engine_end += shift;
    turns.push_back(turn);
  }
  for (RolloutPhase phase : other.phases) {
    phase.end += shift;
    phase.file += file_base;
    phase.event = text_of[phase.event];
    phases.push_back(phase);
  }
}

void RolloutLog::share() {
  requests.share();
  turns.share();
  phases.share();
}

std::size_t RolloutLog::bytes() const {
  std::size_t sum = texts.bytes() + files.capacity() * sizeof(RolloutFile) + requests.bytes() + turns.bytes() + phases.bytes();
  for (const auto& table : ids) sum += table->bytes();
  return sum;
}

}  // namespace tv
