#include "core/analysis/owners/owner_paths.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/analysis/gpu/gpu_launches.h"
#include "core/query/row_search.h"
#include "core/store/rules/iteration_rules.h"
#include "core/store/rules/work_rules.h"

namespace tv {
namespace {

using OwnerKinds = std::vector<OwnerKind>;  // by label; Nothing: not part of a path

OwnerKinds owner_kinds(const LabelTable& labels) {
  OwnerKinds kinds;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    kinds.push_back(owner_kind(labels.category(label), labels.name(label)).value_or(OwnerKind::Nothing));
  }
  return kinds;
}

// Whether the operator belongs to the backward pass, if an arrow leads to it.
bool is_backward(std::string_view name) {
  return name.starts_with("autograd::engine::evaluate_function") || name.starts_with("CppNode<") ||
         name.find("Backward") != std::string_view::npos;
}

struct SliceAround {
  SliceId slice{};
  TimeRange time;
  LabelId label{};
};

// The slices of a thread's lanes around one moment after another. Moments in order are cheap.
class SlicesOfThread {
 public:
  SlicesOfThread(const Trace& trace, LaneId thread, const OwnerKinds& kinds) : kinds_(kinds) {
    for (std::size_t l = idx(thread); l < idx(trace.lane(thread).subtree_end); ++l) {
      for (const Row& row : trace.rows_of(trace.lanes[l])) {
        if (row.kind != RowKind::Slices) continue;
        const RowSlices slices = trace.slices_of(row);
        if (slices.any_label([&](LabelId label) { return kinds_[idx(label)] != OwnerKind::Nothing; })) rows_.push_back({slices});
      }
    }
  }

  // Outermost first. `launch`: a slice of the thread and its time. What begins together with it and ends before it is inside.
  void around(SliceId launch, TimeRange time, std::vector<SliceAround>& out) {
    out.clear();
    for (RowCursor& row : rows_) {
      if (time.begin < moment_) row.next = first_beginning_after(row.slices, time.begin);
      while (row.next < row.slices.size() && row.slices.begin(row.next) <= time.begin) ++row.next;
      if (row.next == 0) continue;
      const std::size_t i = row.next - 1;
      const SliceAround found{row.slices.id(i), row.slices.range(i), row.slices.label(i)};
      const bool holds = found.slice == launch || (found.time.end > time.begin && (found.time.begin < time.begin || found.time.end >= time.end));
      if (holds && kinds_[idx(found.label)] != OwnerKind::Nothing) out.push_back(found);
    }
    moment_ = time.begin;
    const auto outer = [](const SliceAround& a, const SliceAround& b) {
      return std::tuple(a.time.begin, -a.time.end) < std::tuple(b.time.begin, -b.time.end);
    };
    if (!std::ranges::is_sorted(out, outer)) std::ranges::stable_sort(out, outer);
  }

 private:
  struct RowCursor {
    RowSlices slices;
    std::size_t next = 0;  // the first slice that begins after the last moment
  };
  const OwnerKinds& kinds_;
  std::vector<RowCursor> rows_;
  Ns moment_ = std::numeric_limits<Ns>::min();
};

LaneId thread_of(const Trace& trace, SliceId slice) { return thread_group(trace, trace.row(trace.row_of(slice)).lane); }

class PathTree {
 public:
  PathTree(const Trace& trace, std::vector<OwnerNode>& nodes) : trace_(trace), kinds_(owner_kinds(trace.labels)), nodes_(nodes) {
    nodes_ = {OwnerNode{}, OwnerNode{}};
    nodes_[OwnerPaths::kUnknown].kind = OwnerKind::Unknown;
  }

  // The launches of a thread must come in order of begin.
  void begin_thread(LaneId thread) {
    thread_.emplace(trace_, thread, kinds_);
    last_.clear();
  }
  std::uint32_t node_of(SliceId launch) {
    thread_->around(launch, trace_.range_of(launch), around_);
    std::size_t same = 0;
    while (same < std::min(last_.size(), around_.size()) && last_[same].slice == around_[same].slice) ++same;
    last_.resize(same);
    for (std::size_t i = same; i < around_.size(); ++i) {
      const std::uint32_t outer = last_.empty() ? OwnerPaths::kRoot : last_.back().node;
      last_.push_back({around_[i].slice, node_below(outer, around_[i])});
    }
    return last_.empty() ? OwnerPaths::kRoot : last_.back().node;
  }

 private:
  struct OnPath {
    SliceId slice{};
    std::uint32_t node = 0;
  };

  std::uint32_t node_below(std::uint32_t outer, const SliceAround& inner) {
    if (nodes_[outer].backward) return child(outer, inner.label, true);
    const std::optional<SliceId> forward = forward_of(inner);
    return forward ? child(node_of_forward(*forward), inner.label, true) : child(outer, inner.label, false);
  }

  // The forward operator of an operator of the backward pass, or what begins together with it: the path is that of this moment.
  std::optional<SliceId> forward_of(const SliceAround& op) const {
    std::optional<SliceId> forward;
    if (kinds_[idx(op.label)] != OwnerKind::Operator || !is_backward(trace_.labels.name(op.label))) return forward;
    trace_.flows.entering(op.slice, [&](std::size_t, const Flow& flow) {
      if (!forward && trace_.begin_of(flow.from) < op.time.begin) forward = flow.from;
    });
    return forward;
  }

  std::uint32_t node_of_forward(SliceId op) {
    const LaneId thread = thread_of(trace_, op);
    auto found = forward_threads_.find(thread);
    if (found == forward_threads_.end()) found = forward_threads_.try_emplace(thread, trace_, thread, kinds_).first;
    found->second.around(op, trace_.range_of(op), forward_around_);
    std::uint32_t node = OwnerPaths::kRoot;
    for (const SliceAround& slice : forward_around_) node = child(node, slice.label, false);
    return node;
  }

  std::uint32_t child(std::uint32_t parent, LabelId label, bool backward) {
    const std::uint64_t key = std::uint64_t{parent} << 33 | std::uint64_t{backward} << 32 | idx(label);
    const auto [found, is_new] = known_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back({parent, label, kinds_[idx(label)], backward});
    return found->second;
  }

  const Trace& trace_;
  const OwnerKinds kinds_;
  std::vector<OwnerNode>& nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // nodes by parent, pass and label
  std::optional<SlicesOfThread> thread_;
  std::vector<OnPath> last_;  // the path of the last launch
  std::map<LaneId, SlicesOfThread> forward_threads_;
  std::vector<SliceAround> around_, forward_around_;
};

std::vector<OwnedWork> work_of(const GpuActivity& activity, const Gpu& gpu) {
  const Trace& trace = *activity.trace;
  std::vector<OwnedWork> all;
  for (const std::uint32_t r : gpu.rows) {
    const RowSlices row = trace.slices_of(trace.rows[r]);
    const RowWork work(activity.work, trace, row);
    const RowPart part = activity.scope ? touching(row, activity.scope->range) : RowPart{0, row.size()};
    for (std::size_t i = part.first; i < part.last; ++i) {
      if (!work.lasts(row, i)) continue;
      const SliceId slice = row.id(i);
      all.push_back({slice, launch_of(activity, slice).value_or(kNone<SliceId>), OwnerPaths::kUnknown});
    }
  }
  return all;
}

struct LaunchOfWork {
  LaneId thread{};
  Ns begin = 0;
  SliceId launch{};
  std::size_t work = 0;  // index into OwnerPaths::work
};

}  // namespace

std::optional<OwnerKind> owner_kind(std::string_view category, std::string_view name) {
  constexpr std::string_view kModule = "nn.Module: ";
  const IterationMark mark = iteration_mark(category, name);
  if (mark == IterationMark::ProfilerStep || mark == IterationMark::Step) return std::nullopt;
  if (category == "python_function") return name.starts_with(kModule) ? OwnerKind::Module : OwnerKind::Function;
  switch (category_kind(category)) {
    case CategoryKind::Ranges: return OwnerKind::Range;
    case CategoryKind::Host: return OwnerKind::Operator;
    case CategoryKind::Other: return OwnerKind::Function;
    default: return std::nullopt;
  }
}

OwnerPaths owner_paths(const GpuActivity& activity, ThreadPool& pool) {
  const Trace& trace = *activity.trace;
  std::vector<std::vector<OwnedWork>> of_gpu(activity.gpus.size());
  pool.parallel_for(of_gpu.size(), [&](std::size_t g) { of_gpu[g] = work_of(activity, activity.gpus[g]); });
  OwnerPaths paths;
  for (const std::vector<OwnedWork>& work : of_gpu) paths.work.insert(paths.work.end(), work.begin(), work.end());
  std::vector<LaunchOfWork> launches;
  for (std::size_t w = 0; w < paths.work.size(); ++w) {
    const SliceId launch = paths.work[w].launch;
    if (launch != kNone<SliceId>) launches.push_back({thread_of(trace, launch), trace.begin_of(launch), launch, w});
  }
  std::ranges::sort(launches, {}, [](const LaunchOfWork& one) { return std::tuple(one.thread, one.begin, one.launch, one.work); });
  PathTree tree(trace, paths.nodes);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const LaunchOfWork& one = launches[i];
    if (i == 0 || launches[i - 1].thread != one.thread) tree.begin_thread(one.thread);
    const bool same = i > 0 && launches[i - 1].launch == one.launch;
    paths.work[one.work].node = same ? paths.work[launches[i - 1].work].node : tree.node_of(one.launch);
  }
  return paths;
}

}  // namespace tv
