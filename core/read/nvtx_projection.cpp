#include "core/read/nvtx_projection.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <tuple>

#include "core/base/sort_runs.h"

namespace tv {
namespace {

constexpr Ns kNever = std::numeric_limits<Ns>::max(), kBeforeAll = std::numeric_limits<Ns>::min();

// What the calls of one thread launched on one GPU.
struct Launch {
  Ns begin, end;            // of the call
  Ns work_begin, work_end;  // of all it launched
};

// Launches by begin, with bounds over stretches of them, from blocks of a few up: which calls also end within a range is
// decided by descending where a stretch is neither wholly in nor wholly out. On a thread calls do not overlap, so that is near
// the range's end alone.
class LaunchTree {
 public:
  explicit LaunchTree(std::vector<Launch> launches) : launches_(std::move(launches)) {
    const auto earlier = [](const Launch& a, const Launch& b) { return a.begin < b.begin; };
    if (!std::ranges::is_sorted(launches_, earlier)) std::ranges::stable_sort(launches_, earlier);
    while (blocks_ * kBlock < launches_.size()) blocks_ *= 2;
    nodes_.assign(2 * blocks_, {kNever, kBeforeAll, kNever, kBeforeAll});
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      const Launch& launch = launches_[i];
      Node& node = nodes_[blocks_ + i / kBlock];
      node = joined(node, {launch.end, launch.end, launch.work_begin, launch.work_end});
    }
    for (std::size_t n = blocks_; n-- > 1;) nodes_[n] = joined(nodes_[2 * n], nodes_[2 * n + 1]);
  }

  // Of all work that calls within [begin, end] launched; when there is none it ends before it begins.
  TimeRange work_within(Ns begin, Ns end) const {
    const auto first = std::ranges::lower_bound(launches_, begin, {}, &Launch::begin);
    const auto last = std::ranges::upper_bound(first, launches_.end(), end, {}, &Launch::begin);
    TimeRange out{kNever, kBeforeAll};
    gather(1, 0, blocks_, static_cast<std::size_t>(first - launches_.begin()),
           static_cast<std::size_t>(last - launches_.begin()), end, out);
    return out;
  }

 private:
  static constexpr std::size_t kBlock = 16;

  struct Node {
    Ns first_end, last_end;  // of calls
    Ns work_begin, work_end;
  };

  static Node joined(const Node& a, const Node& b) {
    return {std::min(a.first_end, b.first_end), std::max(a.last_end, b.last_end), std::min(a.work_begin, b.work_begin),
            std::max(a.work_end, b.work_end)};
  }

  // The launches [first, last), as far as they are in the blocks [from, to) under the node.
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

  std::vector<Launch> launches_;
  std::size_t blocks_ = 1;  // a power of two; node n has the children 2n and 2n + 1, blocks are the last ones
  std::vector<Node> nodes_;
};

}  // namespace

struct GpuProjection::OfThread {
  struct OfGpu {
    std::int64_t process, device;
    LaunchTree tree;
  };
  std::int64_t thread;
  std::vector<OfGpu> gpus;
};

GpuProjection::GpuProjection(GpuProjection&&) noexcept = default;
GpuProjection::~GpuProjection() = default;

GpuProjection::GpuProjection(std::vector<GpuWork>& work, const std::vector<LaunchCall>& calls) {
  const auto by_launch_and_gpu = [](const GpuWork& a, const GpuWork& b) {
    return std::tie(a.launch, a.process, a.device) < std::tie(b.launch, b.process, b.device);
  };
  std::vector<GpuWork> spare(work.size());
  sort_runs(std::span(work), std::span(spare), by_launch_and_gpu);
  spare = {};
  // A graph's launch, or a number that is used again and again, counts as one piece of work on each GPU.
  std::size_t kept = 0;
  for (const GpuWork& piece : work) {
    if (kept > 0 && !by_launch_and_gpu(work[kept - 1], piece)) {
      work[kept - 1].begin = std::min(work[kept - 1].begin, piece.begin);
      work[kept - 1].end = std::max(work[kept - 1].end, piece.end);
    } else {
      work[kept++] = piece;
    }
  }
  work.resize(kept);
  std::map<std::int64_t, std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Launch>>> launches;
  for (const LaunchCall& call : calls) {
    auto piece = std::ranges::lower_bound(work, call.launch, {}, &GpuWork::launch);
    for (; piece != work.end() && piece->launch == call.launch; ++piece) {
      launches[call.thread][{piece->process, piece->device}].push_back({call.begin, call.end, piece->begin, piece->end});
    }
  }
  for (auto& [thread, gpus] : launches) {
    OfThread& out = threads_.emplace_back(OfThread{thread, {}});
    for (auto& [gpu, of_gpu] : gpus) out.gpus.push_back({gpu.first, gpu.second, LaunchTree(std::move(of_gpu))});
  }
}

std::vector<ProjectedRange> GpuProjection::of(const std::vector<CpuRange>& ranges) const {
  std::vector<ProjectedRange> out;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    const auto of_thread = std::ranges::lower_bound(threads_, ranges[r].thread, {}, &OfThread::thread);
    if (of_thread == threads_.end() || of_thread->thread != ranges[r].thread) continue;
    for (const OfThread::OfGpu& gpu : of_thread->gpus) {
      const TimeRange span = gpu.tree.work_within(ranges[r].begin, ranges[r].end);
      if (span.begin <= span.end) out.push_back({r, gpu.process, gpu.device, span.begin, span.end});
    }
  }
  return out;
}

}  // namespace tv
