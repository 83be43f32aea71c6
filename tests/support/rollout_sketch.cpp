#include "tests/support/rollout_sketch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/support/kept_id.h"
#include "tests/support/rollout_ends.h"

namespace tv::test {
namespace {

Ns sketch_ns(double seconds) { return static_cast<Ns>(std::llround(seconds * 1e9)); }
std::size_t at(RequestPhase phase) { return static_cast<std::size_t>(phase); }

}  // namespace

RolloutSketch& RolloutSketch::file(int step, int worker, int run) {
  Rollout& o = *rollout_;
  RolloutFile file;
  file.step = step;
  file.worker = worker;
  const auto index = static_cast<std::uint32_t>(log().files.size());
  log().files.push_back(file);
  const auto here = static_cast<RequestIx>(o.size());
  while (static_cast<int>(o.runs.size()) <= run) o.runs.push_back("run " + std::to_string(o.runs.size() + 1));
  if (o.steps.empty() || o.steps.back().step != step || o.steps.back().run != run) {
    o.steps.push_back({run, step, here, here, {}});
  }
  if (std::ranges::find(o.workers, worker) == o.workers.end()) o.workers.push_back(worker);
  const auto w = static_cast<std::uint32_t>(std::ranges::find(o.workers, worker) - o.workers.begin());
  o.worker_steps.push_back({static_cast<std::uint32_t>(o.steps.size() - 1), w, index, here, here, {}});
  return *this;
}

RolloutSketch& RolloutSketch::first_line(Ns end, double seconds) {
  RolloutFile& file = log().files.back();
  file.begun = true;
  file.first_end = end;
  file.first_seconds = seconds;
  RolloutStep& step = rollout_->steps.back();
  const Ns begin = end - sketch_ns(seconds);
  step.extent =
      step.extent.empty() ? TimeRange{begin, end} : TimeRange{std::min(step.extent.begin, begin), step.extent.end};
  return *this;
}

RolloutSketch& RolloutSketch::phase(std::string_view event, double seconds, Ns end) {
  WorkerStep& file = rollout_->worker_steps.back();
  file.phases.push_back(static_cast<std::uint32_t>(log().phases.size()));
  const auto text = static_cast<std::uint32_t>(log().texts.intern(event));
  log().phases.push_back({seconds, end, 0, file.file, text, rollout_->steps.back().run});
  return *this;
}

RolloutSketch& RolloutSketch::request(double seconds, int turns, int tokens, Ns end) {
  Rollout& o = *rollout_;
  RolloutRequest request;
  request.seconds = seconds;
  request.end = end;
  request.file = o.worker_steps.back().file;
  request.run = o.steps.back().run;
  request.id = kept_id(log(), "request " + std::to_string(log().requests.size()));
  request.finish = static_cast<std::uint32_t>(log().texts.intern("STOP"));
  request.turns = turns;
  request.response_tokens = tokens;
  request.first_turn = static_cast<std::uint32_t>(log().turns.size());
  request.complete = true;
  o.row.push_back(static_cast<std::uint32_t>(log().requests.size()));
  o.step.push_back(static_cast<std::uint32_t>(o.steps.size() - 1));
  o.worker.push_back(o.worker_steps.back().worker);
  o.seconds.push_back(seconds);
  const Ns length = std::isnan(seconds) ? 0 : sketch_ns(seconds);
  o.begin.push_back(end - length);
  o.end.push_back(end);
  o.turns.push_back(turns);
  o.tokens.push_back(tokens);
  o.slice.push_back(kNone<SliceId>);
  for (auto& column : o.exclusive) column.push_back(0);
  o.exclusive[at(RequestPhase::Engine)].own().back() = length;
  ++o.steps.back().end;
  ++o.worker_steps.back().end;
  log().requests.push_back(request);
  return *this;
}

RolloutSketch& RolloutSketch::in_flight() {
  RolloutRequest request;
  request.file = rollout_->worker_steps.back().file;
  rollout_->in_flight.push_back(static_cast<std::uint32_t>(log().requests.size()));
  log().requests.push_back(request);
  return *this;
}

RolloutRequest& RolloutSketch::last() { return log().requests.own().back(); }

RolloutSketch& RolloutSketch::name(std::string_view id, std::string_view finish) {
  last().id = kept_id(log(), id);
  last().finish = static_cast<std::uint32_t>(log().texts.intern(finish));
  return *this;
}

RolloutSketch& RolloutSketch::spends(RequestPhase phase, double seconds) {
  rollout_->exclusive[at(phase)].own().back() += sketch_ns(seconds);
  rollout_->exclusive[at(RequestPhase::Engine)].own().back() -= sketch_ns(seconds);
  return *this;
}

RolloutSketch& RolloutSketch::turn(int turn, double pre, double engine, double post, double parsing, int tokens) {
  log().turns.push_back({pre, engine, post, parsing, -1, turn, tokens});
  ++last().turn_count;
  return *this;
}

RolloutSketch& RolloutSketch::origin(Ns ns) {
  trace_->origin_ns = ns;
  return *this;
}

std::shared_ptr<const Rollout> RolloutSketch::build() const {
  rollout_->trace = trace_;
  set_ends(*rollout_);
  return rollout_;
}

}  // namespace tv::test
