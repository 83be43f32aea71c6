#include "core/analysis/collectives/collective_waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "core/analysis/collectives/collective_match.h"
#include "core/store/logs/told_collectives.h"
#include "core/store/rules/work_rules.h"
#include "core/store/segments/told_names.h"
#include "core/store/trace/tell_recordings.h"

namespace tv {
namespace {

// Kernels of one collective have one name on all ranks, but not always the same parameters or the same number at the end:
// "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(...)", "hcom_allReduce__585_0_1".
std::string common_name(std::string_view kernel) {
  std::string name = own_kernel_name(kernel);
  while (!name.empty()) {
    const std::size_t digits = name.find_last_not_of("0123456789");
    if (digits == std::string::npos || digits + 1 == name.size() || name[digits] != '_') break;
    name.erase(digits);
  }
  return name;
}

// The clock of a source. Times of clocks with the same `group` can be compared; `residual` is the remaining error.
struct SourceClock {
  std::uint32_t group = 0, unit = 0;
  Ns residual = 0;
  bool by_collectives = false;
};

std::vector<SourceClock> clocks_of(const Trace& trace) {
  // Units and groups have separate numbers, and a source that was never compared gets a number of its own. So does each recording:
  // kernels that one rank ran before and after a change never form one collective, wherever they lie in time.
  std::map<std::tuple<int, std::uint32_t, std::string_view>, std::uint32_t> groups, units;
  std::string_view recording;
  const auto number = [&](auto& known, int kind, std::uint32_t id) {  // kind 0: `id` is a source, 1: a unit, 2: a group
    return known.emplace(std::tuple(kind, id, recording), static_cast<std::uint32_t>(known.size())).first->second;
  };
  std::vector<SourceClock> clocks;
  for (std::uint32_t s = 0; s < trace.sources.size(); ++s) {
    const ClockFit& fit = trace.sources[s].clock_fit;
    recording = recording_of(trace.sources[s]);
    SourceClock clock;
    clock.by_collectives = fit.evidence == ClockEvidence::Collectives;
    const bool has_unit = fit.evidence != ClockEvidence::None;
    clock.unit = number(units, has_unit ? 1 : 0, has_unit ? fit.unit : s);
    clock.group = clock.by_collectives ? number(groups, 2, fit.group) : number(groups, has_unit ? 1 : 0, has_unit ? fit.unit : s);
    // If the offset found from collectives was not fully applied, because the user chose so or it was too small, the rest adds
    // to the error.
    if (clock.by_collectives) clock.residual = fit.residual_p90 + std::abs(fit.found - fit.offset);
    clocks.push_back(clock);
  }
  return clocks;
}

class CollectiveWaiting {
 public:
  explicit CollectiveWaiting(const GpuActivity& activity)
      : activity_(activity), trace_(*activity.trace), clocks_(clocks_of(trace_)), told_(trace_) {}

  std::shared_ptr<const CollectiveWaits> run() {
    waits_->trace = activity_.trace;
    name_kernels();
    for (std::uint32_t g = 0; g < activity_.gpus.size(); ++g) collect(g);
    for (CommLine& line : lines_) std::ranges::sort(line.kernels, {}, by_end);
    judge_clocks();
    for (const MatchedKernels& found : match_collectives(lines_)) add(found);
    std::ranges::stable_sort(waits_->collectives, {}, [&](const MatchedCollective& c) { return end_of(waits_->last(c)); });
    for (std::uint32_t c = 0; c < waits_->collectives.size(); ++c) {
      for (const CollectiveMember& member : waits_->of(waits_->collectives[c])) waits_->by_slice.emplace_back(member.slice, c);
    }
    std::ranges::sort(waits_->by_slice);
    return waits_;
  }

 private:
  static std::tuple<Ns, Ns, SliceId> by_end(const CommKernel& kernel) { return {kernel.end, kernel.begin, kernel.slice}; }

  Ns begin_of(const CollectiveMember& member) const { return trace_.begin_of(member.slice); }
  Ns end_of(const CollectiveMember& member) const { return trace_.end_of(member.slice); }
  std::size_t source_of(SliceId slice) const { return idx(trace_.ref_of(slice).source()); }

  void name_kernels() {
    std::map<std::string, std::uint32_t> names;
    names_.resize(activity_.work.size());
    for (std::size_t l = 0; l < names_.size(); ++l) {
      if (activity_.work[l] != DeviceWork::Communication) continue;
      const std::string name = common_name(trace_.labels.name(id_at<LabelId>(l)));
      names_[l] = names.emplace(name, static_cast<std::uint32_t>(names.size())).first->second;
    }
  }

  // A stream's rows form one line: a kernel is on a lower row only because an earlier kernel had not ended.
  void collect(std::uint32_t gpu) {
    std::map<std::tuple<LaneId, std::uint32_t, std::uint32_t>, std::size_t> known;  // lane, name, clock
    for (const std::uint32_t r : activity_.gpus[gpu].rows) {
      const RowSlices row = trace_.slices_of(trace_.rows[r]);
      const std::vector<std::uint64_t> told = told_.of(trace_.rows[r]);
      const RowWork work(activity_.work, trace_, row);
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::size_t label = idx(row.label(i));
        if (work.of(row, i) != DeviceWork::Communication || !work.lasts(row, i)) continue;
        const std::size_t source = source_of(row.id(i));
        if (source >= clocks_.size()) continue;
        const SourceClock& clock = clocks_[source];
        const std::uint64_t recorded = told.empty() ? 0 : told[i];
        const bool names_group = recorded != 0 && what_is_told(recorded) == Told::Group;
        const std::uint32_t name = names_group ? name_of_group(recorded) : names_[label];
        const auto [at, is_new] = known.emplace(std::tuple(trace_.rows[r].lane, name, clock.group), lines_.size());
        if (is_new) {
          CommLine& line = lines_.emplace_back();
          line.name = name;
          line.gpu = gpu;
          line.clock = clock.group;
        }
        CommLine& line = lines_[at->second];
        line.residual = std::max(line.residual, clock.residual);
        line.kernels.push_back({row.begin(i), row.end(i), row.id(i), names_group ? 0 : recorded});
      }
    }
  }

  // These numbers are above all those in names_.
  std::uint32_t name_of_group(std::uint64_t group) {
    const std::size_t next = activity_.work.size() + groups_.size();
    return groups_.emplace(group, static_cast<std::uint32_t>(next)).first->second;
  }

  void judge_clocks() {
    std::map<std::uint32_t, std::set<std::uint32_t>> gpus_of;  // by clock
    std::set<std::uint32_t> communicating, fitted;             // GPUs; clocks that collectives connect
    for (const CommLine& line : lines_) {
      gpus_of[line.clock].insert(line.gpu);
      communicating.insert(line.gpu);
    }
    for (const SourceClock& clock : clocks_) {
      if (clock.by_collectives) fitted.insert(clock.group);
    }
    for (const Gpu& gpu : activity_.gpus) {
      waits_->by_group.emplace_back(gpu.group, static_cast<std::uint32_t>(waits_->gpus.size()));
      CommGpu& entry = waits_->gpus.emplace_back();
      entry.name = gpu.name;
      entry.group = gpu.group;
    }
    std::ranges::sort(waits_->by_group);
    for (const CommLine& line : lines_) {
      CommGpu& gpu = waits_->gpus[line.gpu];
      const bool compared = gpus_of[line.clock].size() > 1;
      const CommClock clock = !compared                      ? (communicating.size() == 1 ? CommClock::Alone : CommClock::Unknown)
                              : fitted.contains(line.clock) ? CommClock::Collectives
                                                            : CommClock::One;
      gpu.clock = std::max(gpu.clock, clock);
      gpu.uncertainty = std::max(gpu.uncertainty, line.residual);
    }
  }

  void add(const MatchedKernels& found) {
    MatchedCollective collective;
    collective.first = static_cast<std::uint32_t>(waits_->members.size());
    collective.count = static_cast<std::uint32_t>(found.size());
    for (const MatchedKernel& kernel : found) {
      const CommLine& line = lines_[kernel.line];
      waits_->members.push_back({line.kernels[kernel.kernel].slice, line.gpu, 0});
    }
    const std::span<CollectiveMember> members = std::span(waits_->members).subspan(collective.first);
    std::ranges::sort(members, {}, [&](const CollectiveMember& m) { return std::tuple(begin_of(m), -end_of(m), m.slice); });
    const CollectiveMember &last = members.back(), &before = members[members.size() - 2];
    for (CollectiveMember& member : members) member.waited = std::min(begin_of(last), end_of(member)) - begin_of(member);
    collective.last_is_certain = begin_of(last) - begin_of(before) > uncertainty(last, before);
    waits_->collectives.push_back(collective);
  }

  // The uncertainty of the difference of two begins.
  Ns uncertainty(const CollectiveMember& a, const CollectiveMember& b) const {
    const Ns ends = std::abs(end_of(a) - end_of(b));
    const SourceClock &x = clocks_[source_of(a.slice)], &y = clocks_[source_of(b.slice)];
    return x.unit == y.unit ? ends : std::max({ends, x.residual, y.residual});
  }

  const GpuActivity& activity_;
  const Trace& trace_;
  const std::vector<SourceClock> clocks_;
  const ToldNames told_;
  std::vector<std::uint32_t> names_;              // by label
  std::map<std::uint64_t, std::uint32_t> groups_;  // by group that a record names: the number of its name
  std::vector<CommLine> lines_;
  std::shared_ptr<CollectiveWaits> waits_ = std::make_shared<CollectiveWaits>();
};

// Which kernels an activity counts, how much of each, and for which of its GPUs.
class CountedKernels {
 public:
  explicit CountedKernels(const GpuActivity& activity)
      : activity_(activity), trace_(*activity.trace), gpu_of_row_(trace_.rows.size(), kNoGpu) {
    for (std::uint32_t g = 0; g < activity.gpus.size(); ++g) {
      for (const std::uint32_t row : activity.gpus[g].rows) gpu_of_row_[row] = g;
    }
  }

  static constexpr std::uint32_t kNoGpu = UINT32_MAX;
  std::uint32_t gpu_of(SliceId slice) const {
    return activity_.scope && counted_part(slice).empty() ? kNoGpu : gpu_of_row_[idx(trace_.row_of(slice))];
  }
  Ns waiting(const CollectiveMember& member) const {
    const Ns begin = trace_.begin_of(member.slice);
    return activity_.counted({begin, begin + member.waited}).length();
  }
  Ns all_waited(std::span<const CollectiveMember> members) const {
    Ns sum = 0;
    for (const CollectiveMember& member : members) sum += waiting(member);
    return sum;
  }
  Ns transfer(const CollectiveMember& member) const { return counted_part(member.slice).length() - waiting(member); }

 private:
  TimeRange counted_part(SliceId slice) const { return activity_.counted(trace_.range_of(slice)); }

  const GpuActivity& activity_;
  const Trace& trace_;
  std::vector<std::uint32_t> gpu_of_row_;
};

// Adds a collective to the sum of each of its members.
template <class SumOf>
void add_up(const GpuActivity& activity, const CollectiveWaits& waits, SumOf sum_of) {
  const CountedKernels counted(activity);
  for (const MatchedCollective& collective : waits.collectives) {
    for (const CollectiveMember& member : waits.of(collective)) {
      const std::uint32_t gpu = counted.gpu_of(member.slice);
      if (gpu == CountedKernels::kNoGpu) continue;
      WaitSum& sum = sum_of(member, gpu);
      ++sum.matched;
      sum.last_uncertain += collective.last_is_certain ? 0 : 1;
      sum.waiting += counted.waiting(member);
      sum.transfer += counted.transfer(member);
      sum.longest = std::max(sum.longest, counted.waiting(member));
    }
    const CollectiveMember& last = waits.last(collective);
    const std::uint32_t last_gpu = counted.gpu_of(last.slice);
    if (!collective.last_is_certain || last_gpu == CountedKernels::kNoGpu) continue;
    WaitSum& sum = sum_of(last, last_gpu);
    ++sum.last;
    sum.others_waited += counted.all_waited(waits.of(collective));
  }
}

const CollectiveMember* member_of(const CollectiveWaits& waits, const MatchedCollective& collective, SliceId slice) {
  const auto members = waits.of(collective);
  const auto at = std::ranges::find(members, slice, &CollectiveMember::slice);
  return at == members.end() ? nullptr : &*at;
}

}  // namespace

std::string_view name(CommClock clock) {
  switch (clock) {
    case CommClock::None:
      return "none";
    case CommClock::Alone:
      return "alone";
    case CommClock::Unknown:
      return "unknown";
    case CommClock::One:
      return "one";
    case CommClock::Collectives:
      return "collectives";
  }
  return "";
}

Ns CollectiveWaits::lost(const MatchedCollective& collective) const {
  Ns sum = 0;
  for (const CollectiveMember& member : of(collective)) sum += member.waited;
  return sum;
}

const CollectiveMember& CollectiveWaits::longest(const MatchedCollective& collective) const {
  return *std::ranges::max_element(of(collective), {}, &CollectiveMember::waited);
}

const MatchedCollective* CollectiveWaits::find(SliceId slice) const {
  const auto at = std::ranges::lower_bound(by_slice, slice, {}, [](const auto& entry) { return entry.first; });
  return at == by_slice.end() || at->first != slice ? nullptr : &collectives[at->second];
}

std::shared_ptr<const CollectiveWaits> make_collective_waits(const GpuActivity& activity) {
  return CollectiveWaiting(activity).run();
}

std::vector<WaitSum> wait_sums(const GpuActivity& activity, const CollectiveWaits& waits) {
  std::vector<WaitSum> sums(activity.gpus.size());
  add_up(activity, waits, [&](const CollectiveMember&, std::uint32_t gpu) -> WaitSum& { return sums[gpu]; });
  return sums;
}

std::vector<KernelWaits> kernel_waits(const GpuActivity& activity, const CollectiveWaits& waits) {
  std::map<std::pair<LabelId, std::uint32_t>, WaitSum> sums;
  add_up(activity, waits, [&](const CollectiveMember& member, std::uint32_t gpu) -> WaitSum& {
    return sums[{activity.trace->label_of(member.slice), gpu}];
  });
  std::vector<KernelWaits> out;
  for (const auto& [key, sum] : sums) out.push_back({key.first, key.second, sum});
  return out;
}

std::vector<CountedWait> longest_waits(const GpuActivity& activity, const CollectiveWaits& waits, std::size_t most) {
  const CountedKernels counted(activity);
  std::vector<CountedWait> out;
  for (const MatchedCollective& collective : waits.collectives) {
    CountedWait wait;
    wait.collective = &collective;
    for (const CollectiveMember& member : waits.of(collective)) {
      const Ns waited = counted.gpu_of(member.slice) == CountedKernels::kNoGpu ? 0 : counted.waiting(member);
      if (waited <= wait.waited) continue;
      wait.longest = &member;
      wait.waited = waited;
    }
    if (wait.longest) out.push_back(wait);
  }
  const auto shown = out.begin() + static_cast<std::ptrdiff_t>(std::min(out.size(), most));
  std::ranges::partial_sort(out, shown, {}, [](const CountedWait& wait) {
    return std::pair(-wait.waited, wait.collective);  // ties: the earlier one first
  });
  out.erase(shown, out.end());
  for (CountedWait& wait : out) wait.all_waited = counted.all_waited(waits.of(*wait.collective));
  return out;
}

const CommGpu* comm_gpu(const CollectiveWaits& waits, const Gpu& gpu) {
  const auto at = std::ranges::lower_bound(waits.by_group, gpu.group, {}, [](const auto& entry) { return entry.first; });
  if (at == waits.by_group.end() || at->first != gpu.group) return nullptr;
  const CommGpu& found = waits.gpus[at->second];
  return found.clock == CommClock::None ? nullptr : &found;
}

std::string wait_text(const CollectiveWaits& waits, SliceId slice) {
  const MatchedCollective* const collective = waits.find(slice);
  if (!collective) return {};
  const CollectiveMember& member = *member_of(waits, *collective, slice);
  const CollectiveMember& last = waits.last(*collective);
  const std::string ranks = fmt::format("{} ranks", collective->count);
  if (last.slice == slice && collective->last_is_certain) {
    return fmt::format("came last of {}, which waited {} in all", ranks, format_duration(waits.lost(*collective)));
  }
  const std::string waited = format_duration(member.waited);
  if (collective->last_is_certain) return fmt::format("waited {} for {}, the last of {}", waited, waits.name_of(last), ranks);
  return fmt::format("waited {} for the last of {}; the clocks do not show which one", waited, ranks);
}

std::optional<SliceId> across_collective(const CollectiveWaits& waits, SliceId slice) {
  const MatchedCollective* const collective = waits.find(slice);
  if (!collective) return std::nullopt;
  const SliceId last = waits.last(*collective).slice;
  return last != slice ? last : waits.longest(*collective).slice;
}

std::vector<Flow> wait_arrows(const CollectiveWaits& waits, SliceId slice) {
  std::vector<Flow> arrows;
  const MatchedCollective* const collective = waits.find(slice);
  if (!collective) return arrows;
  const SliceId last = waits.last(*collective).slice;
  for (const CollectiveMember& member : waits.of(*collective)) {
    if (member.slice != last && (slice == last || slice == member.slice)) arrows.push_back({member.slice, last});
  }
  return arrows;
}

}  // namespace tv
