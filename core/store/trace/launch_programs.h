// Finds the program that a GPU works for, in a file merged from several programs, such as the ranks of a job. Each counts its
// correlation ids from its own beginning, so every program has a call with the same id. For each GPU, the first of these rules that
// leaves one program decides:
//
//   names   both are in the group of one rank ("[TP01] 4101", "Rank 1 - GPU streams"); programs of other ranks are out
//   ids     a program is out if it lacks calls for clearly more of the GPU's work than the best program
//   place   records of a rank are together: the calls of each program are one stretch of the file, with its work inside, before
//           or after. A file with all calls first, or all work first, gives no evidence
//   time    a program is out if work often begins long before its calls
//   delay   the quickest quarter of launches: an idle GPU begins work as soon as it is launched, so these delays are nearly
//           equal; measured from another program's calls they vary
//   rest    with as many programs as GPUs, the program that no other GPU has
//
// The average delay is no evidence: queues of milliseconds are usual, and so are ranks out of step. If no rule decides, the work
// gets no arrow. Ids that only one program has need no rule.
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

/// One end of a launch, reduced to the data needed here.
struct LaunchPoint {
  ItemRef ref;
  LaneId lane;
  Ns time;
};

class LaunchPrograms {
 public:
  /// A program and a GPU are both groups of lanes of a source.
  using Group = std::pair<SourceId, LaneId>;

  explicit LaunchPrograms(std::span<const Lane> lanes) : lanes_(lanes) {}

  /// Step 1, for all calls: makes several() valid.
  void place_call(const LaunchPoint& call);
  bool several() const { return several_; }
  /// Step 2, if several(): for each id of a source, with its calls and its work.
  void compare(std::span<const LaunchPoint> calls, std::span<const LaunchPoint> works);
  /// Step 3, for all work.
  void place_work(const LaunchPoint& work);
  /// Step 4.
  void decide();

  Group group_of(const LaunchPoint& point) const { return {point.ref.source(), lanes_[idx(point.lane)].parent}; }
  /// The outermost group around a lane: that of a rank, if the file names its ranks.
  LaneId root_of(LaneId lane) const;
  /// None if in doubt.
  std::optional<Group> program_of(const LaunchPoint& work) const;
  /// False if the work's lane belongs to another rank than the program.
  bool may_be_of(const LaunchPoint& work, const Group& program) const;

 private:
  struct Stretch {
    std::uint64_t first = UINT64_MAX, last = 0;
    bool launches = false;  // some of the calls have work
  };
  struct Match {
    std::uint64_t count = 0;
    std::uint64_t early = 0;   // how often work begins long before the call
    std::vector<Ns> waits;     // delays of the first ones
  };
  struct Gpu {
    std::uint64_t works = 0;
    std::map<Group, Match> matches;            // by program
    std::map<Group, std::uint64_t> behind;     // work between the program's first call and the next program's first
    std::map<Group, std::uint64_t> within;     // of this, work before the program's last call
    bool shared = false;                       // several programs use it: the position of each piece of work in the file decides
    std::optional<Group> program;
  };
  using Candidates = std::vector<Group>;

  struct Order {
    std::vector<std::pair<std::uint64_t, Group>> programs;  // by first call; empty: their calls are mixed
    std::vector<std::uint64_t> works;                       // by program: after its first call, before the next program's first
    std::uint64_t work_before = 0;                          // before the first call of all
    bool work_behind = false;                               // there is work after the last call of all

    std::optional<std::size_t> last_begun(std::uint64_t offset) const;
    bool each_has_work_behind() const;
    bool each_has_work_before() const;
  };

  std::string_view key_of(LaneId root) const;
  void order_stretches(SourceId source);
  bool is_shared(const Group& group, const Gpu& gpu) const;
  void keep_of_rank(const Group& gpu, Candidates& programs) const;
  void keep_by_ids(const Gpu& gpu, Candidates& programs) const;
  void keep_by_place(const Group& group, const Gpu& gpu, Candidates& programs) const;
  void keep_by_time(const Gpu& gpu, Candidates& programs) const;
  void keep_by_delay(const Gpu& gpu, Candidates& programs) const;
  void share_out_the_rest();

  const std::span<const Lane> lanes_;
  bool several_ = false;
  std::map<Group, Stretch> stretches_;  // stretches of calls, by program
  std::map<SourceId, Order> orders_;
  std::map<Group, Gpu> gpus_;
};

}  // namespace tv
