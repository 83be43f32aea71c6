#include "core/read/nsys/nvtx_projection.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/memory/column.h"
#include "core/base/sort_runs.h"

namespace tv {
namespace {

constexpr Ns kNever = std::numeric_limits<Ns>::max(), kBeforeAll = std::numeric_limits<Ns>::min();

// Launches sorted by begin, in small blocks, under a binary tree of bounds. A search descends only into nodes that are neither
// fully inside nor fully outside the range. Calls on a thread do not overlap, so such nodes occur only near the range's ends.
class LaunchTree {
 public:
  LaunchTree() = default;
  explicit LaunchTree(std::vector<LaunchCall> launches) : launches_(std::move(launches)) {
    const auto earlier = [](const LaunchCall& a, const LaunchCall& b) { return a.begin < b.begin; };
    if (!std::ranges::is_sorted(launches_, earlier)) std::ranges::stable_sort(launches_, earlier);
    while (blocks_ * kBlock < launches_.size()) blocks_ *= 2;
    nodes_.assign(2 * blocks_, {kNever, kBeforeAll, kNever, kBeforeAll});
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      const LaunchCall& launch = launches_[i];
      if (i % kBlock == 0) begins_.push_back(launch.begin);
      Node& node = nodes_[blocks_ + i / kBlock];
      node = joined(node, {launch.end, launch.end, launch.work_begin, launch.work_end});
    }
    for (std::size_t n = blocks_; n-- > 1;) nodes_[n] = joined(nodes_[2 * n], nodes_[2 * n + 1]);
  }

  // The extent of all work that calls within [begin, end] launched. Without such work, the extent ends before it begins.
  TimeRange work_within(Ns begin, Ns end) const {
    TimeRange out{kNever, kBeforeAll};
    const std::size_t first = count_before([&](Ns call) { return call < begin; });
    const std::size_t last = count_before([&](Ns call) { return call <= end; });
    if (first < last) gather(1, 0, blocks_, first, last, end, out);
    return out;
  }

 private:
  static constexpr std::size_t kBlock = 16;

  struct Node {
    Ns first_end, last_end;  // earliest and latest end of the calls
    Ns work_begin, work_end;
  };

  // The number of launches whose begins fulfil `before`. Finds their last block first, since the begins of blocks lie close
  // together in memory.
  template <class Before>
  std::size_t count_before(Before before) const {
    const auto block = std::ranges::partition_point(begins_, before) - begins_.begin();
    if (block == 0) return 0;
    const auto from = launches_.begin() + (block - 1) * static_cast<std::ptrdiff_t>(kBlock);
    const auto to = std::min(from + static_cast<std::ptrdiff_t>(kBlock), launches_.end());
    const auto found = std::ranges::partition_point(from, to, before, &LaunchCall::begin);
    return static_cast<std::size_t>(found - launches_.begin());
  }

  static Node joined(const Node& a, const Node& b) {
    return {std::min(a.first_end, b.first_end), std::max(a.last_end, b.last_end), std::min(a.work_begin, b.work_begin),
            std::max(a.work_end, b.work_end)};
  }

  // Adds the work of the launches [first, last) that are in the node's blocks [from, to) and end by `end`.
  void gather(std::size_t node, std::size_t from, std::size_t to, std::size_t first, std::size_t last, Ns end,
              TimeRange& out) const {
    const Node& n = nodes_[node];
    if (first >= to * kBlock || last <= from * kBlock || n.first_end > end || n.work_begin == kNever) return;
    if (first <= from * kBlock && to * kBlock <= last && n.last_end <= end) {
      out.include(n.work_begin, n.work_end);
      return;
    }
    if (to - from > 1) {
      const std::size_t middle = (from + to) / 2;
      gather(2 * node, from, middle, first, last, end, out);
      gather(2 * node + 1, middle, to, first, last, end, out);
      return;
    }
    for (std::size_t i = std::max(first, from * kBlock); i < std::min(last, to * kBlock); ++i) {
      if (launches_[i].end <= end) out.include(launches_[i].work_begin, launches_[i].work_end);
    }
  }

  std::vector<LaunchCall> launches_;
  std::vector<Ns> begins_;  // of each block
  std::size_t blocks_ = 1;  // a power of two; node n has the children 2n and 2n + 1, and the leaves are the blocks
  std::vector<Node> nodes_;
};

}  // namespace

struct GpuProjection::Thread {
  struct Gpu {
    std::int64_t process, device;
    LaunchTree tree;
  };
  std::int64_t thread;
  std::vector<Gpu> gpus;
};

LaunchedWork::LaunchedWork(std::vector<GpuWork> work) : work_(std::move(work)) {
  const auto by_launch_and_gpu = [](const GpuWork& a, const GpuWork& b) {
    return std::tie(a.launch, a.process, a.device) < std::tie(b.launch, b.process, b.device);
  };
  Column<GpuWork> spare(work_.size());
  sort_runs(std::span(work_), std::span(spare.data(), spare.size()), by_launch_and_gpu);
  std::size_t count = 0;
  for (const GpuWork& piece : work_) {
    if (count > 0 && !by_launch_and_gpu(work_[count - 1], piece)) {
      work_[count - 1].begin = std::min(work_[count - 1].begin, piece.begin);
      work_[count - 1].end = std::max(work_[count - 1].end, piece.end);
    } else {
      work_[count++] = piece;
    }
  }
  work_.resize(count);
  launches_.reserve(count);
  for (const GpuWork& piece : work_) launches_.push_back(piece.launch);
}

std::span<const GpuWork> LaunchedWork::of(std::uint64_t launch) const {
  const auto first = std::ranges::lower_bound(launches_, launch);
  auto last = first;
  while (last != launches_.end() && *last == launch && last - first < kMostGpus) ++last;
  return std::span(work_).subspan(static_cast<std::size_t>(first - launches_.begin()), static_cast<std::size_t>(last - first));
}

void LaunchesByThread::add(std::int64_t thread, Ns begin, Ns end, const GpuWork& work) {
  const auto is_of = [&](const ThreadLaunches& l) {
    return l.thread == thread && l.process == work.process && l.device == work.device;
  };
  if (last_ >= launches_.size() || !is_of(launches_[last_])) {
    const auto [known, is_new] = places_.try_emplace({thread, work.process, work.device}, launches_.size());
    if (is_new) launches_.push_back({thread, work.process, work.device, {}});
    if (launches_.size() == 1) launches_.front().calls.reserve(expected_);
    last_ = known->second;
  }
  launches_[last_].calls.push_back({begin, end, work.begin, work.end});
}

GpuProjection::GpuProjection() = default;
GpuProjection::GpuProjection(GpuProjection&&) noexcept = default;
GpuProjection& GpuProjection::operator=(GpuProjection&&) noexcept = default;
GpuProjection::~GpuProjection() = default;

GpuProjection::GpuProjection(std::vector<ThreadLaunches> parts, ThreadPool& pool) {
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::vector<ThreadLaunches*>> together;
  for (ThreadLaunches& part : parts) together[{part.thread, part.process, part.device}].push_back(&part);
  std::vector<std::pair<std::vector<ThreadLaunches*>, LaunchTree*>> trees;
  for (const auto& [key, of_gpu] : together) {
    const auto [thread, process, device] = key;
    if (threads_.empty() || threads_.back().thread != thread) threads_.push_back({thread, {}});
    threads_.back().gpus.push_back({process, device, {}});
    trees.emplace_back(of_gpu, nullptr);
  }
  std::size_t next = 0;
  for (Thread& thread : threads_) {
    for (Thread::Gpu& gpu : thread.gpus) trees[next++].second = &gpu.tree;
  }
  pool.parallel_for(trees.size(), [&](std::size_t t) {
    std::size_t count = 0;
    for (const ThreadLaunches* part : trees[t].first) count += part->calls.size();
    std::vector<LaunchCall> calls;
    calls.reserve(count);
    for (ThreadLaunches* part : trees[t].first) {
      calls.insert(calls.end(), part->calls.begin(), part->calls.end());
      part->calls = {};
    }
    *trees[t].second = LaunchTree(std::move(calls));
  });
}

void GpuProjection::project(std::int64_t thread, Ns begin, Ns end, std::vector<ProjectedRange>& out) const {
  const auto of_thread = std::ranges::lower_bound(threads_, thread, {}, &Thread::thread);
  if (of_thread == threads_.end() || of_thread->thread != thread) return;
  for (const Thread::Gpu& gpu : of_thread->gpus) {
    const TimeRange span = gpu.tree.work_within(begin, end);
    if (span.begin <= span.end) out.push_back({gpu.process, gpu.device, span.begin, span.end});
  }
}

}  // namespace tv
