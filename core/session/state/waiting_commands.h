// Commands that need a count first: it runs in the background, and they act when it is finished. Later commands that depend on
// the result wait their turn.
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

  /// `words`: the message if it takes longer than a moment. Replaces a running count.
  void count_first(std::string words, LateAnswers::Work work, double now_s);
  void wait(const Command& command) { waiting_.push_back(command); }
  /// Call once per frame: acts on a finished count. Returns a message; empty: none.
  std::string follow(double now_s);
  /// The next command whose turn has come. `held_up`: something else is blocking it.
  std::optional<Command> next(bool held_up);
  void stop();
  bool counting() const { return answers_.running(); }
  bool busy() const { return answers_.running() || !waiting_.empty(); }

 private:
  LateAnswers answers_;
  std::deque<Command> waiting_;
  std::string words_;
  double asked_s_ = 0;
  bool said_ = false;
};

}  // namespace tv
