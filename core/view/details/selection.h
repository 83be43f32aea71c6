// What the user has singled out. Only the UI thread touches it, between frames; panels read it and push
// commands.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/index/snapshot.h"
#include "core/query/find_slice.h"
#include "core/query/lane_gaps.h"
#include "core/query/slice_sums.h"
#include "core/view/words/text_place.h"

namespace tv {

struct Selection {
  SliceId slice = kNone<SliceId>;    ///< slice or instant; valid in the snapshot of `generation`
  SliceId hovered = kNone<SliceId>;  ///< set anew every frame
  std::optional<SliceKey> key;       ///< of `slice`: finds it again in the next snapshot
  std::optional<TimeRange> range;    ///< area selection, relative to `origin_ns`
  std::vector<LaneId> lanes;         ///< of the area; empty = all
  std::string made_in;               ///< the kind of chart that it was chosen in, which goes on showing all there is
  std::vector<SliceId> also;         ///< further slices, in the order in which they were added; never `slice`
  std::vector<SliceKey> also_keys;   ///< of those
  LabelId same_name = kNone<LabelId>;  ///< all slices of this name are singled out: that of `slice`
  std::optional<SliceStretch> stretch;  ///< all from `slice` to another one are selected; of the snapshot of `generation`
  std::optional<Gap> gap;            ///< selected instead of a slice; of the snapshot of `generation`
  std::optional<TextPlace> text;     ///< likewise
  std::uint64_t generation = 0;
  Ns origin_ns = 0;                  ///< of the trace that the range is relative to

  bool has_slice() const { return slice != kNone<SliceId>; }
  void select(const Snapshot& snapshot, SliceId id);
  /// One more; one that is selected is no more.
  void add(const Snapshot& snapshot, SliceId id);
  /// More of them, none of which is selected or comes twice.
  void add_others(const Snapshot& snapshot, const std::vector<SliceId>& ids);
  /// All from the selected one to this one; instead of those beside it.
  void select_stretch(const SliceStretch& chosen);
  void select_gap(const Snapshot& snapshot, const Gap& chosen);
  void select_text(const Snapshot& snapshot, const TextPlace& chosen);
  void clear();
  /// Slices, gap and text alone.
  void clear_slices();
  /// A new snapshot has been published: finds all of it again, but for a text and a gap in which something lies now. The lanes
  /// of the area are forgotten when the lanes of the trace have changed; where it has `grown`, only when one of them is no more.
  void carry_over(const Snapshot& from, const Snapshot& to, bool grown = false);
};

}  // namespace tv
