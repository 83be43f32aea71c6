// Finds the program that a GPU works for, in a file merged from several programs, such as the ranks of a job. Each program counts
// its correlation ids from its own start, so all programs have calls with the same ids. For each GPU, these rules exclude
// programs, one rule after the other, until one program is left:
//
//   names   Programs of another rank than the GPU's are excluded ("[TP01] 4101", "Rank 1 - GPU streams").
//   ids     A program is excluded if it lacks calls for clearly more of the GPU's work than the best program.
//   place   Records of a rank are together: the calls of each program are one stretch of the file, and its work is inside, before
//           or after that stretch. A file with all calls first, or all work first, gives no evidence.
//   time    A program is excluded if work often begins long before its calls.
//   delay   The program whose quickest quarter of launches has nearly equal delays: an idle GPU begins work as soon as it is
//           launched. Delays from the calls of another program vary.
//   rest    If as many programs launch work as there are GPUs: the program that no other GPU has.
//
// The average delay is no evidence: queues of milliseconds are usual, and ranks are often out of step. If several programs are
// left, the work gets no arrow. An id that only one program has needs no rule.
// Cost: O(points x programs x log points), only for files with several programs.
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

/// One end of a launch: a call, or the work that it launched.
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

  /// Step 1, to be called for all calls. Then several() is valid.
  void place_call(const LaunchPoint& call);
  bool several() const { return several_; }
  /// Step 2, if several(): to be called for each id of a source, with its calls and its work.
  void compare(std::span<const LaunchPoint> calls, std::span<const LaunchPoint> works);
  /// Step 3, to be called for all work.
  void place_work(const LaunchPoint& work);
  /// Step 4. Then program_of() is valid.
  void decide();

  Group group_of(const LaunchPoint& point) const { return {point.ref.source(), lanes_[idx(point.lane)].parent}; }
  /// The outermost group around a lane. If the file names its ranks, this is the group of a rank.
  LaneId root_of(LaneId lane) const;
  /// The program that launched the work. Nullopt: several are possible.
  std::optional<Group> program_of(const LaunchPoint& work) const;
  /// False if the lane of the work belongs to another rank than the program.
  bool may_be_of(const LaunchPoint& work, const Group& program) const;

 private:
  struct Stretch {
    std::uint64_t first = UINT64_MAX, last = 0;  // offsets of the first and last call
    bool launches = false;                       // some call has the id of work
  };
  // Work of a GPU with the id of a call of a program.
  struct Match {
    std::uint64_t count = 0;
    std::uint64_t early = 0;  // how often work begins long before the call
    std::vector<Ns> waits;    // the first delays from call to work
  };
  struct Gpu {
    std::uint64_t works = 0;
    std::map<Group, Match> matches;             // by program
    std::map<Group, std::uint64_t> work_after;  // by program: work between its first call and the first call of the next program
    std::map<Group, std::uint64_t> work_within;  // by program: work between its first and its last call
    bool shared = false;  // several programs use the GPU, so the position of each piece of work in the file decides
    std::optional<Group> program;
  };
  using Candidates = std::vector<Group>;

  // The order of programs and work in a file.
  struct Order {
    std::vector<std::pair<std::uint64_t, Group>> programs;  // by first call; empty: the stretches of calls overlap
    std::vector<std::uint64_t> works;  // by program: work between its first call and the first call of the next program
    std::uint64_t work_before = 0;     // work before the first call of any program
    bool ends_with_work = false;       // there is work after the last call

    std::optional<std::size_t> last_begun(std::uint64_t offset) const;
    bool each_has_work_after() const;
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
  std::map<Group, Stretch> stretches_;  // by program: the stretch of its calls
  std::map<SourceId, Order> orders_;
  std::map<Group, Gpu> gpus_;
};

}  // namespace tv
