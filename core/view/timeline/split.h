// Two timelines, one above the other: two runs, steps, ranks, or the same lanes at two times. Both show the same trace with an
// equal span. The lower one is later by a fixed difference, so aligned points stay aligned while zooming.
//
//   upper   | step 3 |---generate---|  at[0]: the begin of step 3
//   lower   | step 4 |---generate-------|  at[1]: the begin of step 4; the difference is at[1] - at[0]
//
// A half shows a subset of the shown lanes: folding, hiding, sorting and filters apply to both. Invariant: lanes are named by
// their keys (lane_keys), so a split is valid for the next snapshot; times are relative to the trace's origin and must be
// converted for another trace. Units: nanoseconds. Cost: O(lanes), when the user splits or chooses lanes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/view/navigation/viewport.h"

namespace tv {

struct Trace;
struct LaneState;
struct OverviewLane;
struct StepRange;
struct StepSource;

enum class SplitHalf : std::uint8_t { Upper, Lower };
inline constexpr std::array kHalves = {SplitHalf::Upper, SplitHalf::Lower};
constexpr std::size_t ix(SplitHalf half) { return static_cast<std::size_t>(half); }
constexpr SplitHalf other(SplitHalf half) { return half == SplitHalf::Upper ? SplitHalf::Lower : SplitHalf::Upper; }

/// The quantity by which the two halves are aligned.
enum class SplitBy : std::uint8_t {
  Recorded,  ///< the same time
  Starts,    ///< the first item on the lanes of each half
  Steps,     ///< the begin of a step in each half
  Slices,    ///< the begins of two slices
  kCount
};
std::string_view name(SplitBy by);  ///< "recorded", "starts", "steps", "slices": as in view files
std::optional<SplitBy> split_by(std::string_view name);
/// "at the begins of steps"
std::string_view meaning(SplitBy by);

struct Split {
  SplitBy by = SplitBy::Recorded;
  std::array<Ns, 2> at = {0, 0};                   ///< by half: the times that are aligned
  std::array<std::vector<std::string>, 2> lanes;   ///< by half: keys of lanes and groups; none: all that are shown
  float share = 0.5f;                              ///< the upper half's share of the height

  Ns difference() const { return at[1] - at[0]; }
  /// How much later this half is than the upper one at the same position.
  Ns later(SplitHalf half) const { return half == SplitHalf::Lower ? difference() : 0; }
  bool operator==(const Split&) const = default;
};
inline constexpr float kLeastSplitShare = 0.15f;  ///< lower limit for either half

/// Lanes of one run, recorded together: its outermost groups.
struct RunLanes {
  std::vector<LaneId> lanes;
};
/// The runs that lanes can be split into, in file order. `names`: the runs of a rollout, if it has several. Then groups are
/// assigned to runs by their owner, and lanes of no run belong to every run. Otherwise the runs are recordings of the same ranks
/// (tell_recordings.h), or else recordings at different times. Never empty if there are lanes.
std::vector<RunLanes> runs_to_split(const Trace& trace, std::span<const std::string> names);

/// The source of the steps on these lanes; if there are several, the first with more than one step. Null: they have no steps. No
/// lanes: all lanes.
const StepSource* steps_on(const Trace& trace, std::span<const StepSource> sources, std::span<const std::string> lanes);
/// The step that begins at `t`, or the last one before.
std::optional<std::size_t> step_at(const StepSource& source, Ns t);

/// The state of the window when the user splits it.
struct SplitScene {
  const Trace* trace = nullptr;
  std::vector<SliceId> slices;              ///< the selected slices
  std::span<const std::string> runs;        ///< runs of a rollout
  std::span<const StepSource> steps;
  std::optional<Ns> step = {};              ///< a time in the current step
  std::optional<std::int64_t> step_number = {};  ///< the step's number, if other runs may have the same one
  bool everything = true;                   ///< everything is in view
};
/// The default split: two selected slices, or two runs, or a step and the next one, or the first two of the outermost groups
/// (ranks) at the same time, or the same lanes twice.
Split first_split(const SplitScene& scene);

/// The time from the first to the last item on the lanes; on all lanes if none is named or known.
TimeRange extent_on(const Trace& trace, std::span<const std::string> lanes);
/// Aligns the halves by `by`; their lanes stay. For steps: `step` is the step of `half`, by its index in its source. The other
/// half keeps its step if it had one; else it gets a neighbour of `step` in the same source, or the step with the same number in
/// another one.
void align(Split& split, SplitBy by, const SplitScene& scene, SplitHalf half = SplitHalf::Upper, std::optional<std::size_t> step = {});
/// Removes lanes that no longer exist. A half that then has none shows all lanes.
void leave_out_gone_lanes(Split& split, const Trace& trace);

/// The state of a half's lanes, derived from that of all lanes. `overview`: the first view of its lanes alone; empty: their tree.
LaneState lanes_of_half(const Trace& trace, const LaneState& lanes, std::span<const std::string> chosen,
                        const std::vector<OverviewLane>& overview);
/// Per lane: whether it is one of these, or inside one. Empty: none is named.
std::vector<bool> lanes_within(const Trace& trace, std::span<const std::string> keys);

/// The title of a half. In split_title(), `slice` is the name of the slice at Split::at.
struct SplitTitle {
  std::string lanes;  ///< "run_b", "all lanes"
  std::string at;     ///< "step 3", the name of a slice; empty: none
  std::string text() const { return at.empty() ? lanes : lanes + ", " + at; }
};
SplitTitle split_title(const Trace& trace, const Split& split, std::span<const StepSource> steps, SplitHalf half, std::string_view slice = {});
/// "26.7 s later than above"
std::string split_difference(const Split& split);

}  // namespace tv

namespace tv::command {

struct ToggleSplit {};
/// In a split: chooses what is aligned in both halves.
struct AlignSplit {
  SplitBy by = SplitBy::Recorded;
  SplitHalf half = SplitHalf::Upper;
  std::optional<std::uint32_t> step = {};  ///< step of the half, by its index in its source
};
/// In a split: moves one half to its next step.
struct NextSplitStep {
  SplitHalf half = SplitHalf::Upper;
  bool forward = true;
};
/// In a split: shows only these lanes in a half; none: all shown lanes.
struct ChooseSplitLanes {
  SplitHalf half = SplitHalf::Upper;
  std::vector<LaneId> lanes;
};
struct SizeSplit { float share = 0.5f; };

}  // namespace tv::command
