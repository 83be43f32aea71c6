#include "core/analysis/gpu/gpu_gaps.h"

#include <algorithm>
#include <tuple>

#include "core/analysis/gpu/gpu_launches.h"
#include "core/analysis/gpu/gpu_sweep.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

constexpr std::size_t kMostGaps = 10'000;  // listed per GPU

bool is_longer(const GpuGap& a, const GpuGap& b) {
  return std::tuple(-a.time.length(), a.gpu, a.time.begin) < std::tuple(-b.time.length(), b.gpu, b.time.begin);
}

void keep_longest(std::vector<GpuGap>& gaps) {
  if (gaps.size() <= kMostGaps) return;
  const auto end = gaps.begin() + static_cast<std::ptrdiff_t>(kMostGaps);
  std::nth_element(gaps.begin(), end, gaps.end(), is_longer);
  gaps.erase(end, gaps.end());
}

// The slice of a row that contains t.
SliceId slice_around(const RowSlices& row, Ns t) {
  const std::size_t after = first_beginning_after(row, t);
  return after > 0 && row.end(after - 1) > t ? row.id(after - 1) : kNone<SliceId>;
}

class GapExplainer {
 public:
  explicit GapExplainer(const GpuActivity& activity)
      : activity_(activity), trace_(*activity.trace), sync_(labels_of(trace_, WorkKind::sync)) {}

  void explain(GpuGap& gap) const {
    const auto launch = launch_of(activity_, gap.after);
    if (!launch) return;
    gap.launch = *launch;
    const Ns returned = std::clamp(trace_.end_of(*launch), gap.time.begin, gap.time.end);
    gap.of_cpu = returned - gap.time.begin;
    if (2 * gap.of_cpu < gap.time.length()) {
      gap.cause = GapCause::queued;
      return;
    }
    gap.cause = GapCause::late_launch;
    const LaneId thread = thread_group(trace_, trace_.row(trace_.row_of(*launch)).lane);
    for (std::size_t l = idx(thread); l < idx(trace_.lane(thread).subtree_end); ++l) {
      for (const Row& row : trace_.rows_of(trace_.lanes[l])) {
        if (row.kind == RowKind::Slices) look_at(trace_.slices_of(row), {gap.time.begin, returned}, gap);
      }
    }
  }

 private:
  void look_at(const RowSlices& row, TimeRange cpu, GpuGap& gap) const {
    const SliceId at_begin = slice_around(row, cpu.begin);
    if (at_begin != kNone<SliceId> && sync_[idx(trace_.label_of(at_begin))]) {
      gap.cause = GapCause::after_sync;
      gap.sync = at_begin;
    }
    // A slice that covers half of `cpu` covers its middle.
    const SliceId around = slice_around(row, cpu.begin + cpu.length() / 2);
    if (around == kNone<SliceId>) return;
    const Ns covered = std::min(trace_.end_of(around), cpu.end) - std::max(trace_.begin_of(around), cpu.begin);
    const auto length = [&](SliceId slice) { return trace_.duration_of(slice); };
    if (2 * covered < cpu.length() || (gap.doing != kNone<SliceId> && length(around) >= length(gap.doing))) return;
    gap.doing = around;
    gap.doing_time = covered;
  }

  const GpuActivity& activity_;
  const Trace& trace_;
  std::vector<bool> sync_;
};

std::vector<GpuGap> gaps_of(const GpuActivity& activity, std::uint32_t g, Ns least, const std::optional<TimeRange>& within,
                            GapSums& sums) {
  std::vector<GpuGap> gaps;
  SliceId before{};
  const Gpu& gpu = activity.gpus[g];
  const auto look = [&](const GpuEvent& event) {
    const TimeRange since = activity.counted(event.since);
    // If recording stopped in a gap, it is unknown what ended the gap. Its recorded part counts as idle, without a cause.
    if (event.running.idle() && since.length() >= std::max<Ns>(least, 1) && gpu.was_recorded(since)) {
      GpuGap gap;
      gap.gpu = g;
      gap.time = since;
      gap.before = before;
      gap.after = event.slice;
      gaps.push_back(gap);
      ++sums.count;
      sums.total += since.length();
      if (gaps.size() >= 2 * kMostGaps) keep_longest(gaps);
    }
    if (!event.begins) before = event.slice;
  };
  sweep_gpu(*activity.trace, activity.work, gpu.rows, look, within);
  keep_longest(gaps);
  return gaps;
}

}  // namespace

std::string_view name(GapCause cause) {
  constexpr std::array<std::string_view, kGapCauses> kNames = {"after_sync", "late_launch", "queued", "unknown"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::string_view meaning(GapCause cause) {
  constexpr std::array<std::string_view, kGapCauses> kMeanings = {"CPU had waited", "late launch", "queued",
                                                                  "launch unknown"};
  return kMeanings[static_cast<std::size_t>(cause)];
}

void explain_gap(const GpuActivity& activity, GpuGap& gap) { GapExplainer(activity).explain(gap); }

GpuGaps find_gaps(const GpuActivity& activity, Ns least, ThreadPool& pool) {
  GpuGaps out;
  out.sums.resize(activity.gpus.size());
  std::vector<std::vector<GpuGap>> of_gpu(activity.gpus.size());
  const GapExplainer explainer(activity);
  pool.parallel_for(of_gpu.size(), [&](std::size_t g) {
    GapSums& sums = out.sums[g];
    of_gpu[g] = gaps_of(activity, static_cast<std::uint32_t>(g), least, activity.within(), sums);
    sums.unlisted = activity.gpus[g].idle();
    for (GpuGap& gap : of_gpu[g]) {
      explainer.explain(gap);
      sums.by_cause[static_cast<std::size_t>(gap.cause)] += gap.time.length();
      sums.unlisted -= gap.time.length();
    }
  });
  for (const std::vector<GpuGap>& gaps : of_gpu) out.gaps.insert(out.gaps.end(), gaps.begin(), gaps.end());
  std::ranges::sort(out.gaps, is_longer);
  return out;
}

std::optional<GpuGap> longest_gap(const GpuActivity& activity) {
  std::vector<const Gpu*> all;
  for (const Gpu& gpu : activity.gpus) all.push_back(&gpu);
  return longest_gap(activity, all);
}

std::optional<GpuGap> longest_gap(const GpuActivity& activity, std::span<const Gpu* const> gpus) {
  const Gpu* longest = nullptr;
  for (const Gpu* const gpu : gpus) {
    if (gpu->longest_gap.length() > (longest ? longest->longest_gap.length() : 0)) longest = gpu;
  }
  if (!longest) return std::nullopt;
  const TimeRange time = longest->longest_gap;
  GapSums sums;
  std::vector<GpuGap> near = gaps_of(activity, static_cast<std::uint32_t>(longest - activity.gpus.data()), time.length(), time, sums);
  const auto gap = std::ranges::find(near, time, &GpuGap::time);
  if (gap == near.end()) return std::nullopt;
  GapExplainer(activity).explain(*gap);
  return *gap;
}

}  // namespace tv
