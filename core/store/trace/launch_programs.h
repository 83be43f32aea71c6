// Whose work a GPU does, in a file into which several programs were merged, as the ranks of a job: each has counted its
// correlation ids from its own beginning, so one id is a call of every program. The first of these that leaves one program
// decides for a GPU:
//
//   names   both are in the group of one rank ("[TP01] 4101", "Rank 1 - GPU streams"); another rank's program is out
//   ids     more of its work has no call of that id in another program, by more than chance
//   place   records of a rank stand together: each program's calls are a stretch of the file, apart from the others'
//   time    work often begins long before another program's call
//   delay   the quickest quarter of launches: on an idle GPU work begins as soon as it is launched, so these take about as long
//           each; to another program's calls they vary as the programs do
//   rest    as many programs as GPUs: what is left when all others have theirs
//
// How long work waits on average says nothing: queues of milliseconds are usual, and so are ranks that are not in step. Where
// nothing decides there is no answer, and no arrow. Ids that only one program has need none.
// Cost: O(points x programs), only for files with several programs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/store/draft/item_ref.h"
#include "core/store/trace/trace.h"

namespace tv {

/// One end of a launch, as far as it matters here.
struct LaunchPoint {
  ItemRef ref;
  LaneId lane;
  Ns time;
};

class LaunchPrograms {
 public:
  /// A program and a GPU are groups of lanes of a source.
  using Group = std::pair<SourceId, LaneId>;

  explicit LaunchPrograms(std::span<const Lane> lanes) : lanes_(lanes) {}

  /// First, all calls. Then several() is known, and place_work() for all work where it is true.
  void place_call(const LaunchPoint& call);
  bool several() const { return several_; }
  void place_work(const LaunchPoint& work);
  /// Then, for each id of a source: its calls and its work.
  void compare(std::span<const LaunchPoint> calls, std::span<const LaunchPoint> works);
  /// In the end.
  void decide();

  Group group_of(const LaunchPoint& point) const { return {point.ref.source(), lanes_[idx(point.lane)].parent}; }
  /// The outermost group around a lane: of a rank, where a file tells its ranks.
  LaneId root_of(LaneId lane) const;
  /// None where it is in doubt.
  std::optional<Group> program_of(const LaunchPoint& work) const;
  /// Nothing says that it is another rank's.
  bool may_be_of(const LaunchPoint& work, const Group& program) const;

 private:
  struct Stretch {
    std::uint64_t first = UINT64_MAX, last = 0;
  };
  struct Match {
    std::uint64_t count = 0;
    std::uint64_t early = 0;   // begins long before the call
    std::vector<Ns> waits;     // of the first ones
  };
  struct Gpu {
    std::uint64_t works = 0;
    std::map<Group, Match> matches;            // by program
    std::map<Group, std::uint64_t> behind;     // works behind the first call of the program, before the next one's
    std::map<Group, std::uint64_t> within;     // of these, before its last call
    bool shared = false;                       // by several programs: place decides for each of its works
    std::optional<Group> program;
  };
  using Candidates = std::vector<Group>;

  struct Order {
    std::vector<std::pair<std::uint64_t, Group>> programs;  // by first call; empty: they are mixed
    bool work_before = false, work_behind = false;          // of the first call of all, of the last
  };

  std::string_view key_of(LaneId root) const;
  void order_stretches(SourceId source);
  static std::optional<Group> last_begun(const Order& order, std::uint64_t offset);
  bool is_shared(const Group& group, const Gpu& gpu) const;
  void keep_of_rank(const Group& gpu, Candidates& programs) const;
  void keep_by_ids(const Gpu& gpu, Candidates& programs) const;
  void keep_by_place(const Group& group, const Gpu& gpu, Candidates& programs) const;
  void keep_by_time(const Gpu& gpu, Candidates& programs) const;
  void keep_by_delay(const Gpu& gpu, Candidates& programs) const;
  void share_out_the_rest();

  const std::span<const Lane> lanes_;
  bool several_ = false;
  std::map<Group, Stretch> stretches_;  // of calls, by program
  std::map<SourceId, Order> orders_;
  std::map<Group, Gpu> gpus_;
};

}  // namespace tv
