// write_rollout: each step of each worker is simulated request by request and its lines are sorted by stamp. Files are written
// once all workers of the step are simulated, because they wait for the slowest.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/big_rollout_text.h"
#include "tests/support/gen_trace.h"

namespace tv::test {
namespace {

using Event = BigEvent;

constexpr Ns kFirstStep = 1'752'404'654'136'284'000;  // 2025-07-13 11:04:14

class Worker {
 public:
  Worker(std::uint64_t number, std::uint64_t step, std::uint64_t seed) : number_(number), step_(step), random_(seed) {}

  /// The step up to where the workers wait for each other.
  void generate(Ns step_begin, std::uint64_t requests) {
    begin_ = step_begin + random_.in(0, 50'000'000);
    Ns now = begin_ + random_.in(8'000'000'000, 14'000'000'000);
    add(Event::Preprocessing, begin_ + 2'000, now);
    generate_begin_ = now + 30'000;
    ready_ = now + 1'000'000;
    for (std::uint64_t r = 0; r < requests; ++r) {
      now += random_.in(150'000, 500'000);
      ready_ = std::max(ready_, play(r, now));
    }
    add(Event::AsyncGenerate, generate_begin_, ready_);
    add(Event::Sorting, ready_ + 2'000, ready_ + 8'000);
  }

  Ns ready() const { return ready_; }

  /// The rest of the step. Returns its end.
  Ns finish(Ns all_ready) {
    Ns now = ready_ + 10'000;
    const auto phase = [&](Event event, Ns duration) {
      add(event, now, now + duration);
      now += duration + 2'000;
    };
    phase(Event::Barrier, all_ready - ready_ + random_.in(50'000, 800'000));
    phase(Event::Broadcast, random_.in(80'000'000, 900'000'000));
    phase(Event::Extraction, random_.in(3'000, 9'000));
    phase(Event::Padding, random_.in(4'000'000, 60'000'000));
    phase(Event::Concatenation, random_.in(50'000, 90'000));
    phase(Event::Construction, random_.in(50'000, 90'000));
    phase(Event::CacheFlush, random_.in(20'000'000, 120'000'000));
    phase(Event::FinalConstruction, random_.in(3'000, 9'000));
    add(Event::LengthStats, now, now - 1);
    add(Event::Total, begin_, now + 4'000);
    return now;
  }

  void write(Tally& tally, const Sink& sink) {
    std::sort(lines_.begin(), lines_.end(), [](const BigLine& a, const BigLine& b) {
      return a.stamp != b.stamp ? a.stamp < b.stamp : a.order < b.order;
    });
    const TrackId phases = tally.lane(fmt::format("phases of {}", number_));
    const TrackId requests = tally.lane(fmt::format("requests of {}", number_));
    RolloutText text(number_, step_, sink);
    for (const BigLine& line : lines_) {
      text.write(line, requests_);
      const NameId of_event = tally.name(name(line.event));
      const TrackId lane = line.request == kNoRequest ? phases : requests;
      if (line.duration < 0) {
        tally.instant(lane, of_event, line.stamp);
      } else {
        tally.slice(lane, of_event, line.stamp - line.duration, line.duration);
      }
    }
    text.flush();
  }

 private:
  // An end before the begin makes an instant.
  void add(Event event, Ns begin, Ns end, std::uint64_t request = kNoRequest, std::size_t turn = 0) {
    BigLine line;
    line.stamp = (end + 999) / 1'000 * 1'000;
    line.order = static_cast<std::uint32_t>(lines_.size());
    line.event = event;
    line.request = static_cast<std::uint32_t>(request);
    line.turn = static_cast<std::uint32_t>(turn);
    line.duration = end - begin;
    lines_.push_back(line);
  }

  std::string new_id() {
    const std::uint64_t a = random_.next();
    const std::uint64_t b = random_.next();
    return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", a >> 32, a >> 16 & 0xFFFF, a & 0xFFF,
                       0x8000 | (b >> 48 & 0x3FFF), b & 0xFFFF'FFFF'FFFF);
  }

  // Simulates one request and returns its end.
  Ns play(std::uint64_t number, Ns begin) {
    BigRequest request;
    request.id = new_id();
    request.number = number;
    request.prompt = random_.in(280, 460);
    request.interactive = random_.in(0, 3) == 0;
    add(Event::RequestStart, begin, begin - 1, number);
    Ns now = begin + 400'000;
    const Ns loop = now;
    const Ns creation = random_.in(400'000, 9'000'000);
    add(Event::ToolCreation, now + 2'000, now + creation, number);
    const Ns started = now + creation + random_.in(90'000, 6'000'000);
    add(Event::InteractionStart, now + creation + 3'000, started, number);
    add(Event::Pending, now, started + 4'000, number);
    now = started + 10'000;
    const bool several = random_.in(0, 1) > 0;
    const auto turns = static_cast<std::size_t>(several ? random_.in(2, 4) : 1);
    std::int64_t length = request.prompt;
    for (std::size_t k = 0; k < turns; ++k) {
      BigTurn turn;
      turn.prompt = length;
      turn.tools = k + 1 < turns;
      now = play_turn(request, turn, k, now);
      length += turn.tokens + random_.in(20, 60);
      request.tokens += turn.tokens;
      request.with_tools += turn.tools;
      request.turns.push_back(turn);
    }
    request.length = length - request.prompt;
    add(Event::MainLoop, loop, now + 5'000, number);
    const Ns reward = now + 10'000 + random_.in(300'000, 4'000'000);
    add(Event::Reward, now + 8'000, reward, number);
    const Ns finalized = reward + random_.in(1'000'000, 5'000'000);
    add(Event::Finalization, reward + 2'000, finalized, number);
    add(Event::Complete, begin - 20'000, finalized + 6'000, number);
    requests_.push_back(std::move(request));
    return finalized + 10'000;
  }

  Ns play_turn(const BigRequest& request, BigTurn& turn, std::size_t k, Ns now) {
    const std::size_t number = request.number;
    const Ns begin = now;
    add(Event::TurnStart, now, now - 1, number, k);
    turn.pre = random_.in(300'000, 700'000);
    add(Event::PreProcess, now + 1'000, now + 1'000 + turn.pre, number, k);
    now += turn.pre + 5'000;
    const Ns call = now;
    const Ns setup = random_.in(2'500, 9'000);
    add(Event::Setup, now + 100'000, now + 100'000 + setup, number, k);
    now += 120'000;
    turn.tokens = random_.in(20, 1'500);
    const Ns per_token = random_.in(9'000'000, 21'000'000);
    const Ns generated = now + turn.tokens * per_token;
    add(Event::Actual, now, generated, number, k);
    turn.call = generated + 6'000 - call;
    add(Event::EngineCall, call, generated + 6'000, number, k);
    const Ns post = generated + 8'000;
    now = post;
    if (turn.tools) {
      turn.parsing = random_.in(50'000, 150'000);
      add(Event::ToolParsing, now + 10'000, now + 10'000 + turn.parsing, number, k);
      now += 10'000 + turn.parsing;
    }
    now += random_.in(900'000, 2'500'000);
    turn.post = now - post;
    add(Event::PostProcess, post, now, number, k);
    turn.total = now + 5'000 - begin;
    add(Event::TurnEnd, begin, now + 5'000, number, k);
    now += 7'000;
    if (turn.tools) {
      const Ns executed = now + random_.in(4'000'000, 2'500'000'000);
      const Ns processed = executed + random_.in(900'000, 2'500'000);
      add(Event::ToolExecution, now + 5'000, executed, number, k + 1);
      add(Event::ToolResponse, executed + 2'000, processed, number, k + 1);
      add(Event::ToolCalling, now, processed + 6'000, number, k + 1);
      now = processed + 50'000;
    } else if (request.interactive) {
      const Ns answered = now + random_.in(2'000'000, 60'000'000);
      add(Event::InteractionResponse, now + 10'000, answered, number, k + 1);
      add(Event::Interacting, now, answered + 900'000, number, k + 1);
      now = answered + 1'000'000;
    }
    return now;
  }

  const std::uint64_t number_, step_;
  Random random_;
  Ns begin_ = 0, generate_begin_ = 0, ready_ = 0;
  std::vector<BigLine> lines_;
  std::vector<BigRequest> requests_;
};

}  // namespace

BigTruth write_rollout(const RolloutPlan& plan, const FileSink& sink) {
  constexpr std::uint64_t kRequestBytes = 7'610;  // with its share of the worker's lines
  constexpr std::uint64_t kMostRequests = 330;
  const std::uint64_t workers = plan.workers > 0 ? plan.workers : 8;
  const std::uint64_t fitting = plan.bytes / kRequestBytes / workers;  // requests of one worker, in all steps
  // At least two steps: one step has no interval.
  std::uint64_t steps = plan.steps;
  if (steps == 0) {
    const std::uint64_t most = plan.requests > 0 ? plan.requests : kMostRequests;
    steps = std::max<std::uint64_t>((fitting + most - 1) / most, 2);
  }
  const std::uint64_t requests = plan.requests > 0 ? plan.requests : std::max<std::uint64_t>(fitting / steps, 1);

  Tally tally;
  Random random(plan.seed);
  std::uint64_t bytes = 0;
  Ns begin = kFirstStep;
  for (std::uint64_t step = 1; step <= steps; ++step) {
    std::vector<Worker> crew;
    Ns ready = 0, end = 0;
    for (std::uint64_t w = 0; w < workers; ++w) {
      crew.emplace_back(w, step, random.next());
      crew.back().generate(begin, requests);
      ready = std::max(ready, crew.back().ready());
    }
    for (Worker& worker : crew) end = std::max(end, worker.finish(ready));
    for (std::uint64_t w = 0; w < workers; ++w) {
      std::string file;
      crew[w].write(tally, [&](std::string_view part) { file += part; });
      bytes += file.size();
      sink(fmt::format("step_{}/worker_{}.jsonl", step, w), file);
    }
    begin = end + random.in(30, 60) * kSecond;
  }
  BigTruth truth = tally.truth(bytes);
  truth.files = steps * workers;
  truth.steps = steps;
  truth.workers = workers;
  truth.requests = steps * workers * requests;
  return truth;
}

}  // namespace tv::test
