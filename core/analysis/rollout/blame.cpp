#include "core/analysis/rollout/blame.h"

#include <algorithm>

#include "core/analysis/rollout/rollout_parts.h"

namespace tv {
namespace {

// RolloutStep::last settles ties: the first in request order, which is by worker and file.
std::optional<RequestIx> last_to_end(const RolloutStep& step) {
  return step.first == step.end ? std::nullopt : std::optional(step.last);
}

// The seconds of a wait that lie after t.
double seconds_after(const RolloutPhase& wait, Ns t) {
  return std::clamp(to_seconds(wait.end - t), 0.0, lasted(wait));
}

bool waited_longer(const BarrierWait& a, const BarrierWait& b) {
  return a.seconds != b.seconds ? a.seconds > b.seconds : a.phase < b.phase;
}

}  // namespace

std::optional<Blame> blame_of_step(const Rollout& rollout, std::uint32_t step) {
  const StrId barrier = barrier_event(rollout);
  const auto files = files_of_step(rollout, step);
  const auto last = last_to_end(rollout.steps[step]);
  if (barrier == kNone<StrId> || !last || worker_count(files) < 2) return {};

  Blame out;
  out.step = step;
  out.request = *last;
  out.worker = rollout.worker[*last];
  for (const WorkerStep& file : files) {
    for (const std::uint32_t p : file.phases) {
      const RolloutPhase& phase = rollout.log().phases[p];
      if (phase.event != idx(barrier)) continue;
      const auto worker_step = worker_step_index(rollout, file);
      const BarrierWait wait{p, worker_step, lasted(phase), seconds_after(phase, rollout.end[*last])};
      (file.worker == out.worker ? out.culprit_waits : out.waits).push_back(wait);
    }
  }
  if (out.waits.empty() && out.culprit_waits.empty()) return {};
  std::ranges::sort(out.waits, waited_longer);
  std::ranges::sort(out.culprit_waits, waited_longer);
  for (const BarrierWait& wait : out.waits) {
    out.lost += wait.seconds;
    out.after += wait.after;
  }
  return out;
}

BlameLedger blame(const Rollout& rollout) {
  BlameLedger out;
  for (std::uint32_t s = 0; s < rollout.steps.size(); ++s) {
    if (auto entry = blame_of_step(rollout, s)) out.entries.push_back(std::move(*entry));
  }
  std::ranges::stable_sort(out.entries, std::greater{}, &Blame::lost);
  for (const Blame& entry : out.entries) out.lost += entry.lost;
  return out;
}

std::optional<Blamed> blamed(const Rollout& rollout, std::uint32_t phase) {
  const RolloutPhase& wait = rollout.log().phases[phase];
  if (wait.event != idx(barrier_event(rollout))) return {};
  // A file with several runs has a WorkerStep in each run.
  const auto file = std::ranges::find_if(rollout.worker_steps, [&](const WorkerStep& f) {
    return f.file == wait.file && std::ranges::binary_search(f.phases, phase);
  });
  if (file == rollout.worker_steps.end() || worker_count(files_of_step(rollout, file->step)) < 2) return {};
  const auto last = last_to_end(rollout.steps[file->step]);
  if (!last) return {};
  return Blamed{rollout.worker[*last], *last, rollout.worker[*last] == file->worker};
}

std::optional<std::uint32_t> phase_of_slice(const Rollout& rollout, SliceId slice) {
  const ItemRef ref = rollout.trace->ref_of(slice);
  const AppendList<RolloutPhase>& phases = rollout.log().phases;
  const auto phase = std::ranges::find_if(phases, [&](const RolloutPhase& p) {
    return p.offset == ref.offset() && rollout.log().files[p.file].source == idx(ref.source());
  });
  if (phase == phases.end()) return std::nullopt;
  return static_cast<std::uint32_t>(phase - phases.begin());
}

const Blame* entry_of(const BlameLedger& ledger, RequestIx request) {
  const auto found = std::ranges::find(ledger.entries, request, &Blame::request);
  return found == ledger.entries.end() ? nullptr : &*found;
}

}  // namespace tv
