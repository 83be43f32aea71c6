// The vertical position of each lane: the lanes that are shown, from top to bottom, as boxes.
//
//   box of a group          header                              expanded: its lanes follow
//                           summary                             collapsed: one row for all lanes in it
//   box of a lane           header (height may be 0)
//                           lines       one under the other, one per row, compact if there are many. Segments that do not
//                                       overlap in time share lines: several rows, one after the other
//                           instants    one thin line, all rows of them
//                           counter
//                           summary     collapsed: one row instead of the three above
//   box of the overview     as for a lane, without the groups around it: its title names its owner
//
// Pinned lanes come first: they are the boxes above pinned_height(), which a window keeps in sight while it scrolls the rest. y
// counts pixels from the top of all lanes, down; subtract the scroll position to draw. Positions are doubles, because ten
// thousand lanes have more pixels than a float can count. The layout is rebuilt when lanes, collapsing, metrics or row heights
// change: O(lanes + rows). Every query is a binary search, so lanes off the screen cost nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/trace/trace.h"
#include "core/view/lanes/row_heights.h"

namespace tv {

/// Sizes in pixels of the screen; the caller scales them for its DPI and font.
struct LaneMetrics {
  float group_header = 22;  ///< line of an expanded group
  float lane_header = 0;    ///< above a lane's rows; 0 if names are next to the rows
  float row = 18;
  float thin_row = 3;       ///< height of frames that enclose everything else in a lane: see OverviewLane::thin
  float tall_row = 30;
  float instants = 12;
  float counter = 40;
  float summary = 20;       ///< height of a collapsed lane or group
  float gap = 3;            ///< below every box

  std::uint32_t compact_above_rows = 100;  ///< lanes with more rows than this may get compact ones
  float compact_row_least = 4, compact_row_most = 6;
  float readable_slice = 40;  ///< slices at least this wide show letters of their name
  float compact_lane = 320;   ///< target height of a lane with compact rows, within the limits above

  /// All sizes times a factor.
  LaneMetrics scaled(float factor) const;
  bool operator==(const LaneMetrics&) const = default;
};

/// A lane of the overview: see first_view.h, which makes it.
struct OverviewLane {
  std::string key;  ///< from lane_keys()
  bool collapsed = false;
  float row = 0;  ///< height of its rows, 0: as for all lanes. Set for requests, so that more of them are in sight
  std::uint32_t levels = 0;  ///< limit of its stack levels, if the user has set none; 0: all
  std::uint32_t first_slot = 0;  ///< stacks in this slot come first, the others in their order
  std::uint32_t thin = 0;  ///< this many outer levels are thin, if the user has set no size
  bool operator==(const OverviewLane&) const = default;
};

/// The user's changes, by lane path, so that they survive new snapshots. Lanes that are not mentioned follow default_collapsed.
/// Changed through lane_choice.h.
struct LaneState {
  std::map<std::string, bool, std::less<>> collapsed;
  float row_scale = 1;  ///< the user's factor for row heights
  /// Factor for rows of normal size while all lanes fit: most_growth() until the user arranges lanes or view. It is not updated
  /// afterwards, so that nothing moves when a lane is folded.
  float growth = 1;
  std::map<std::string, RowSize, std::less<>> row_sizes;
  std::map<std::string, std::uint32_t, std::less<>> depth_limits;  ///< limits of a lane's stack levels
  /// Shows only lanes that match (lane_filter.h), and opens the groups around them; empty: all.
  std::string filter = {};
  /// Per lane of the trace: lanes of one group are sorted by descending weight, those without one (NaN) last; empty: the trace's
  /// order.
  std::vector<double> weight = {};
  /// The order of lanes with equal `weight`, i.e. before the user sorts.
  std::vector<double> first_order = {};
  /// If not empty: these lanes are shown one below the other instead of the tree, unless there is a filter or an isolated lane.
  std::vector<OverviewLane> overview = {};
  float overview_scale = 1;  ///< factor for lane sizes, <= 1, so that all lanes are in sight
  /// Keys of lanes; a group stands for all lanes in it.
  std::set<std::string, std::less<>> hidden = {}, only = {};
  std::vector<std::string> pinned = {};  ///< in the order of pinning
  /// Dragged lanes: the order of all siblings from the top, by the key of their group (kTopLevel, kOverviewOrder).
  std::map<std::string, std::vector<std::string>, std::less<>> dragged = {};
};
inline constexpr std::string_view kTopLevel = "", kOverviewOrder = "\x1d";

/// Identity of each lane across snapshots: its path joined by U+001F; if several lanes have the same path, the second and later
/// ones also carry a number.
std::vector<std::string> lane_keys(const Trace& trace);

/// Per lane: whether it is collapsed by default. With at most kManyLanes lanes, none is. With more, groups are expanded from the
/// top as long as at most that many lanes are shown; the first group is always expanded down to its first lane.
inline constexpr std::size_t kManyLanes = 60;
std::vector<bool> default_collapsed(const Trace& trace);

struct LaneBox {
  LaneId lane{};
  double y = 0;
  float height = 0;          ///< without the gap below
  float header_height = 0;
  float row_height = 0;      ///< of each line
  float overview_row = 0;    ///< row height set by the overview, unless the user set another; 0: none
  std::uint32_t overview_levels = 0, first_slot = 0;  ///< as in OverviewLane
  std::uint32_t thin_lines = 0;  ///< number of leading lines that are lower than row_height
  float thin_height = 0;         ///< height of each of these
  RowSize row_size = RowSize::Normal;  ///< never Auto
  float instants_height = 0; ///< 0 if it has none, or is collapsed
  float counter_height = 0;
  float summary_height = 0;  ///< > 0 only if collapsed
  std::uint32_t line_count = 0,   ///< lines of slices that are shown
                hidden_lines = 0; ///< lines beyond the lane's depth limit
  std::uint32_t first_row = 0, slice_rows = 0, instant_rows = 0;  ///< rows of the lane
  std::uint32_t lines = UINT32_MAX;  ///< index of its first line in the layout's lines; UINT32_MAX: each row is one line, from
                                     ///< first_row on
  bool as_rows = true;       ///< if all lines are shown: each line of slices is one row, in row order
  bool collapsed = false;
  bool group = false;        ///< has lanes below it, shown or not
  bool can_fold = false;     ///< it is a group, or has several lines (the line of instants included)
  bool pinned = false;
  std::uint32_t indent = 0;  ///< number of shown groups around it
  std::uint32_t title = UINT32_MAX;  ///< set if its name alone is ambiguous: see LaneLayout::title()

  double rows_y() const { return y + header_height; }
  /// The top of the n-th visible line.
  double line_y(std::uint32_t n) const { return rows_y() + lines_height(n); }
  float line_height(std::uint32_t n) const { return n < thin_lines ? thin_height : row_height; }
  /// The height of the first n lines together.
  double lines_height(std::uint32_t n) const {
    const std::uint32_t thin = std::min(n, thin_lines);
    return static_cast<double>(thin) * static_cast<double>(thin_height) + static_cast<double>(n - thin) * static_cast<double>(row_height);
  }
  /// The line at a height; line_count below the last one. The box must have lines.
  std::uint32_t line_at(double at) const;
  IdRange<RowId> instants() const { return {first_row + slice_rows, instant_rows}; }
  double instants_y() const { return line_y(line_count); }
  double counter_y() const { return instants_y() + instants_height; }
  double summary_y() const { return rows_y(); }
  double bottom() const { return y + height; }
};

class LaneLayout {
 public:
  /// The box and line at a height.
  struct Place {
    LaneId lane{};
    enum class Part { Header, Row, Instants, Counter, Summary, Gap } part = Part::Gap;
    RowId row = kNone<RowId>;  ///< for Row and Instants: the first row there
  };

  LaneLayout() = default;
  LaneLayout(const Trace& trace, const LaneState& state, const LaneMetrics& metrics, const RowRoom& room = {});

  std::span<const LaneBox> boxes() const { return boxes_; }  ///< top to bottom
  double height() const { return height_; }
  double pinned_height() const { return pinned_height_; }
  /// The title next to a box: the lane's name, or the necessary part of its path.
  std::string_view title(const Trace& trace, const LaneBox& box) const {
    return box.title == UINT32_MAX ? std::string_view(trace.lane(box.lane).name) : std::string_view(titles_[box.title]);
  }
  /// The boxes that touch [y0, y1).
  std::span<const LaneBox> boxes_between(double y0, double y1) const;
  /// None above the first and below the last box.
  std::optional<Place> at(double y) const;
  /// Whether the lane is shown, in its own box or in that of a collapsed group.
  bool shows(LaneId lane) const { return box_of_lane_[idx(lane)] != kNoBox; }
  /// The lane's own box, or that of the collapsed group that stands for it. The lane must be shown.
  const LaneBox& box_of(LaneId lane) const { return boxes_[box_of_lane_[idx(lane)]]; }
  /// The vertical middle of a row. If the lane or a group around it is collapsed: the middle of the summary. If the row is cut
  /// off: the middle of the last shown row above it.
  double middle_of(const Trace& trace, RowId row) const;
  /// The height of what middle_of() is the middle of: a row's line, the summary, or the line of instants.
  float height_of(const Trace& trace, RowId row) const;
  /// The first row of the n-th line that a box shows.
  RowId row_at(const LaneBox& box, std::uint32_t n) const {
    return box.lines == kAsRows ? id_at<RowId>(box.first_row + n) : rows_[lines_[box.lines + n].first];
  }
  /// Visits the rows of that line that may have something in the range, by time.
  template <class Visit>
  void for_each_row(const Trace& trace, const LaneBox& box, std::uint32_t n, TimeRange range, Visit visit) const {
    if (box.lines == kAsRows) return visit(row_at(box, n));
    for (const RowId row : rows_between(trace, lines_[box.lines + n], range)) visit(row);
  }
  /// The same for the rows at a place.
  template <class Visit>
  void for_each_row(const Trace& trace, const Place& at, TimeRange range, Visit visit) const {
    const LaneBox& box = box_of(at.lane);
    if (at.part == Place::Part::Row) for_each_row(trace, box, line_of(trace, box, at.row), range, visit);
    if (at.part == Place::Part::Instants) std::ranges::for_each(box.instants(), visit);
  }
  /// Whether the row is beyond its lane's depth limit.
  bool is_cut(const Trace& trace, RowId row) const;
  /// The factor by which rows can grow while all lanes stay in sight, at least 1. Rows stay lower than tall ones.
  float most_growth(const LaneMetrics& metrics, float height_px) const;
  /// Whether the layout has the same row heights at this zoom.
  bool holds_at(double ns_per_px) const { return finest_ < ns_per_px && ns_per_px <= coarsest_; }

 private:
  static constexpr std::uint32_t kNoBox = UINT32_MAX, kAsRows = UINT32_MAX;
  struct Line {
    LinePlace place;
    std::uint32_t first = 0, count = 0;  // its rows in rows_
  };

  void size_rows(const Trace& trace, const LaneState& state, const LaneMetrics& metrics, const RowRoom& room);
  void grow(float growth, const LaneMetrics& metrics, float height_px);
  void list_lines(const Trace& trace, LaneBox& box, std::uint32_t depth);
  void place(const LaneMetrics& metrics);
  static LinePlace place_in(const LaneBox& box, const Row& row);
  std::uint32_t line_of(const Trace& trace, const LaneBox& box, RowId row) const;
  std::span<const RowId> rows_between(const Trace& trace, const Line& line, TimeRange range) const;

  std::vector<LaneBox> boxes_;
  std::vector<Line> lines_;  // for lanes where a line is not a row, in the order of boxes
  std::vector<RowId> rows_;  // rows of these lines, those of one line in time order
  double finest_ = 0, coarsest_ = std::numeric_limits<double>::infinity();  // ns per pixel
  std::vector<std::uint32_t> box_of_lane_;
  std::vector<std::string> titles_;
  double height_ = 0, pinned_height_ = 0;
};

/// How many lines a lane has when all are shown.
struct LineCount {
  std::uint32_t of_slices = 0, of_instants = 0;
  bool as_rows = true;  ///< each line of slices is one row, in row order

  std::uint32_t all() const { return of_slices + of_instants; }
};
/// `levels`: counts only this many levels of the stacks, at least one.
LineCount count_lines(const Trace& trace, const Lane& lane, std::uint32_t levels = UINT32_MAX);

/// Toggles one lane or group in the state.
void toggle_lane(const Trace& trace, LaneId lane, LaneState& state);
/// Collapses or expands all lanes, and shows the tree.
void set_all_collapsed(const Trace& trace, bool collapsed, LaneState& state);
/// Expands the lane and the groups around it, unhides it, removes a filter that excludes it, and adds it to isolated lanes and
/// the overview.
void reveal_lane(const Trace& trace, LaneId lane, LaneState& state);

}  // namespace tv
