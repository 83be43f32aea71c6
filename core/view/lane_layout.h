// Where each lane is, vertically: the lanes that are shown, from top to bottom, as boxes.
//
//   box of a group          header                              expanded: its lanes follow
//                           summary                             collapsed: one row for all lanes in it
//   box of a lane           header (height may be 0)
//                           rows        one under the other, compact when there are many
//                           instants    one thin row
//                           counter
//                           summary     collapsed: one row instead of the three above
//
// y counts pixels from the top of all lanes, down; subtract the scroll position to draw. Doubles, because ten
// thousand lanes are more pixels than a float can count. Built when lanes, collapsing or metrics change:
// O(lanes); everything asked of it afterwards is a binary search, so lanes off the screen cost nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/store/trace.h"

namespace tv {

/// Sizes in pixels of the screen; the caller scales them for its DPI and font.
struct LaneMetrics {
  float group_header = 22;  ///< line of an expanded group
  float lane_header = 0;    ///< above a lane's rows; 0 when names stand beside the rows
  float row = 18;
  float instants = 12;
  float counter = 40;
  float summary = 20;       ///< a collapsed lane or group
  float gap = 3;            ///< below every box

  std::uint32_t compact_above_rows = 40;  ///< lanes with more rows than this get small ones
  float compact_row_least = 4, compact_row_most = 6;
  float compact_lane = 320;  ///< the height that such a lane should not exceed by choice of the row height

  /// All sizes times a factor.
  LaneMetrics scaled(float factor) const;
  bool operator==(const LaneMetrics&) const = default;
};

/// What the user has changed, by lane path: it survives new snapshots. Lanes not mentioned are as
/// default_collapsed says.
struct LaneState {
  std::map<std::string, bool, std::less<>> collapsed;
  float row_scale = 1;  ///< of row heights, by the user
  /// Only lanes that this chooses (lane_filter.h), and the groups around them, which are open then; empty: all.
  std::string filter = {};
  /// Per lane of the trace: lanes of the same group stand with the greatest first, those without (NaN) last; empty: as
  /// the trace has them.
  std::vector<double> weight = {};
};

/// Identity of each lane across snapshots: its path joined by U+001F; of lanes with equal paths the second
/// and later ones carry their number as well.
std::vector<std::string> lane_keys(const Trace& trace);

/// Per lane: collapsed unless the user says otherwise. With at most kManyLanes lanes nothing is; with more,
/// groups are expanded from the top as long as the lanes shown stay below that, and the rest is collapsed.
inline constexpr std::size_t kManyLanes = 60;
std::vector<bool> default_collapsed(const Trace& trace);


struct LaneBox {
  LaneId lane{};
  double y = 0;
  float height = 0;          ///< without the gap below
  float header_height = 0;
  float row_height = 0;      ///< of each slice row
  float instants_height = 0; ///< 0 when it has none, or is collapsed
  float counter_height = 0;
  float summary_height = 0;  ///< > 0 only when collapsed
  std::uint32_t first_row = 0,
                row_count = 0;  ///< slice rows shown; the instants row is first_row + row_count
  bool collapsed = false;
  bool group = false;        ///< has lanes below it, shown or not

  double rows_y() const { return y + header_height; }
  double row_y(std::uint32_t row) const {
    return rows_y() + static_cast<double>(row - first_row) * row_height;
  }
  double instants_y() const { return rows_y() + static_cast<double>(row_count) * row_height; }
  double counter_y() const { return instants_y() + instants_height; }
  double summary_y() const { return rows_y(); }
  double bottom() const { return y + height; }
};

class LaneLayout {
 public:
  /// What is at a height.
  struct Place {
    LaneId lane{};
    enum class Part { Header, Row, Instants, Counter, Summary, Gap } part = Part::Gap;
    RowId row = kNone<RowId>;  ///< for Row and Instants
  };

  LaneLayout() = default;
  LaneLayout(const Trace& trace, const LaneState& state, const LaneMetrics& metrics);

  std::span<const LaneBox> boxes() const { return boxes_; }  ///< top to bottom
  double height() const { return height_; }
  /// The boxes that touch [y0, y1).
  std::span<const LaneBox> boxes_between(double y0, double y1) const;
  /// None above the first and below the last box.
  std::optional<Place> at(double y) const;
  /// Whether the filter shows the lane, be it within a collapsed group.
  bool shows(LaneId lane) const { return box_of_lane_[idx(lane)] != kNoBox; }
  /// The lane's own box, or that of the collapsed group that stands for it; of a lane that is shown.
  const LaneBox& box_of(LaneId lane) const { return boxes_[box_of_lane_[idx(lane)]]; }
  /// The height of a row's middle; of the summary when the lane or a group around it is collapsed.
  double middle_of(const Trace& trace, RowId row) const;

 private:
  static constexpr std::uint32_t kNoBox = UINT32_MAX;

  std::vector<LaneBox> boxes_;
  std::vector<std::uint32_t> box_of_lane_;
  double height_ = 0;
};

/// Toggles one lane or group in the state.
void toggle_lane(const Trace& trace, LaneId lane, LaneState& state);
/// Collapses or expands everything that can be.
void set_all_collapsed(const Trace& trace, bool collapsed, LaneState& state);
/// Expands what hides this lane, the lane included; ends a filter that leaves it out.
void reveal_lane(const Trace& trace, LaneId lane, LaneState& state);

}  // namespace tv
