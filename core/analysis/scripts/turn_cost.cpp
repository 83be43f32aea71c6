#include "core/analysis/scripts/turn_cost.h"

#include <map>

#include "core/analysis/scripts/script_files.h"

namespace tv {
namespace {

constexpr std::int32_t kScriptFirstStep = 1, kScriptLastStep = 80;

struct Sums {
  double pre = 0, post = 0, parsing = 0;
  double tokens = 0, engine_of_tokens = 0;  // over the turns whose tokens are logged
  std::size_t with_tokens = 0;
  std::vector<double> engine;
};

class Costs {
 public:
  void add(const RolloutLog& log, const RolloutRequest& request) {
    for (std::uint32_t t = request.first_turn; t < request.first_turn + request.turn_count; ++t) {
      const RolloutTurn& turn = log.turns[t];
      Sums& sums = sums_[turn.turn];
      sums.pre += turn.pre_process;
      sums.post += turn.post_process;
      sums.parsing += turn.tool_parsing;
      sums.engine.push_back(turn.engine_call);
      if (turn.tokens < 0) continue;
      sums.tokens += turn.tokens;
      sums.engine_of_tokens += turn.engine_call;
      ++sums.with_tokens;
    }
  }

  std::vector<TurnCost> result() const {
    std::vector<TurnCost> out;
    for (const auto& [turn, sums] : sums_) {
      const auto n = static_cast<double>(sums.engine.size());
      double engine = 0;
      for (const double seconds : sums.engine) engine += seconds;
      const Summary box = summarize(sums.engine, std::array{0.25, 0.75});
      TurnCost& cost = out.emplace_back();
      cost.turn = turn;
      cost.n = sums.engine.size();
      cost.pre_process = sums.pre / n;
      cost.engine_call = engine / n;
      cost.post_process = sums.post / n;
      cost.tool_parsing = sums.parsing / n;
      cost.engine_box = {box.min, box.quantiles[0], box.median, box.quantiles[1], box.max};
      if (sums.with_tokens > 0) cost.tokens = sums.tokens / static_cast<double>(sums.with_tokens);
      if (sums.engine_of_tokens > 0) cost.tokens_per_second = sums.tokens / sums.engine_of_tokens;
    }
    return out;
  }

 private:
  std::map<std::int32_t, Sums> sums_;
};

}  // namespace

std::vector<TurnCost> turn_costs(const Rollout& rollout, const RequestSet& requests) {
  Costs costs;
  for (const RequestIx r : requests) costs.add(rollout.log(), rollout.request(r));
  return costs.result();
}

std::vector<TurnCost> script_turn_costs(const RolloutLog& log) {
  Costs costs;
  for (const ScriptFile& file : script_files(log)) {
    if (file.step < kScriptFirstStep || file.step > kScriptLastStep) continue;
    for (const std::uint32_t r : file.requests) costs.add(log, log.requests[r]);
  }
  return costs.result();
}

}  // namespace tv
