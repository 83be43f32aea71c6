#include "tests/support/gen_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace tv::test {
namespace {

enum class Part { Forward, Backward, BackwardB, BackwardW };

struct Task {
  Part part;
  int micro_batch, chunk;
};

std::vector<Task> one_forward_one_backward(const PipelinePlan& plan, int warm_up, int delayed_weights) {
  std::vector<Task> tasks;
  const bool split = plan.schedule == Schedule::ZbH1;
  int forward = 0, weights = 0;
  for (; forward < std::min(warm_up, plan.micro_batches); ++forward) tasks.push_back({Part::Forward, forward, 0});
  for (int backward = 0; backward < plan.micro_batches; ++backward) {
    if (forward < plan.micro_batches) tasks.push_back({Part::Forward, forward++, 0});
    tasks.push_back({split ? Part::BackwardB : Part::Backward, backward, 0});
    if (split && backward >= delayed_weights) tasks.push_back({Part::BackwardW, weights++, 0});
  }
  while (split && weights < plan.micro_batches) tasks.push_back({Part::BackwardW, weights++, 0});
  return tasks;
}

std::vector<Task> interleaved(const PipelinePlan& plan, int stage) {
  const int p = plan.stages, v = plan.chunks, total = plan.micro_batches * v;
  const auto task = [&](int k, bool forward) {
    const int chunk = k / p % v;
    return Task{forward ? Part::Forward : Part::Backward, k / (p * v) * p + k % p, forward ? chunk : v - 1 - chunk};
  };
  std::vector<Task> tasks;
  const int warm_up = std::min(total, (p - stage - 1) * 2 + (v - 1) * p);
  int forward = 0;
  for (; forward < warm_up; ++forward) tasks.push_back(task(forward, true));
  for (int backward = 0; backward < total; ++backward) {
    if (forward < total) tasks.push_back(task(forward++, true));
    tasks.push_back(task(backward, false));
  }
  return tasks;
}

std::vector<Task> tasks_of(const PipelinePlan& plan, int stage) {
  const int from_last = plan.stages - stage - 1;
  switch (plan.schedule) {
    case Schedule::FThenB:
      return one_forward_one_backward(plan, plan.micro_batches, 0);
    case Schedule::OneFOneB:
      return one_forward_one_backward(plan, from_last, 0);
    case Schedule::Eager:
      return one_forward_one_backward(plan, 2 * from_last, 0);
    case Schedule::ZbH1:
      return one_forward_one_backward(plan, from_last, stage);
    case Schedule::Interleaved:
      return interleaved(plan, stage);
    case Schedule::kCount:
      break;
  }
  return {};
}

std::string type_of(const PipelinePlan& plan, const Task& task) {
  static const char* const kNames[] = {"forward", "backward", "backward_b", "backward_w"};
  const std::string name = kNames[static_cast<int>(task.part)];
  return plan.chunks > 1 ? name + std::to_string(task.chunk) : name;
}

class Play {
 public:
  explicit Play(const PipelinePlan& plan)
      : plan_(plan),
        random_(plan.seed),
        jobs_(static_cast<std::size_t>(plan.stages)),
        free_(static_cast<std::size_t>(plan.stages), 0) {}

  std::vector<std::vector<PlayedJob>> run() {
    for (int step = 0; step < plan_.steps; ++step) {
      const Ns begin = *std::ranges::max_element(free_) + (step > 0 ? 3 * kMillisecond : 0);
      std::ranges::fill(free_, begin);
      arrived_.clear();
      run_step(step);
    }
    return std::move(jobs_);
  }

 private:
  void run_step(int step) {
    std::vector<std::vector<Task>> tasks;
    for (int stage = 0; stage < plan_.stages; ++stage) tasks.push_back(tasks_of(plan_, stage));
    std::vector<std::size_t> next(tasks.size(), 0);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t s = 0; s < tasks.size(); ++s) {
        while (next[s] < tasks[s].size() && start(step, static_cast<int>(s), tasks[s][next[s]])) {
          ++next[s];
          moved = true;
        }
      }
    }
    if (plan_.optimizer == 0) return;
    for (int stage = 0; stage < plan_.stages; ++stage) add(step, stage, "optimizer", {}, 0, plan_.optimizer);
  }

  // False while a dependency of the task has not been done.
  bool start(int step, int stage, const Task& task) {
    const int places = plan_.stages * plan_.chunks, place = task.chunk * plan_.stages + stage;
    Ns ready = 0;
    const auto wait_for = [&](bool forward, int from, bool elsewhere) {
      const auto found = arrived_.find({forward, task.micro_batch, from});
      if (found == arrived_.end()) return false;
      ready = found->second + (elsewhere ? plan_.latency : 0);
      return true;
    };
    const bool several = plan_.stages > 1;
    if (task.part == Part::Forward && place > 0 && !wait_for(true, place - 1, several)) return false;
    if (task.part == Part::Backward || task.part == Part::BackwardB) {
      const bool turn = place == places - 1;
      if (!wait_for(turn, turn ? place : place + 1, several && !turn)) return false;
    }
    const bool half = plan_.schedule == Schedule::ZbH1;
    const Ns whole = task.part == Part::Forward ? plan_.forward : half ? plan_.backward / 2 : plan_.backward;
    const Ns end = add(step, stage, type_of(plan_, task), task, ready, whole);
    if (task.part != Part::BackwardW) arrived_[{task.part == Part::Forward, task.micro_batch, place}] = end;
    return true;
  }

  Ns add(int step, int stage, const std::string& type, const Task& task, Ns ready, Ns whole) {
    const auto s = static_cast<std::size_t>(stage);
    double factor = stage == plan_.slow_stage ? plan_.slow_factor : 1;
    if (plan_.jitter > 0) factor *= 1 + plan_.jitter * random_.unit();
    const Ns begin = std::max(free_[s], ready);
    const Ns end = begin + static_cast<Ns>(static_cast<double>(whole) * factor);
    const bool other = type == "optimizer", forward = task.part == Part::Forward;
    jobs_[s].push_back(
        {type, stage, step, task.micro_batch, task.chunk, !other && forward, !other && !forward, begin, end});
    return free_[s] = end;
  }

  const PipelinePlan& plan_;
  Random random_;
  std::vector<std::vector<PlayedJob>> jobs_;
  std::vector<Ns> free_;
  std::map<std::tuple<bool, int, int>, Ns> arrived_;  // forward?, micro-batch, place in the model
};

std::string milliseconds(Ns t) {
  const Ns since_epoch = kPipelineEpoch + t;
  return fmt::format("{}.{:06}", since_epoch / kMillisecond, since_epoch % kMillisecond);
}

}  // namespace

std::vector<std::vector<PlayedJob>> play(const PipelinePlan& plan) { return Play(plan).run(); }

std::string worker_log(const PipelinePlan& plan, const std::vector<PlayedJob>& jobs) {
  std::string text = "LAUNCH INFO\n";
  if (plan.first_step > 0) {
    text += fmt::format("[    INFO] - Schedule Profiler start at step {} and end at step {}\n", plan.first_step,
                        plan.first_step + plan.steps);
  }
  for (const PlayedJob& job : jobs) {
    text += fmt::format(
        "I1114 22:13:20.000001 4711 standalone_executor.cc:217] Profiler Info: Job ({0}), type = {1}, "
        "micro_batch_id = {0}, job_start_time = {2}, job_end_time = {3}\n",
        job.micro_batch, job.type, milliseconds(job.begin), milliseconds(job.end));
  }
  return text;
}

std::vector<std::string> write_logs(const TempDir& folder, const std::string& run, const PipelinePlan& plan,
                                    int per_machine) {
  std::vector<std::string> files;
  const auto jobs = play(plan);
  for (int stage = 0; stage < plan.stages; ++stage) {
    const std::string file = per_machine > 0
                                 ? fmt::format("machine{}/workerlog.{}", stage / per_machine, stage % per_machine)
                                 : fmt::format("workerlog.{}", stage);
    files.push_back(folder.write(run + "/" + file, worker_log(plan, jobs[static_cast<std::size_t>(stage)])));
  }
  return files;
}

PipelinePlan random_plan(Random& random) {
  PipelinePlan plan;
  plan.schedule = static_cast<Schedule>(random.in(0, static_cast<std::int64_t>(Schedule::kCount) - 1));
  plan.stages = static_cast<int>(random.in(1, 5));
  plan.micro_batches = static_cast<int>(random.in(1, 9));
  if (plan.schedule == Schedule::Interleaved) {
    plan.chunks = static_cast<int>(random.in(2, 3));
    plan.stages = std::max(plan.stages, 2);
    plan.micro_batches = plan.stages * static_cast<int>(random.in(1, 3));
  }
  plan.steps = static_cast<int>(random.in(1, 3));
  plan.first_step = random.in(0, 30);
  plan.optimizer = random.in(0, 5) * kMillisecond;
  plan.latency = random.in(0, 1) * random.in(0, 2'000'000);
  plan.jitter = random.chance(0.5) ? 0.3 : 0;
  plan.slow_stage = static_cast<int>(random.in(-1, plan.stages - 1));
  plan.slow_factor = 1 + random.unit();
  plan.seed = random.next();
  return plan;
}

}  // namespace tv::test
