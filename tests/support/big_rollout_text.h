// The format of write_rollout's lines: fields, their order and number formats are those of verl's rollout logs.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/big_output.h"

namespace tv::test {

enum class BigEvent : std::uint8_t {
  RequestStart,
  ToolCreation,
  InteractionStart,
  Pending,
  TurnStart,
  PreProcess,
  Setup,
  Actual,
  EngineCall,
  ToolParsing,
  PostProcess,
  TurnEnd,
  ToolExecution,
  ToolResponse,
  ToolCalling,
  InteractionResponse,
  Interacting,
  MainLoop,
  Reward,
  Finalization,
  Complete,
  // of the worker:
  Preprocessing,
  AsyncGenerate,
  Sorting,
  Barrier,
  Broadcast,
  Extraction,
  Padding,
  Concatenation,
  Construction,
  CacheFlush,
  FinalConstruction,
  LengthStats,
  Total,
  kCount
};

std::string_view name(BigEvent event);

struct BigTurn {
  Ns pre = 0, call = 0, parsing = 0, post = 0, total = 0;
  std::int64_t tokens = 0, prompt = 0;
  bool tools = false;

  std::string_view finish_reason() const;
};

struct BigRequest {
  std::string id;
  std::int64_t prompt = 0, tokens = 0, length = 0;
  std::size_t number = 0, with_tools = 0;
  bool interactive = false;
  std::vector<BigTurn> turns;
};

inline constexpr std::uint32_t kNoRequest = UINT32_MAX;

struct BigLine {
  Ns stamp = 0;             ///< end, in whole microseconds since the epoch
  std::uint32_t order = 0;  ///< among equal stamps
  BigEvent event{};
  std::uint32_t request = kNoRequest, turn = 0;
  Ns duration = -1;  ///< negative: an instant
};

/// The file of one worker's step.
class RolloutText {
 public:
  RolloutText(std::uint64_t worker, std::uint64_t step, const Sink& sink)
      : worker_(worker), step_(step), out_(sink, false) {}

  /// `requests` are those of the worker's step; a line's request is an index into them.
  void write(const BigLine& line, const std::vector<BigRequest>& requests);
  void flush() { out_.flush(); }

 private:
  void stamp(Ns time);
  void timings(const BigTurn& turn);
  void extra(const BigLine& line, const BigRequest& request);
  void complete(const BigLine& line, const BigRequest& request);
  void lengths(const std::vector<BigRequest>& requests);

  const std::uint64_t worker_, step_;
  TextOut out_;
  std::chrono::sys_days day_{};
  std::string date_ = "1970-01-01";
};

}  // namespace tv::test
