#include "tests/support/hand_rollout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/kept_id.h"
#include "tests/support/rollout_ends.h"

namespace tv::test {
namespace {

Ns hand_ns(double seconds) { return static_cast<Ns>(std::llround(seconds * 1e9)); }

void add_request(const HandRequest& in, std::uint32_t step, std::uint32_t worker, std::uint32_t file, RolloutLog& log,
                 Rollout& out) {
  RolloutRequest request;
  request.seconds = in.seconds;
  request.end = hand_ns(in.begin + in.seconds);
  request.batch_id = in.batch;
  request.file = file;
  request.id = kept_id(log, in.id.empty() ? fmt::format("request-{}", log.requests.size()) : in.id);
  request.finish = static_cast<std::uint32_t>(log.texts.intern("STOP"));
  request.run = in.run;
  request.turns = in.turns.empty() ? -1 : static_cast<int>(in.turns.size());
  request.response_tokens = request.response_length = in.tokens;
  request.first_turn = static_cast<std::uint32_t>(log.turns.size());
  request.turn_count = static_cast<std::uint32_t>(in.turns.size());
  request.complete = true;
  for (const HandTurn& turn : in.turns) {
    RolloutTurn timing;
    timing.engine_call = turn.engine_call;
    timing.engine_end = turn.engine_end < 0 ? -1 : hand_ns(turn.engine_end);
    timing.turn = static_cast<int>(log.turns.size() - request.first_turn);
    timing.tokens = turn.tokens;
    log.turns.push_back(timing);
  }
  out.row.push_back(static_cast<std::uint32_t>(log.requests.size()));
  out.step.push_back(step);
  out.worker.push_back(worker);
  out.seconds.push_back(in.seconds);
  out.begin.push_back(hand_ns(in.begin));
  out.end.push_back(request.end);
  out.turns.push_back(request.turns);
  out.tokens.push_back(in.tokens);
  out.slice.push_back(kNone<SliceId>);
  std::array<double, kRequestPhases> phases{};
  phases[static_cast<std::size_t>(RequestPhase::Engine)] = in.engine;
  phases[static_cast<std::size_t>(RequestPhase::Tool)] = in.tool;
  phases[static_cast<std::size_t>(RequestPhase::Reward)] = in.reward;
  phases[static_cast<std::size_t>(RequestPhase::Other)] = in.seconds - in.engine - in.tool - in.reward;
  for (std::size_t p = 0; p < kRequestPhases; ++p) out.exclusive[p].push_back(hand_ns(phases[p]));
  log.requests.push_back(request);
}

}  // namespace

HandRollout& HandRollout::file(int step, int worker, int run) {
  const File file{run, step, worker};
  const auto at = std::lower_bound(files_.begin(), files_.end(), file);
  if (at == files_.end() || *at != file) files_.insert(at, file);
  return *this;
}

HandRollout& HandRollout::add(HandRequest request) {
  file(request.step, request.worker, request.run);
  requests_.push_back(std::move(request));
  return *this;
}

HandRollout& HandRollout::phase(HandPhase phase) {
  file(phase.step, phase.worker, phase.run);
  phases_.push_back(std::move(phase));
  return *this;
}

std::shared_ptr<const Rollout> HandRollout::build() const {
  auto trace = std::make_shared<Trace>();
  auto out = std::make_shared<Rollout>();
  RolloutLog& log = trace->rollout;
  std::set<std::int32_t> workers;
  for (const File& file : files_) workers.insert(file.worker);
  out->workers.assign(workers.begin(), workers.end());

  const auto cover = [](RolloutStep& step, bool first, Ns begin, Ns end) {
    if (first) {
      step.extent = {begin, end};
    } else {
      step.extent.include(begin, end);
    }
  };
  for (const File& file : files_) {
    while (out->runs.size() <= static_cast<std::size_t>(file.run))
      out->runs.push_back(fmt::format("run {}", out->runs.size() + 1));
  }
  bool nothing = true;
  for (const File& file : files_) {
    if (out->steps.empty() || out->steps.back().run != file.run || out->steps.back().step != file.step) {
      const auto here = static_cast<RequestIx>(out->size());
      out->steps.push_back({file.run, file.step, here, here, {}});
      nothing = true;
    }
    RolloutStep& step = out->steps.back();
    WorkerStep part;
    part.step = static_cast<std::uint32_t>(out->steps.size() - 1);
    part.worker = static_cast<std::uint32_t>(std::ranges::find(out->workers, file.worker) - out->workers.begin());
    part.file = static_cast<std::uint32_t>(log.files.size());
    part.first = static_cast<RequestIx>(out->size());
    RolloutFile row;
    row.source = part.file;
    row.step = file.step;
    row.worker = file.worker;
    log.files.push_back(row);
    for (const HandRequest& request : requests_) {
      if (File{request.run, request.step, request.worker} != file) continue;
      add_request(request, part.step, part.worker, part.file, log, *out);
      cover(step, nothing, out->begin.own().back(), out->end.own().back());
      nothing = false;
    }
    for (const HandPhase& phase : phases_) {
      if (File{phase.run, phase.step, phase.worker} != file) continue;
      part.phases.push_back(static_cast<std::uint32_t>(log.phases.size()));
      log.phases.push_back({phase.seconds, hand_ns(phase.end), 0, part.file,
                            static_cast<std::uint32_t>(log.texts.intern(phase.event)), phase.run});
      cover(step, nothing, hand_ns(phase.end - phase.seconds), hand_ns(phase.end));
      nothing = false;
    }
    part.end = static_cast<RequestIx>(out->size());
    step.end = part.end;
    out->worker_steps.push_back(std::move(part));
  }
  for (const RolloutStep& step : out->steps) {
    if (trace->extent.end < step.extent.end) trace->extent.end = step.extent.end;
  }
  out->trace = std::move(trace);
  set_ends(*out);
  return out;
}

}  // namespace tv::test
