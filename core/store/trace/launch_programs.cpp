#include "core/store/trace/launch_programs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/names/rank_name.h"

namespace tv {
namespace {

constexpr Ns kLongBefore = 50 * kMicrosecond;  // more than the clock difference between a host and its GPU
constexpr std::size_t kMostWaits = 4096;  // of a GPU and a program
constexpr std::size_t kFewWaits = 8;      // fewer show nothing
constexpr Ns kSurelyMore = 3;             // factor of two spreads that differ for sure
constexpr Ns kUnknown = std::numeric_limits<Ns>::max();
constexpr std::uint64_t kNearlyAll = 95;  // per cent

// The spread of the quickest quarter of the waits, without the first two per cent.
Ns spread_of_quickest(std::vector<Ns> waits) {
  std::erase_if(waits, [](Ns wait) { return wait < -kLongBefore; });
  if (waits.size() < kFewWaits) return kUnknown;
  const auto at = [&](std::size_t part) {
    const auto nth = waits.begin() + static_cast<std::ptrdiff_t>(waits.size() * part / 100);
    std::nth_element(waits.begin(), nth, waits.end());
    return *nth;
  };
  const Ns quarter = at(25);
  return quarter - at(2);
}

}  // namespace

LaneId LaunchPrograms::root_of(LaneId lane) const {
  while (lane != kNone<LaneId> && lanes_[idx(lane)].parent != kNone<LaneId>) lane = lanes_[idx(lane)].parent;
  return lane;
}

std::string_view LaunchPrograms::key_of(LaneId root) const {
  if (root == kNone<LaneId>) return {};
  const Lane& lane = lanes_[idx(root)];
  return lane.key.empty() ? lane.name : lane.key;
}

void LaunchPrograms::place_call(const LaunchPoint& call) {
  const auto [known, is_new] = stretches_.try_emplace(group_of(call));
  Stretch& stretch = known->second;
  stretch.first = std::min(stretch.first, call.ref.offset());
  stretch.last = std::max(stretch.last, call.ref.offset());
  if (!is_new || several_) return;
  // Programs of a source are neighbours.
  const auto of_source = [&](const auto& other) { return other.first.first == call.ref.source(); };
  const auto next = std::next(known);
  several_ = (next != stretches_.end() && of_source(*next)) || (known != stretches_.begin() && of_source(*std::prev(known)));
}

void LaunchPrograms::compare(std::span<const LaunchPoint> calls, std::span<const LaunchPoint> works) {
  std::map<Group, std::vector<Ns>> called;  // by program: when it made the calls
  for (const LaunchPoint& call : calls) called[group_of(call)].push_back(call.time);
  for (auto& [program, times] : called) std::ranges::sort(times);
  for (const LaunchPoint& work : works) {
    Gpu& gpu = gpus_[group_of(work)];
    for (const auto& [program, times] : called) {
      // The latest call before the work has the shortest wait.
      const auto later = std::ranges::upper_bound(times, work.time);
      const Ns waited = work.time - (later == times.begin() ? times.front() : *std::prev(later));
      stretches_.at(program).launches = true;
      Match& match = gpu.matches[program];
      ++match.count;
      match.early += waited < -kLongBefore ? 1 : 0;
      if (match.waits.size() < kMostWaits) match.waits.push_back(waited);
    }
  }
}

void LaunchPrograms::order_stretches(SourceId source) {
  const auto [known, is_new] = orders_.try_emplace(source);
  if (!is_new) return;
  Order& order = known->second;
  for (auto of = stretches_.lower_bound({source, LaneId{}}); of != stretches_.end() && of->first.first == source; ++of) {
    if (of->second.launches) order.programs.emplace_back(of->second.first, of->first);
  }
  std::ranges::sort(order.programs);
  for (std::size_t p = 0; p + 1 < order.programs.size(); ++p) {
    if (stretches_.at(order.programs[p].second).last >= order.programs[p + 1].first) return order.programs.clear();
  }
  order.works.resize(order.programs.size());
}

void LaunchPrograms::place_work(const LaunchPoint& work) {
  const SourceId source = work.ref.source();
  order_stretches(source);
  Order& order = orders_.at(source);
  Gpu& gpu = gpus_[group_of(work)];
  ++gpu.works;
  if (order.programs.empty()) return;
  const std::optional<std::size_t> index = order.last_begun(work.ref.offset());
  if (!index) {
    ++order.work_before;
    return;
  }
  const Group& before = order.programs[*index].second;
  ++order.works[*index];
  ++gpu.work_after[before];
  if (work.ref.offset() <= stretches_.at(before).last) {
    ++gpu.work_within[before];
  } else if (*index + 1 == order.programs.size()) {
    order.ends_with_work = true;
  }
}

// The program whose first call is the last one before this offset.
std::optional<std::size_t> LaunchPrograms::Order::last_begun(std::uint64_t offset) const {
  const auto next = std::ranges::upper_bound(programs, offset, {}, [](const auto& program) { return program.first; });
  if (next == programs.begin()) return std::nullopt;
  return static_cast<std::size_t>(next - programs.begin()) - 1;
}

bool LaunchPrograms::Order::each_has_work_after() const {
  return work_before == 0 && std::ranges::none_of(works, [](std::uint64_t n) { return n == 0; });
}

bool LaunchPrograms::Order::each_has_work_before() const {
  if (ends_with_work || work_before == 0) return false;
  return std::none_of(works.begin(), works.end() - 1, [](std::uint64_t n) { return n == 0; });
}

// Programs and GPUs in the group of the file itself can belong to any rank.
void LaunchPrograms::keep_of_rank(const Group& gpu, Candidates& programs) const {
  const LaneId root = root_of(gpu.second);
  const std::string within = std::string(key_of(root)) + std::string(kRankInKey);
  const auto has_same_root = [&](const Group& program) { return root_of(program.second) == root; };
  if (std::ranges::any_of(programs, [&](const Group& program) { return key_of(root_of(program.second)).starts_with(within); })) {
    return;
  }
  const bool any = std::ranges::any_of(programs, has_same_root);
  std::erase_if(programs, [&](const Group& program) {
    const std::string around = std::string(key_of(root_of(program.second))) + std::string(kRankInKey);
    return !has_same_root(program) && (any || !key_of(root).starts_with(around));
  });
}

void LaunchPrograms::keep_by_ids(const Gpu& gpu, Candidates& programs) const {
  const auto missed = [&](const Group& program) {
    const auto match = gpu.matches.find(program);
    return static_cast<double>(gpu.works - (match == gpu.matches.end() ? 0 : match->second.count));
  };
  double least = static_cast<double>(gpu.works);
  for (const Group& program : programs) least = std::min(least, missed(program));
  std::erase_if(programs, [&](const Group& program) {
    return missed(program) - least > 2.5 * std::sqrt(missed(program) + least) + 1;
  });
}

void LaunchPrograms::keep_by_place(const Group& group, const Gpu& gpu, Candidates& programs) const {
  const auto known = orders_.find(group.first);
  if (known == orders_.end() || known->second.programs.empty()) return;
  const Order& order = known->second;
  const auto take = [&](const std::map<Group, std::uint64_t>& works, std::uint64_t all) {
    const auto most = std::ranges::max_element(works, {}, [](const auto& of) { return of.second; });
    if (most == works.end() || most->second * 100 < all * kNearlyAll) return;
    if (std::ranges::find(programs, most->first) != programs.end()) programs = {most->first};
  };
  std::uint64_t within = 0, after = 0;
  for (const auto& [program, works] : gpu.work_within) within += works;
  for (const auto& [program, works] : gpu.work_after) after += works;
  if (within * 2 >= gpu.works) return take(gpu.work_within, within);
  // Work between the calls of two programs may belong to either. The begin and the end of the file show to which.
  if (order.each_has_work_after()) return take(gpu.work_after, gpu.works);
  if (!order.each_has_work_before()) return;
  std::map<Group, std::uint64_t> ahead;
  ahead[order.programs.front().second] = gpu.works - after;
  for (std::size_t p = 0; p + 1 < order.programs.size(); ++p) {
    const auto works = gpu.work_after.find(order.programs[p].second);
    if (works != gpu.work_after.end()) ahead[order.programs[p + 1].second] += works->second;
  }
  take(ahead, gpu.works);
}

// Whether several programs share the GPU, such as ranks that all call their device "GPU 0".
bool LaunchPrograms::is_shared(const Group& group, const Gpu& gpu) const {
  const auto order = orders_.find(group.first);
  if (order == orders_.end() || !order->second.each_has_work_after()) return false;
  const auto is_part = [&](const auto& of) { return of.second * 100 > gpu.works * (100 - kNearlyAll); };
  return std::ranges::count_if(gpu.work_after, is_part) > 1;
}

void LaunchPrograms::keep_by_time(const Gpu& gpu, Candidates& programs) const {
  const auto early = [&](const Group& program) {
    const Match& match = gpu.matches.at(program);
    return static_cast<double>(match.early) / static_cast<double>(match.count);
  };
  double least = 1;
  for (const Group& program : programs) least = std::min(least, early(program));
  std::erase_if(programs, [&](const Group& program) { return early(program) > least + 0.1; });
}

void LaunchPrograms::keep_by_delay(const Gpu& gpu, Candidates& programs) const {
  Ns least = kUnknown, second = kUnknown;
  Group best;
  for (const Group& program : programs) {
    const Ns spread = spread_of_quickest(gpu.matches.at(program).waits);
    if (spread < least) {
      second = std::exchange(least, spread);
      best = program;
    } else {
      second = std::min(second, spread);
    }
  }
  if (second != kUnknown && second > kSurelyMore * least + kMicrosecond) programs = {best};
}

void LaunchPrograms::share_out_the_rest() {
  std::map<SourceId, std::size_t> gpus, programs;
  std::set<Group> taken;
  for (const auto& [group, gpu] : gpus_) {
    gpus[group.first] += gpu.matches.empty() ? 0 : 1;
    if (gpu.program) taken.insert(*gpu.program);
  }
  // A process that launched nothing does not count, even if it has arrows: no GPU could work for it.
  for (const auto& [program, stretch] : stretches_) programs[program.first] += stretch.launches ? 1 : 0;
  std::vector<std::pair<Gpu*, std::set<Group>>> undecided;  // each GPU with its programs that no other GPU has
  std::map<Group, std::vector<std::size_t>> wanted_by;      // by program: indices into undecided
  std::set<std::pair<std::size_t, std::size_t>> due;        // GPUs with one program left: the round, and the index
  for (auto& [group, gpu] : gpus_) {
    if (gpu.program || gpu.shared || gpu.matches.empty() || gpus[group.first] != programs[group.first]) continue;
    Candidates left;
    for (const auto& [program, match] : gpu.matches) left.push_back(program);
    keep_of_rank(group, left);
    keep_by_ids(gpu, left);
    std::erase_if(left, [&](const Group& program) { return taken.contains(program); });
    for (const Group& program : left) wanted_by[program].push_back(undecided.size());
    if (left.size() == 1) due.insert({0, undecided.size()});
    undecided.push_back({&gpu, {left.begin(), left.end()}});
  }
  // The GPUs have their turns in order, round by round. A program that is taken may leave one program to GPUs of later turns.
  while (!due.empty()) {
    const auto [round, index] = *due.begin();
    due.erase(due.begin());
    if (undecided[index].second.empty()) continue;  // another GPU has taken it
    const Group program = *undecided[index].second.begin();
    undecided[index].first->program = program;
    for (const std::size_t other : wanted_by[program]) {
      std::set<Group>& left = undecided[other].second;
      if (other != index && left.erase(program) > 0 && left.size() == 1) due.insert({other > index ? round : round + 1, other});
    }
  }
}

void LaunchPrograms::decide() {
  for (auto& entry : gpus_) {
    // clang cannot capture structured bindings in lambdas.
    const auto& group = entry.first;
    auto& gpu = entry.second;
    Candidates programs;
    for (const auto& [program, match] : gpu.matches) programs.push_back(program);
    if (std::ranges::find(programs, group) != programs.end()) programs = {group};  // one group has both the calls and the work
    const auto narrow = [&](auto rule) {
      if (programs.size() > 1) rule();
    };
    if (!programs.empty()) keep_of_rank(group, programs);
    gpu.shared = programs.size() > 1 && is_shared(group, gpu);
    if (gpu.shared) continue;
    narrow([&] { keep_by_ids(gpu, programs); });
    narrow([&] { keep_by_place(group, gpu, programs); });
    narrow([&] { keep_by_time(gpu, programs); });
    narrow([&] { keep_by_delay(gpu, programs); });
    if (programs.size() == 1) gpu.program = programs.front();
  }
  share_out_the_rest();
}

std::optional<LaunchPrograms::Group> LaunchPrograms::program_of(const LaunchPoint& work) const {
  const auto gpu = gpus_.find(group_of(work));
  if (gpu == gpus_.end()) return std::nullopt;
  if (!gpu->second.shared) return gpu->second.program;
  const Order& order = orders_.at(work.ref.source());
  const std::optional<std::size_t> index = order.last_begun(work.ref.offset());
  return index ? std::optional(order.programs[*index].second) : std::nullopt;
}

bool LaunchPrograms::may_be_of(const LaunchPoint& work, const Group& program) const {
  Candidates programs = {program};
  keep_of_rank(group_of(work), programs);
  return !programs.empty();
}

}  // namespace tv
