#include "core/session/state/waiting_commands.h"

#include <utility>

namespace tv {
namespace {

constexpr double kPatience_s = 0.3;       // a quicker answer needs no message
constexpr std::size_t kMostWaiting = 64;  // a held-down key may queue this many commands

}  // namespace

void WaitingCommands::count_first(std::string words, LateAnswers::Work work, double now_s) {
  words_ = std::move(words) + " ... (Esc stops)";
  asked_s_ = now_s;
  said_ = false;
  answers_.ask(std::move(work));
}

std::string WaitingCommands::follow(double now_s) {
  if (const auto finish = answers_.take()) finish();
  while (waiting_.size() > kMostWaiting) waiting_.pop_back();
  if (!answers_.running() || said_ || now_s - asked_s_ <= kPatience_s) return {};
  said_ = true;
  return words_;
}

// Each command finishes before the next one starts, because the next one starts where it leads.
std::optional<Command> WaitingCommands::next(bool held_up) {
  if (answers_.running() || held_up || waiting_.empty()) return std::nullopt;
  Command command = std::move(waiting_.front());
  waiting_.pop_front();
  return command;
}

void WaitingCommands::stop() {
  answers_.stop();
  waiting_.clear();
}

}  // namespace tv
