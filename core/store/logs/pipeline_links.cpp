#include "core/store/logs/pipeline_links.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace tv {
namespace {

template <class Visit>
void each_job_of(const PipelineLog& log, const PipelineRunStep& step, std::size_t stage, Visit visit) {
  if (step.parts[stage] == kNoPart) return;
  const PipelineStep& part = log.steps[step.parts[stage]];
  for (std::uint32_t j = part.first_job; j < part.first_job + part.job_count; ++j) {
    visit(static_cast<std::int32_t>(stage), j, log.jobs[j]);
  }
}

template <class Visit>
void each_job(const PipelineLog& log, const PipelineRunStep& step, Visit visit) {
  for (std::size_t stage = 0; stage < step.parts.size(); ++stage) each_job_of(log, step, stage, visit);
}

std::int32_t chunk_of(const PipelineJob& job) { return std::max(job.chunk, 0); }

// When a stage's chunk begins the forward job of its first micro-batch. Nullopt if it has none.
std::optional<Ns> first_forward(const PipelineLog& log, const PipelineRunStep& step, std::int32_t stage,
                                std::int32_t chunk) {
  const PipelineJob* first = nullptr;
  each_job_of(log, step, static_cast<std::size_t>(stage), [&](std::int32_t, std::uint32_t, const PipelineJob& job) {
    if (!is_forward(job.work) || chunk_of(job) != chunk) return;
    if (!first || job.micro_batch < first->micro_batch) first = &job;
  });
  return first ? std::optional(first->begin) : std::nullopt;
}

// A job's place on its micro-batch's path. If two jobs have one place, the later one continues the path.
struct PlacedJob {
  std::int32_t micro_batch, place;  // places of the backward pass come after those of the forward pass
  std::uint32_t job;
  bool operator<(const PlacedJob& other) const {
    return std::pair(micro_batch, place) < std::pair(other.micro_batch, other.place);
  }
};

}  // namespace

PipelineShape pipeline_shape(const PipelineLog& log, const PipelineRunStep& step) {
  PipelineShape shape;
  shape.stages = static_cast<std::int32_t>(step.parts.size());
  std::vector<std::int32_t> micro_batches;
  each_job(log, step, [&](std::int32_t, std::uint32_t, const PipelineJob& job) {
    if (!is_forward(job.work) && !is_backward(job.work)) return;
    shape.chunks = std::max(shape.chunks, chunk_of(job) + 1);
    micro_batches.push_back(job.micro_batch);
  });
  std::ranges::sort(micro_batches);
  const auto last = std::unique(micro_batches.begin(), micro_batches.end());
  shape.micro_batches = static_cast<std::int32_t>(last - micro_batches.begin());
  if (shape.chunks > 1 && shape.stages > 1) {
    // A chunk of the first stage waits for the last stage; the next part of a job does not.
    const auto next = first_forward(log, step, 0, 1), end = first_forward(log, step, shape.stages - 1, 0);
    shape.parts = next && end && *next < *end;
  }
  return shape;
}

std::vector<PipelineLink> pipeline_links(const PipelineLog& log, const PipelineRunStep& step) {
  const PipelineShape shape = pipeline_shape(log, step);
  const std::int32_t places = shape.stages * shape.chunks;
  std::vector<PlacedJob> placed;
  each_job(log, step, [&](std::int32_t stage, std::uint32_t j, const PipelineJob& job) {
    const std::int32_t chunk = chunk_of(job);
    if (is_forward(job.work)) {
      placed.push_back({job.micro_batch, shape.forward_place(stage, chunk), j});
    } else if (is_backward(job.work) && job.work != PipelineWork::backward_w) {
      placed.push_back({job.micro_batch, 2 * places - 1 - shape.backward_place(stage, chunk), j});
    }
  });
  std::ranges::stable_sort(placed, std::less<>());
  std::vector<PipelineLink> links;
  for (std::size_t i = 1; i < placed.size(); ++i) {
    const PlacedJob &from = placed[i - 1], &to = placed[i];
    if (from.micro_batch == to.micro_batch && from.place + 1 == to.place) links.push_back({from.job, to.job});
  }
  return links;
}

std::size_t count_too_early(const PipelineLog& log, const std::vector<PipelineLink>& links) {
  // The log's milliseconds are doubles around 1.7e12, whose spacing is a quarter of a microsecond.
  constexpr Ns kClockNoise = kMicrosecond;
  return static_cast<std::size_t>(std::ranges::count_if(links, [&](const PipelineLink& link) {
    return log.jobs[link.to].begin + kClockNoise < log.jobs[link.from].end;
  }));
}

bool forward_in_order(const PipelineLog& log, const PipelineRunStep& step) {
  Ns before = std::numeric_limits<Ns>::min();
  for (std::int32_t stage = 0; stage < static_cast<std::int32_t>(step.parts.size()); ++stage) {
    const auto begin = first_forward(log, step, stage, 0);
    if (!begin) continue;
    if (*begin < before) return false;
    before = *begin;
  }
  return true;
}

}  // namespace tv
