// Commands that have to count something before they can act. The count runs in the background, and the command acts when it is
// finished. Commands that are given in the meantime and depend on what the first one does wait in a queue.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "core/session/search/late_answers.h"
#include "core/view/keys/commands.h"

namespace tv {

class WaitingCommands {
 public:
  WaitingCommands(ThreadPool& pool, std::function<void()> wake) : answers_(pool, std::move(wake)) {}

  /// Starts a count, and drops the one that is running. `message`: what follow() returns if the count takes longer than a moment.
  void count_first(std::string message, LateAnswers::Work work, double now_s);
  void enqueue(const Command& command) { waiting_.push_back(command); }
  /// Call once per frame. Lets the command act if its count is finished. Returns a message to show, or an empty one.
  std::string follow(double now_s);
  /// Takes the next command from the queue, unless a count is running. `blocked`: the command must also wait for something else.
  std::optional<Command> next(bool blocked);
  /// Drops the running count and the queue.
  void stop();
  bool counting() const { return answers_.running(); }
  bool busy() const { return answers_.running() || !waiting_.empty(); }

 private:
  LateAnswers answers_;
  std::deque<Command> waiting_;
  std::string message_;
  double started_s_ = 0;
  bool message_shown_ = false;
};

}  // namespace tv
