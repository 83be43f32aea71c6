// Builds one frame of the lanes: from snapshot, layout and viewport to the flat lists of draw_items.h. Only data on the screen is
// read; nothing is allocated once the lists have grown to the window.
//
//   slice row           rectangles from 1 px on; below that a Density strip, alpha kFaintest..kMostFolded by coverage;
//                       slices that wait are hatched; a collective is hatched until the last rank came;
//                       a column with a brushed slice or a hit has that slice's colour and is not dimmed; summary
//                       columns without a hit are dimmed, for up to kMarkedRows rows per frame
//   instants row        diamonds while there is room for them, else a Density strip
//   counter             Area strip: the highest value of each pixel, on the common scale of its kind (counter_scales.h)
//   collapsed lane      Area strip: utilisation of the lane (mean over slots), colour of what fills most; in stacks, of the
//                       level that summary_level.h chooses
//   collapsed group     Area strip: mean utilisation of the lanes in it that have slices
//   collapsed lane without slices: its counter, or its instants
//   stream with         a line below it where communication runs and nothing computes on its GPU; alpha is the share of
//   communication       the column; for a collapsed GPU the line is below the summary (exposed_time.h)
//   arrows              flows of the selected slice; for a pipeline's job all flows of its micro-batch; for a collective, from
//                       the ranks that waited to the last one; in a collapsed lane an arrow ends at the summary
//
// When zoomed in, summaries are exact: they come from the union rows, up to kExactSummaries rows per frame. Beyond that budget,
// and when zoomed out so that a bucket of the overview is at most two pixels, they come from the overview.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/index/snapshot.h"
#include "core/query/search/search_hits.h"
#include "core/query/visible.h"
#include "core/view/color/palette.h"
#include "core/view/color/slice_colors.h"
#include "core/view/lanes/lane_layout.h"
#include "core/view/navigation/viewport.h"
#include "core/view/timeline/draw_items.h"

namespace tv {

struct CollectiveWaits;
struct ExposedSpans;
struct ExposedTime;

inline constexpr std::uint32_t kFaintest = 80;  ///< alpha of a column with anything in it, however little
inline constexpr std::uint32_t kFaintText = 0x90;  ///< alpha of letters on dimmed slices, and on the lane itself
inline constexpr float kDimmedAlpha = 0.25f;  ///< slices outside the highlight keep this much of their alpha
inline constexpr std::size_t kExactSummaries = 512; ///< union rows per frame
inline constexpr std::size_t kMarkedRows = 4096;    ///< rows below summaries that are searched for hits
inline constexpr std::size_t kMostArrows = 500;

struct FrameParams {
  std::uint32_t width_px = 0;
  float height_px = 0;
  double scroll_y = 0;               ///< of the lanes, pixels
  const Palette* palette = nullptr;  ///< for the same snapshot; never null
  const SliceColors* colors = nullptr;   ///< colours of slices instead of those by name; for the same trace
  float char_width_px = 7;
  float text_height_px = 14;         ///< height of a text line; rows that are more than a quarter too low for it have no text
  float text_padding_px = 3;
  float fade_px = 0;                 ///< width of the fade of slices cut at an edge of the view; their names stay within the view
  float diamond_px = 9;              ///< width of an instant's diamond
  LabelId highlighted = kNone<LabelId>;  ///< all other labels are dimmed
  const std::vector<SliceId>* brushed = nullptr;  ///< ascending; all other slices are dimmed; null: none are brushed
  const SearchHits* hits = nullptr;      ///< search hits, highlighted instead of brushed slices; null: nothing was found
  LabelId lit = kNone<LabelId>;          ///< slices with this label stand out
  SliceId selected = kNone<SliceId>;     ///< its flows are drawn
  const CollectiveWaits* collectives = nullptr;  ///< for the same trace, once known
  const ExposedTime* exposed = nullptr;          ///< for the same trace, once known
  Rgba exposed_color = 0;
  Rgba lane_color = 0;                   ///< colour behind the lanes, to which dimmed slices fade
  float exposed_px = 3;                  ///< height of the exposed-communication line, in the gap below a lane
  std::span<const Flow> arrows;          ///< further arrows to draw: derived ones that are not in the trace
};

/// Keeps the scratch space between frames. Not thread-safe; one per timeline.
class FrameBuilder {
 public:
  void build(const Snapshot& snapshot, const LaneLayout& layout, const Viewport& view,
             const FrameParams& params, TimelineFrame& out);

 private:
  struct Band {  // the vertical extent of one line on the screen
    float y, height;
  };
  // Utilisation of one pixel column while union rows are added up.
  struct Share {
    float busy = 0, vote = 0;
    LabelId label = kNone<LabelId>;
  };

  void begin_line(Band band);
  void end_line();
  void add_row(RowId row, bool of_several);
  void add_instants(IdRange<RowId> rows, Band band);
  void add_slices(const RowSlices& row);
  void fold(const IndexedRow& row);
  bool fold_whole(RowId row);
  const WholeRow& whole_of(RowId row);
  void add_counter(std::uint32_t counter, Band band);
  void add_summary(LaneId lane, Band band);
  void add_exposed(const ExposedSpans& spans, Band band);
  void add_without_slices(const Lane& lane, Band band);
  void add_exact(LaneId lane, float weight);
  void add_from_overview(const Overview& overview, Band band);
  void add_shares(const IndexedRow& row, float weight);
  void add_arrows();
  std::optional<SliceId> add_outgoing(SliceId from);
  std::optional<SliceId> add_incoming(SliceId to);
  void add_arrow(SliceId from, SliceId to);

  std::uint32_t begin_strip(StripItem::Kind kind, Band band);
  Rgba folded_color(const FoldedColumn& column) const;
  bool dimmed(LabelId label, SliceId slice) const;
  bool marks() const { return params_->hits || params_->brushed; }
  std::optional<SliceId> first_marked(std::size_t first, std::size_t end) const;
  std::optional<std::size_t> next_marked(const RowSlices& slices, std::size_t from) const;
  void begin_marks();
  void mark_columns(const RowSlices& slices);
  void mark_whole(const Row& row, const WholeRow& whole);
  SliceId marked_in(std::size_t x) const;
  SliceId shown_in(std::size_t x) const;
  Rgba folded_or_marked(std::size_t x) const;
  void name_diamonds();
  void color_by_level(LaneId lane, std::uint32_t strip);
  void dim_summary(LaneId lane, std::uint32_t strip);
  Rgba fill(LabelId label, SliceId slice) const;
  Rgba summary_fill(LabelId label) const;
  Rgba text_color(LabelId label, SliceId slice) const;
  void add_waiting(SliceId slice, RectItem& rest) const;

  // valid during build
  const Trace* trace_ = nullptr;
  const TraceIndex* index_ = nullptr;
  const LaneLayout* layout_ = nullptr;
  const FrameParams* params_ = nullptr;
  TimelineFrame* out_ = nullptr;
  PixelMap map_;
  LaneId lane_{};  // the current lane
  Band line_{};    // the current line
  std::size_t exact_left_ = 0, marked_left_ = 0;

  std::weak_ptr<const TraceIndex> whole_index_;
  std::vector<WholeRow> whole_;  ///< by row; empty until first used

  // scratch
  VisibleRow row_;  ///< visible part of the current line's rows
  std::vector<std::uint32_t> diamonds_;
  static constexpr std::uint32_t kNotKnown = UINT32_MAX;
  std::vector<std::uint32_t> summary_levels_;  ///< by lane
  std::vector<Share> shares_;
  std::vector<SliceId> marked_columns_;  ///< brushed slices or hits in the columns of the line, or of a summary's rows
};

/// The position of a slice on the screen, for outlines and for scrolling to it; not clipped. In a collapsed lane it is the part
/// of the summary at the same time.
struct SliceBox {
  double x0, x1, y, height;
};
SliceBox box_of_slice(const Trace& trace, const LaneLayout& layout, const Viewport& view,
                      const FrameParams& params, SliceId slice);

}  // namespace tv
