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
  return name.starts_with("autograd::engine::evaluate_function") || name.find("CppNode<") != std::string_view::npos ||
         name.find("Backward") != std::string_view::npos;
}

// The number of the first slice of the segment that has this one. Arrows, and therefore owners, are within a segment.
std::uint64_t segment_of(const Trace& trace, SliceId slice) { return trace.parts.empty() ? 0 : trace.part_of(slice).first_slice; }

struct ThreadOfSegment {
  LaneId thread{};
  std::uint64_t segment = 0;
  auto operator<=>(const ThreadOfSegment&) const = default;
};
ThreadOfSegment thread_of(const Trace& trace, SliceId slice) {
  return {thread_group(trace, trace.row(trace.row_of(slice)).lane), segment_of(trace, slice)};
}

struct SliceAround {
  SliceId slice{};
  TimeRange time;
  LabelId label{};
};

// The slices of a thread's lanes around one moment after another. Moments in order are cheap. Only slices that can be owners, and
// have ended: where the others end is unknown.
class SlicesOfThread {
 public:
  SlicesOfThread(const Trace& trace, ThreadOfSegment of, const OwnerKinds& kinds) : trace_(trace), kinds_(kinds) {
    for (std::size_t l = idx(of.thread); l < idx(trace.lane(of.thread).subtree_end); ++l) {
      for (const Row& row : trace.rows_of(trace.lanes[l])) {
        if (row.kind != RowKind::Slices || row.count == 0 || segment_of(trace, id_at<SliceId>(row.first)) != of.segment) continue;
        const RowSlices slices = trace.slices_of(row);
        if (slices.any_label([&](LabelId label) { return kinds_[idx(label)] != OwnerKind::Nothing; })) rows_.push_back({slices});
      }
    }
  }

  // Outermost first. `slice`: of the thread, with its time. It is around itself. What begins together with it and ends before it is
  // inside.
  void around(SliceId slice, TimeRange time, std::vector<SliceAround>& out) {
    out.clear();
    for (RowCursor& row : rows_) {
      constexpr std::size_t kNear = 16;  // slices that are passed one by one; a search finds what is farther
      std::size_t passed = time.begin < moment_ ? kNear : 0;
      while (passed < kNear && row.next < row.slices.size() && row.slices.begin(row.next) <= time.begin) ++row.next, ++passed;
      if (passed == kNear) row.next = first_beginning_after(row.slices, time.begin);
      if (row.next == 0) continue;
      const std::size_t i = row.next - 1;
      const SliceAround found{row.slices.id(i), row.slices.range(i), row.slices.label(i)};
      const bool holds = found.slice == slice || (found.time.end > time.begin && (found.time.begin < time.begin || found.time.end >= time.end));
      if (holds && kinds_[idx(found.label)] != OwnerKind::Nothing && !trace_.ref_of(found.slice).is(kUnfinished)) out.push_back(found);
    }
    moment_ = time.begin;
    const auto outer = [](const SliceAround& a, const SliceAround& b) {
      return std::tuple(a.time.begin, -a.time.end) < std::tuple(b.time.begin, -b.time.end);
    };
    if (!std::ranges::is_sorted(out, outer)) std::ranges::stable_sort(out, outer);
  }

  // Calls visit(slice) for all slices that begin at this moment.
  template <class Visit>
  void beginning_at(Ns t, Visit visit) const {
    for (const RowCursor& row : rows_) {
      for (std::size_t i = first_beginning_at(row.slices, t); i < row.slices.size() && row.slices.begin(i) == t; ++i) visit(row.slices.id(i));
    }
  }

 private:
  struct RowCursor {
    RowSlices slices;
    std::size_t next = 0;  // the first slice that begins after the last moment
  };
  const Trace& trace_;
  const OwnerKinds& kinds_;
  std::vector<RowCursor> rows_;
  Ns moment_ = std::numeric_limits<Ns>::min();
};

class PathTree {
 public:
  PathTree(const GpuActivity& activity, std::vector<OwnerNode>& nodes)
      : activity_(activity), trace_(*activity.trace), kinds_(owner_kinds(trace_.labels)), nodes_(nodes) {
    nodes_ = {OwnerNode{}, OwnerNode{}};
    nodes_[OwnerPaths::kUnknown].kind = OwnerKind::Unknown;
  }

  // The launches of a thread must come in order of begin.
  void begin_thread(const ThreadOfSegment& thread) {
    thread_.emplace(trace_, thread, kinds_);
    last_.clear();
  }
  std::uint32_t node_of(SliceId launch) {
    thread_->around(launch, trace_.range_of(launch), around_);
    // A launch that is no operator is a call of an interface whose slices have no category.
    std::erase_if(around_, [&](const SliceAround& one) { return one.slice == launch && kinds_[idx(one.label)] != OwnerKind::Operator; });
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

  // The forward operator of an operator of the backward pass. Arrows lead between moments, so if slices begin together, either end
  // can be at another of them: the path is that of the moment.
  std::optional<SliceId> forward_of(const SliceAround& op) const {
    std::optional<SliceId> forward;
    if (kinds_[idx(op.label)] != OwnerKind::Operator || !is_backward(trace_.labels.name(op.label))) return forward;
    thread_->beginning_at(op.time.begin, [&](SliceId slice) {
      trace_.flows.entering(slice, [&](std::size_t, const Flow& flow) {
        if (!forward && !activity_.is_work(flow.from) && trace_.begin_of(flow.from) < op.time.begin) forward = flow.from;
      });
    });
    return forward;
  }

  std::uint32_t node_of_forward(SliceId op) {
    const ThreadOfSegment thread = thread_of(trace_, op);
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

  const GpuActivity& activity_;
  const Trace& trace_;
  const OwnerKinds kinds_;
  std::vector<OwnerNode>& nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // nodes by parent, pass and label
  std::optional<SlicesOfThread> thread_;
  std::vector<OnPath> last_;  // the path of the last launch
  std::map<ThreadOfSegment, SlicesOfThread> forward_threads_;
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
  ThreadOfSegment thread;
  Ns begin = 0;
  SliceId launch{};
  std::size_t work = 0;  // index into OwnerPaths::work
};

}  // namespace

std::optional<OwnerKind> owner_kind(std::string_view category, std::string_view name) {
  constexpr std::string_view kModule = "nn.Module: ";
  // What the system or a profiler says of a thread, whatever the thread launches meanwhile.
  constexpr std::string_view kOfSystem[] = {"osrt", "sched", "cpu_sample", "diagnostic", "cuda_graph_event", "cpu_instant_event"};
  if (std::ranges::find(kOfSystem, category) != std::end(kOfSystem)) return std::nullopt;
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
  PathTree tree(activity, paths.nodes);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const LaunchOfWork& one = launches[i];
    if (i == 0 || launches[i - 1].thread != one.thread) tree.begin_thread(one.thread);
    const bool same = i > 0 && launches[i - 1].launch == one.launch;
    paths.work[one.work].node = same ? paths.work[launches[i - 1].work].node : tree.node_of(one.launch);
  }
  return paths;
}

}  // namespace tv
