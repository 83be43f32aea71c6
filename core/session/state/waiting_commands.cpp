#include "core/session/state/waiting_commands.h"

#include <utility>

#include "core/view/keys/keymap.h"

namespace tv {
namespace {

constexpr double kPatience_s = 0.3;       // a quicker answer needs no message
constexpr std::size_t kMostWaiting = 64;  // a held-down key may queue this many commands

}  // namespace

void WaitingCommands::count_first(std::string message, LateAnswers::Work work, double now_s) {
  message_ = std::move(message) + " ..." + around_key(Action::ClearSelection, " (", " stops)");
  started_s_ = now_s;
  message_shown_ = false;
  answers_.ask(std::move(work));
}

std::string WaitingCommands::follow(double now_s) {
  if (const auto finish = answers_.take()) finish();
  while (waiting_.size() > kMostWaiting) waiting_.pop_back();
  if (!answers_.running() || message_shown_ || now_s - started_s_ <= kPatience_s) return {};
  message_shown_ = true;
  return message_;
}

// A command starts where the one before it leads, so that one must finish first.
std::optional<Command> WaitingCommands::next(bool blocked) {
  if (answers_.running() || blocked || waiting_.empty()) return std::nullopt;
  Command command = std::move(waiting_.front());
  waiting_.pop_front();
  return command;
}

void WaitingCommands::stop() {
  answers_.stop();
  waiting_.clear();
}

}  // namespace tv
