#include "core/analysis/gpu/gpu_steps.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>

#include "core/analysis/gpu/gpu_sweep.h"

namespace tv {
namespace {

GpuTime operator-(const GpuTime& a, const GpuTime& b) {
  return {a.compute - b.compute, a.overlapped - b.overlapped, a.exposed - b.exposed,
          a.memory - b.memory,   a.graph - b.graph,           a.beside_graph - b.beside_graph};
}

// A GPU's accumulated time at each of these ascending times.
std::vector<GpuTime> done_by(const GpuActivity& activity, const Gpu& gpu, const std::vector<Ns>& times) {
  std::vector<GpuTime> done;
  done.reserve(times.size());
  GpuTime sum;
  sweep_gpu(*activity.trace, activity.work, gpu.rows, [&](const GpuEvent& event) {
    TimeRange since = event.since;
    while (done.size() < times.size() && times[done.size()] <= since.end) {
      const Ns at = std::max(since.begin, times[done.size()]);
      sum.add(event.running, at - since.begin);
      since.begin = at;
      done.push_back(sum);
    }
    sum.add(event.running, since.length());
  });
  done.resize(times.size(), sum);
  return done;
}

// If the steps are of another process, only the GPU's work shows when recording began and ended.
Ns recorded_of(const Gpu& gpu, TimeRange step, bool of_other_process) {
  if (of_other_process) step = clip_to(step, gpu.span);
  Ns length = step.length();
  for (const TimeRange& hole : touching(gpu.unrecorded, step)) length -= clip_to(hole, step).length();
  return length;
}

bool is_marked(const StepSource& source) { return source.kind == StepsOf::Marked; }

// The GPUs of each process that marks steps.
std::map<LaneId, std::vector<std::uint32_t>> gpus_by_process(const GpuActivity& activity, std::span<const StepSource> sources) {
  std::map<LaneId, std::vector<std::uint32_t>> out;
  for (const StepSource& source : sources) {
    if (is_marked(source)) out.try_emplace(source.process);
  }
  for (std::uint32_t g = 0; g < activity.gpus.size(); ++g) {
    if (const auto known = out.find(activity.gpus[g].process); known != out.end()) known->second.push_back(g);
  }
  if (out.size() == 1 && out.begin()->second.empty()) {
    for (std::uint32_t g = 0; g < activity.gpus.size(); ++g) out.begin()->second.push_back(g);
  }
  return out;
}

// A list of steps that a GPU belongs to, and the GPU's index in that list.
struct InSteps {
  std::size_t source, place;
};

// The lists of steps of each GPU; `out` gets the GPUs of each list.
std::vector<std::vector<InSteps>> assign_gpus(const GpuActivity& activity, std::span<const StepSource> sources,
                                              std::vector<GpuSteps>& out) {
  const std::map<LaneId, std::vector<std::uint32_t>> gpus = gpus_by_process(activity, sources);
  std::vector<std::vector<InSteps>> in(activity.gpus.size());
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (is_marked(sources[s])) out[s].gpus = gpus.at(sources[s].process);
    for (std::size_t place = 0; place < out[s].gpus.size(); ++place) in[out[s].gpus[place]].push_back({s, place});
  }
  return in;
}

std::vector<Ns> borders_of(std::span<const InSteps> in, std::span<const StepSource> sources) {
  std::vector<Ns> times;
  for (const InSteps& one : in) {
    for (const StepRange& step : sources[one.source].steps) {
      times.push_back(step.range.begin);
      times.push_back(step.range.end);
    }
  }
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

bool have_moved(const std::vector<Ns>& now, const std::vector<Ns>& before, Ns by) {
  return std::ranges::equal(now, before, {}, {}, [by](Ns t) { return t + by; });
}

// Adds one GPU's time in the steps of all its lists, and its busy time outside of them.
void add_gpu(const GpuActivity& activity, std::size_t g, std::span<const InSteps> in, std::span<const StepSource> sources,
             const GpuProgress& progress, std::vector<GpuSteps>& out) {
  if (progress.borders.empty()) return;
  const Gpu& gpu = activity.gpus[g];
  const auto done_at = [&](Ns t) {
    return progress.done[static_cast<std::size_t>(std::ranges::lower_bound(progress.borders, t) - progress.borders.begin())];
  };
  for (const auto& [s, place] : in) {
    GpuSteps& of_source = out[s];
    Ns inside = 0, until = sources[s].steps.front().range.begin;
    for (std::size_t i = 0; i < sources[s].steps.size(); ++i) {
      const TimeRange step = sources[s].steps[i].range;
      of_source.time[i * of_source.gpus.size() + place] = done_at(step.end) - done_at(step.begin);
      of_source.recorded[i * of_source.gpus.size() + place] = recorded_of(gpu, step, gpu.process != sources[s].process);
      const Ns from = std::max(until, step.begin);  // steps are sorted by begin, and may overlap
      if (from < step.end) inside += (done_at(step.end) - done_at(from)).busy();
      until = std::max(until, step.end);
    }
    of_source.outside += gpu.time.busy() - inside;
  }
}

}  // namespace

std::vector<GpuProgress> gpu_progress(const GpuActivity& activity, std::span<const StepSource> sources, ThreadPool& pool,
                                      std::span<const SameGpu> same, std::span<const GpuProgress> earlier) {
  std::vector<GpuSteps> of_sources(sources.size());
  const std::vector<std::vector<InSteps>> in = assign_gpus(activity, sources, of_sources);
  std::vector<GpuProgress> out(activity.gpus.size());
  pool.parallel_for(out.size(), [&](std::size_t g) {
    out[g].borders = borders_of(in[g], sources);
    if (out[g].borders.empty()) return;
    const SameGpu known = g < same.size() ? same[g] : SameGpu();
    const GpuProgress* const was = known.gpu < earlier.size() ? &earlier[known.gpu] : nullptr;
    const bool can_reuse = was && have_moved(out[g].borders, was->borders, known.moved);
    out[g].done = can_reuse ? was->done : done_by(activity, activity.gpus[g], out[g].borders);
  });
  return out;
}

std::vector<GpuSteps> gpu_steps(const GpuActivity& activity, std::span<const StepSource> sources,
                                std::span<const GpuProgress> progress) {
  std::vector<GpuSteps> out(sources.size());
  const std::vector<std::vector<InSteps>> in = assign_gpus(activity, sources, out);
  for (std::size_t s = 0; s < sources.size(); ++s) {
    out[s].time.resize(sources[s].steps.size() * out[s].gpus.size());
    out[s].recorded.resize(out[s].time.size());
  }
  for (std::size_t g = 0; g < in.size(); ++g) add_gpu(activity, g, in[g], sources, progress[g], out);
  return out;
}

std::vector<GpuSteps> gpu_steps(const GpuActivity& activity, std::span<const StepSource> sources, ThreadPool& pool) {
  return gpu_steps(activity, sources, gpu_progress(activity, sources, pool));
}

StepNumbers::StepNumbers(std::span<const StepSource> sources) : sources_(sources) {
  for (const StepSource& source : sources) {
    std::vector<std::uint32_t>& order = by_number_.emplace_back(source.steps.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t step) { return source.steps[step].number; });
  }
}

// Steps of a source may overlap, but those with the same number (after a restart) follow each other.
std::optional<std::uint32_t> StepNumbers::find(std::uint32_t source, const StepRange& wanted) const {
  const std::vector<StepRange>& steps = sources_[source].steps;
  const auto after = std::ranges::partition_point(by_number_[source], [&](std::uint32_t step) {
    const StepRange& at = steps[step];
    return at.number < wanted.number || (at.number == wanted.number && at.range.begin < wanted.range.end);
  });
  if (after == by_number_[source].begin()) return std::nullopt;
  const std::uint32_t found = *std::prev(after);
  const bool same = steps[found].number == wanted.number && steps[found].range.end > wanted.range.begin;
  return same ? std::optional(found) : std::nullopt;
}

std::vector<GpuInStep> gpus_in_step(const StepNumbers& numbers, std::span<const GpuSteps> steps, std::uint32_t source,
                                    std::uint32_t step) {
  const std::span<const StepSource> sources = numbers.sources();
  const StepSource& of_step = sources[source];
  const StepRange& wanted = of_step.steps[step];
  std::vector<GpuInStep> out;
  for (std::uint32_t s = 0; s < sources.size(); ++s) {
    const StepSource& other = sources[s];
    if (other.kind != of_step.kind || other.unit != of_step.unit || !other.may_be_with(of_step) || steps[s].gpus.empty()) continue;
    const std::optional<std::uint32_t> same = s == source ? step : numbers.find(s, wanted);
    if (!same) continue;
    const std::size_t i = *same, count = steps[s].gpus.size();
    for (std::size_t g = 0; g < count; ++g) {
      out.push_back({s, *same, steps[s].gpus[g], other.steps[i].range,
                     steps[s].time[i * count + g], steps[s].recorded[i * count + g]});
    }
  }
  return out;
}

GpuStepMean mean_of(std::span<const GpuInStep> gpus) {
  GpuStepMean mean;
  if (gpus.empty()) return mean;
  const auto n = static_cast<double>(gpus.size());
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const GpuInStep& gpu = gpus[i];
    mean.compute += to_seconds(gpu.time.compute) / n;
    mean.overlapped += to_seconds(gpu.time.overlapped) / n;
    mean.graph += to_seconds(gpu.time.graph) / n;
    mean.beside_graph += to_seconds(gpu.time.beside_graph) / n;
    mean.exposed += to_seconds(gpu.time.exposed) / n;
    mean.memory += to_seconds(gpu.time.memory) / n;
    mean.idle += to_seconds(gpu.idle()) / n;
    mean.length += to_seconds(gpu.range.length()) / n;
    mean.unrecorded += to_seconds(gpu.range.length() - gpu.recorded) / n;
    if (gpu.range.length() > gpus[mean.longest].range.length()) mean.longest = i;
    if (gpu.time.exposed > gpus[mean.most_exposed].time.exposed) mean.most_exposed = i;
    if (gpu.idle() > gpus[mean.most_idle].idle()) mean.most_idle = i;
  }
  return mean;
}

}  // namespace tv
