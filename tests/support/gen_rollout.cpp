#include "tests/support/gen_rollout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/kept_id.h"
#include "tests/support/rollout_ends.h"

namespace tv::test {
namespace {

constexpr double kPreprocessing = 1.5, kBetweenSteps = 20, kAfter = 0.05;

Ns ns(double seconds) { return static_cast<Ns>(std::llround(seconds * 1e9)); }

class Generator {
 public:
  Generator(std::uint64_t seed, const RolloutShape& shape) : random_(seed), shape_(shape) {}

  std::shared_ptr<const Rollout> run() {
    for (int w = 0; w < shape_.workers; ++w) rollout_->workers.push_back(w);
    double begin = 0;
    for (int s = 0; s < shape_.steps; ++s) begin = add_step(s, begin) + kBetweenSteps;
    trace_->extent = {0, ns(begin)};
    rollout_->trace = std::move(trace_);
    set_ends(*rollout_);
    return rollout_;
  }

 private:
  double uniform(double least, double most) { return std::uniform_real_distribution<>(least, most)(random_); }

  double add_step(int s, double begin) {
    const auto first = static_cast<RequestIx>(rollout_->size());
    std::vector<double> generated(static_cast<std::size_t>(shape_.workers));
    for (int w = 0; w < shape_.workers; ++w) generated[static_cast<std::size_t>(w)] = add_requests(s, w, begin + kPreprocessing);
    const double last = *std::ranges::max_element(generated);
    for (int w = 0; w < shape_.workers; ++w) {
      const double own = generated[static_cast<std::size_t>(w)];
      WorkerStep& file = rollout_->worker_steps[rollout_->worker_steps.size() - static_cast<std::size_t>(shape_.workers - w)];
      const auto phase = [&](const char* event, double from, double to) {
        file.phases.push_back(static_cast<std::uint32_t>(log().phases.size()));
        log().phases.push_back({to - from, ns(to), 0, file.file, static_cast<std::uint32_t>(log().texts.intern(event)), 0});
      };
      phase("preprocessing_duration", begin, begin + kPreprocessing);
      phase("async_generate_duration", begin + kPreprocessing, own);
      phase("sorting_duration", own, own);
      phase("barrier_wait_duration", own, last);
      phase("broadcast_duration", last, last + kAfter);
      phase("total_step_duration", begin, last + kAfter);
    }
    rollout_->steps.push_back({0, s + 1, first, static_cast<RequestIx>(rollout_->size()), {ns(begin), ns(last + kAfter)}});
    return last + kAfter;
  }

  double add_requests(int s, int w, double begin) {
    RolloutFile file;
    file.source = file_count_;
    file.step = s + 1;
    file.worker = w;
    file.begun = true;
    file.first_end = ns(begin);
    file.first_seconds = kPreprocessing;
    log().files.push_back(file);
    const auto first = static_cast<RequestIx>(rollout_->size());
    double last = begin;
    for (int r = 0; r < shape_.requests; ++r) last = std::max(last, add_request(s, w, r, begin));
    rollout_->worker_steps.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(w), file_count_++, first,
                                      static_cast<RequestIx>(rollout_->size()), {}});
    return last;
  }

  double add_request(int s, int w, int r, double begin) {
    const double pace = s == shape_.slow_step && w == shape_.slow_worker ? 10 : 1;
    RolloutRequest request;
    request.file = file_count_;
    request.id = kept_id(log(), fmt::format("{:08x}-{}-{}-{}", random_() & 0xffffffff, s, w, r));
    request.finish = static_cast<std::uint32_t>(log().texts.intern(uniform(0, 1) < 0.8 ? "STOP" : "LENGTH"));
    request.batch_id = r / 4;
    request.complete = true;
    request.turns = static_cast<int>(uniform(0, 1) * shape_.most_turns) + 1;
    request.user_turns = request.turns - 1;
    request.turns_with_tools = request.turns - 1;
    request.first_turn = static_cast<std::uint32_t>(log().turns.size());
    request.turn_count = static_cast<std::uint32_t>(request.turns);
    request.prompt_tokens = 200;
    request.response_tokens = 0;
    std::array<double, kRequestPhases> phases{};
    double t = begin + (phases[idx_(RequestPhase::Pending)] = uniform(0.001, 0.01));
    for (int turn = 0; turn < request.turns; ++turn) {
      RolloutTurn timing;
      timing.turn = turn;
      timing.tokens = static_cast<int>(uniform(20, 300));
      timing.pre_process = uniform(0.0002, 0.0005);
      timing.engine_call = timing.tokens * uniform(0.004, 0.006) * pace;
      timing.post_process = uniform(0.001, 0.002);
      timing.tool_parsing = timing.post_process / 10;
      t += timing.pre_process + timing.engine_call;
      timing.engine_end = ns(t);
      t += timing.post_process;
      const double tool = turn + 1 < request.turns ? uniform(0.05, 1) : 0;
      t += tool;
      phases[idx_(RequestPhase::Engine)] += timing.engine_call;
      phases[idx_(RequestPhase::Processing)] += timing.pre_process + timing.post_process;
      phases[idx_(RequestPhase::Tool)] += tool;
      request.response_tokens += timing.tokens;
      request.seconds_of[static_cast<std::size_t>(RolloutEvent::turn_engine_call)] += timing.engine_call;
      log().turns.push_back(timing);
    }
    const double main_loop = t - begin;
    t += (phases[idx_(RequestPhase::Reward)] = uniform(0.01, 0.1));
    request.seconds = t - begin;
    request.seconds_of[static_cast<std::size_t>(RolloutEvent::main_loop)] = main_loop;
    request.end = ns(t);
    request.response_length = request.response_tokens + 10 * request.user_turns;
    request.total_length = request.response_length + request.prompt_tokens;
    Rollout& out = *rollout_;
    out.row.push_back(static_cast<std::uint32_t>(log().requests.size()));
    out.step.push_back(static_cast<std::uint32_t>(s));
    out.worker.push_back(static_cast<std::uint32_t>(w));
    out.seconds.push_back(request.seconds);
    out.end.push_back(request.end);
    out.begin.push_back(request.end - ns(request.seconds));
    out.turns.push_back(request.turns);
    out.tokens.push_back(request.response_tokens);
    out.slice.push_back(kNone<SliceId>);
    Ns rest = ns(request.seconds);
    for (std::size_t p = 0; p + 1 < kRequestPhases; ++p) {
      out.exclusive[p].push_back(ns(phases[p]));
      rest -= ns(phases[p]);
    }
    out.exclusive[idx_(RequestPhase::Other)].push_back(rest);
    log().requests.push_back(request);
    return t;
  }

  static std::size_t idx_(RequestPhase p) { return static_cast<std::size_t>(p); }
  RolloutLog& log() { return trace_->rollout; }

  std::mt19937_64 random_;
  RolloutShape shape_;
  std::uint32_t file_count_ = 0;
  std::shared_ptr<Trace> trace_ = std::make_shared<Trace>();
  std::shared_ptr<Rollout> rollout_ = std::make_shared<Rollout>();
};

}  // namespace

std::shared_ptr<const Rollout> gen_rollout(std::uint64_t seed, const RolloutShape& shape) {
  return Generator(seed, shape).run();
}

}  // namespace tv::test
