#include "core/analysis/training/pipeline_schedule.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace tv {
namespace {

bool is_compute(const PipelineJob& job) { return is_forward(job.work) || is_backward(job.work); }
bool is_work(const PipelineJob& job) { return job.work != PipelineWork::communication; }

// Jobs of one stage that take time, by begin.
std::vector<std::uint32_t> working_jobs(const PipelineLog& log, std::uint32_t part) {
  std::vector<std::uint32_t> jobs;
  if (part == kNoPart) return jobs;
  const PipelineStep& step = log.steps[part];
  for (std::uint32_t j = step.first_job; j < step.first_job + step.job_count; ++j) {
    if (is_work(log.jobs[j])) jobs.push_back(j);
  }
  std::ranges::stable_sort(jobs, {}, [&](std::uint32_t j) { return log.jobs[j].begin; });
  return jobs;
}

// The time of a range that jobs cover; `jobs` is sorted by begin. Where jobs overlap, the time counts for the earlier one:
// visit(job, ns) receives the time that each job adds.
template <class Wanted, class Visit>
Ns covered(const PipelineLog& log, std::span<const std::uint32_t> jobs, TimeRange range, Wanted wanted, Visit visit) {
  Ns sum = 0, until = range.begin;
  for (const std::uint32_t j : jobs) {
    const PipelineJob& job = log.jobs[j];
    if (!wanted(job)) continue;
    const Ns from = std::max(job.begin, until), to = std::min(job.end, range.end);
    if (to <= from) continue;
    sum += to - from;
    until = to;
    visit(job, to - from);
  }
  return sum;
}

Ns covered(const PipelineLog& log, std::span<const std::uint32_t> jobs, TimeRange range) {
  return covered(log, jobs, range, is_work, [](const PipelineJob&, Ns) {});
}

double share_idle(Ns busy, Ns span) { return span > 0 ? 1 - static_cast<double>(busy) / static_cast<double>(span) : 0; }

TimeRange compute_range(const PipelineLog& log, const PipelineRunStep& step) {
  Ns begin = std::numeric_limits<Ns>::max(), end = std::numeric_limits<Ns>::min();
  for (const std::uint32_t part : step.parts) {
    if (part == kNoPart) continue;
    for (const PipelineJob& job : log.jobs_of(log.steps[part])) {
      if (!is_compute(job)) continue;
      begin = std::min(begin, job.begin);
      end = std::max(end, job.end);
    }
  }
  return begin <= end ? TimeRange{begin, end} : TimeRange{step.span.begin, step.span.begin};
}

std::array<TimeRange, kStagePhases> phases_of(const PipelineLog& log, std::span<const std::uint32_t> jobs,
                                              TimeRange compute) {
  Ns first_backward = compute.end, last_forward = compute.begin;
  for (const std::uint32_t j : jobs) {
    const PipelineJob& job = log.jobs[j];
    if (is_backward(job.work)) first_backward = std::min(first_backward, job.begin);
    if (is_forward(job.work)) last_forward = std::max(last_forward, job.end);
  }
  const Ns cool_down = std::max(first_backward, last_forward);
  return {TimeRange{compute.begin, first_backward}, {first_backward, cool_down}, {cool_down, compute.end}};
}

StageStep stage_step(const PipelineLog& log, const PipelineStepSummary& step, std::uint32_t part) {
  StageStep stage;
  if (part == kNoPart) return stage;
  const std::vector<std::uint32_t> jobs = working_jobs(log, part);
  stage.present = true;
  stage.busy = covered(log, jobs, step.span, is_work,
                       [&](const PipelineJob& job, Ns ns) { stage.work[static_cast<std::size_t>(job.work)] += ns; });
  stage.compute_busy = covered(log, jobs, step.compute, is_compute, [](const PipelineJob&, Ns) {});
  stage.bubble = share_idle(stage.busy, step.span.length());
  stage.compute_bubble = share_idle(stage.compute_busy, step.compute.length());
  stage.phase = phases_of(log, jobs, step.compute);
  stage.other_idle = step.span.length() - stage.busy;
  for (std::size_t p = 0; p < kStagePhases; ++p) {
    stage.phase_idle[p] = stage.phase[p].length() - covered(log, jobs, stage.phase[p]);
    stage.other_idle -= stage.phase_idle[p];
  }
  return stage;
}

void compare_stages(PipelineStepSummary& step) {
  std::vector<Ns> busy;
  double bubbles = 0, compute_bubbles = 0;
  for (std::uint32_t s = 0; s < step.stages.size(); ++s) {
    const StageStep& stage = step.stages[s];
    if (!stage.present) continue;
    busy.push_back(stage.busy);
    bubbles += stage.bubble;
    compute_bubbles += stage.compute_bubble;
    if (stage.busy > step.stages[step.slowest].busy) step.slowest = s;
  }
  std::ranges::sort(busy);
  const std::size_t n = busy.size();
  const double median = static_cast<double>(busy[(n - 1) / 2] + busy[n / 2]) / 2;
  for (StageStep& stage : step.stages) {
    if (stage.present && median > 0) stage.factor = static_cast<double>(stage.busy) / median;
  }
  step.bubble = bubbles / static_cast<double>(n);
  step.compute_bubble = compute_bubbles / static_cast<double>(n);
}

// Whether the last open stage warms up longer than a last stage needs, but does not run all forward jobs first, which suggests
// that later stages are missing. A long warm-up proves nothing if the first backward job has no record, if stages are in another
// order, or if split backward jobs of several chunks (zero bubble in a V) fill their waits with forward jobs.
bool last_stage_waits(const PipelineLog& log, const PipelineRunStep& step, const PipelineStepSummary& summary) {
  const PipelineShape& shape = summary.shape;
  if (shape.parts || step.parts.back() == kNoPart || !summary.in_order) return false;
  const std::vector<std::uint32_t> jobs = working_jobs(log, step.parts.back());
  const auto back = std::ranges::find_if(jobs, [&](std::uint32_t j) { return is_backward(log.jobs[j].work); });
  if (back == jobs.end()) return false;
  const auto forward = [&](std::uint32_t j) { return is_forward(log.jobs[j].work); };
  const auto before = std::count_if(jobs.begin(), back, forward), all = std::ranges::count_if(jobs, forward);
  const PipelineJob& first_back = log.jobs[*back];
  const bool first_is_known =
      std::ranges::none_of(jobs, [&](std::uint32_t j) { return log.jobs[j].micro_batch < first_back.micro_batch; });
  const bool split = first_back.work == PipelineWork::backward_b;
  return first_is_known && !(split && shape.chunks > 1) && before > (shape.chunks - 1) * shape.stages + 1 && before < all;
}

// Needs the summary's `shape` and `in_order`.
std::string_view why_no_ideal(const PipelineLog& log, const PipelineRunStep& step, const PipelineStepSummary& summary) {
  if (summary.shape.micro_batches == 0) return "no forward and backward jobs";
  if (summary.shape.stages < 2) return "only one stage is open";
  return last_stage_waits(log, step, summary) ? "logs of other stages seem to be missing" : std::string_view();
}

PipelineStepSummary summary_of_step(const PipelineLog& log, const PipelineRunStep& step) {
  PipelineStepSummary summary;
  summary.number = step.number;
  summary.attempt = step.attempt;
  summary.span = step.span;
  summary.compute = compute_range(log, step);
  summary.shape = pipeline_shape(log, step);
  summary.in_order = forward_in_order(log, step);
  // `fill` is how long a stage is idle while the pipeline fills and drains, counted in jobs.
  const double fill = summary.shape.stages - 1, micro_batches = summary.shape.micro_batches;
  summary.no_ideal = why_no_ideal(log, step, summary);
  if (summary.no_ideal.empty()) {
    summary.ideal = fill / (micro_batches + fill);
    if (summary.shape.chunks > 1 && !summary.shape.parts) {
      summary.ideal_interleaved = fill / (summary.shape.chunks * micro_batches + fill);
    }
  }
  for (const std::uint32_t part : step.parts) summary.stages.push_back(stage_step(log, summary, part));
  compare_stages(summary);
  summary.too_early = static_cast<std::uint32_t>(count_too_early(log, pipeline_links(log, step)));
  for (const PathJob& on_path : critical_path(log, step)) {
    const PipelineJob& job = log.jobs[on_path.job];
    summary.stages[on_path.stage].on_path += job.end - job.begin;
    summary.path_wait += on_path.wait;
  }
  return summary;
}

std::string stage_name(const PipelineLog& log, const PipelineDevice& device) {
  std::string name(log.text(device.machine));
  if (!name.empty()) name += ' ';
  return name.append(log.text(device.name));
}

}  // namespace

std::string_view name(StagePhase phase) {
  switch (phase) {
    case StagePhase::warm_up:
      return "warm-up";
    case StagePhase::steady:
      return "steady";
    case StagePhase::cool_down:
      return "cool-down";
    case StagePhase::kCount:
      break;
  }
  return "";
}

PipelineStepMean mean_of(const PipelineStepSummary& step) {
  PipelineStepMean mean;
  const auto stages = static_cast<double>(std::ranges::count_if(step.stages, &StageStep::present));
  for (const StageStep& stage : step.stages) {
    if (!stage.present) continue;
    for (std::size_t w = 0; w < kPipelineWorks; ++w) {
      const auto work = static_cast<PipelineWork>(w);
      (is_forward(work) ? mean.forward : is_backward(work) ? mean.backward : mean.other) += to_seconds(stage.work[w]) / stages;
    }
    mean.idle += to_seconds(step.span.length() - stage.busy) / stages;
  }
  return mean;
}

std::vector<PipelineSummary> pipeline_summaries(const PipelineLog& log) {
  std::vector<PipelineSummary> summaries;
  for (const PipelineRun& run : pipeline_runs(log)) {
    PipelineSummary& summary = summaries.emplace_back();
    summary.name = log.text(log.devices[run.stages.front()].run);
    for (const std::uint32_t device : run.stages) summary.stages.push_back(stage_name(log, log.devices[device]));
    for (const PipelineRunStep& step : run.steps) summary.steps.push_back(summary_of_step(log, step));
  }
  return summaries;
}

std::vector<PathJob> critical_path(const PipelineLog& log, const PipelineRunStep& step) {
  constexpr std::uint32_t kNothing = UINT32_MAX;
  struct Node {
    std::uint32_t job, stage;
    std::uint32_t before = kNothing;     // on the same stage
    std::uint32_t waits_for = kNothing;  // on another stage, or of an earlier chunk
  };
  std::vector<Node> nodes;
  for (std::uint32_t stage = 0; stage < step.parts.size(); ++stage) {
    std::uint32_t before = kNothing;
    for (const std::uint32_t job : working_jobs(log, step.parts[stage])) {
      nodes.push_back({job, stage, before});
      before = static_cast<std::uint32_t>(nodes.size() - 1);
    }
  }
  std::vector<std::uint32_t> by_job(nodes.size());
  for (std::uint32_t n = 0; n < nodes.size(); ++n) by_job[n] = n;
  std::ranges::sort(by_job, {}, [&](std::uint32_t n) { return nodes[n].job; });
  const auto node_of = [&](std::uint32_t job) {
    return *std::ranges::lower_bound(by_job, job, {}, [&](std::uint32_t n) { return nodes[n].job; });
  };
  for (const PipelineLink& link : pipeline_links(log, step)) nodes[node_of(link.to)].waits_for = node_of(link.from);

  const auto job_of = [&](std::uint32_t n) -> const PipelineJob& { return log.jobs[nodes[n].job]; };
  std::uint32_t at = kNothing;
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    if (at == kNothing || job_of(n).end > job_of(at).end) at = n;
  }
  std::vector<PathJob> path;
  while (at != kNothing) {
    std::uint32_t last = kNothing;
    for (const std::uint32_t candidate : {nodes[at].before, nodes[at].waits_for}) {
      if (candidate == kNothing) continue;
      // If clocks contradict each other, a job may seem to begin before its cause, so the walk only goes back in time.
      if (std::pair(job_of(candidate).begin, candidate) >= std::pair(job_of(at).begin, at)) continue;
      if (last == kNothing || job_of(candidate).end > job_of(last).end) last = candidate;
    }
    const Ns wait = last == kNothing ? 0 : std::max<Ns>(0, job_of(at).begin - job_of(last).end);
    path.push_back({nodes[at].job, nodes[at].stage, wait});
    at = last;
  }
  std::ranges::reverse(path);
  return path;
}

std::vector<std::uint32_t> micro_batch_path(const PipelineLog& log, const PipelineRunStep& step,
                                            std::int32_t micro_batch) {
  std::vector<std::uint32_t> path;
  for (const PipelineLink& link : pipeline_links(log, step)) {
    if (log.jobs[link.from].micro_batch != micro_batch) continue;
    if (path.empty() || path.back() != link.from) path.push_back(link.from);
    path.push_back(link.to);
  }
  return path;
}

}  // namespace tv
