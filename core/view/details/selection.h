// The user's selection. Only the UI thread changes it, between frames; panels read it and push commands.
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
  SliceId hovered = kNone<SliceId>;  ///< set every frame
  std::optional<SliceKey> key;       ///< key of `slice`: finds it again in the next snapshot
  std::optional<TimeRange> range;    ///< area selection, relative to `origin_ns`
  std::vector<LaneId> lanes;         ///< lanes of the area; empty = all
  std::string made_in;               ///< the kind of chart that the area was selected in: this chart still shows everything
  std::vector<SliceId> also;         ///< further slices, in the order in which they were added; never `slice`
  std::vector<SliceKey> also_keys;   ///< keys of all added slices, in order, including slices that this snapshot lacks
  LabelId same_name = kNone<LabelId>;  ///< the name of `slice`, if all slices of that name are singled out
  std::optional<SliceStretch> stretch;  ///< selects everything from `slice` to another one; valid in the snapshot of `generation`
  std::optional<Gap> gap;            ///< selected instead of a slice; valid in the snapshot of `generation`
  std::optional<TextPlace> text;     ///< selected instead of a slice
  std::uint64_t generation = 0;
  Ns origin_ns = 0;                  ///< origin of the trace to which the range is relative

  bool has_slice() const { return slice != kNone<SliceId>; }
  void select(const Snapshot& snapshot, SliceId id);
  /// Adds a slice, or removes it if it is selected already.
  void add(const Snapshot& snapshot, SliceId id);
  /// Adds further slices, none of which is selected yet or occurs twice.
  void add_others(const Snapshot& snapshot, const std::vector<SliceId>& ids);
  /// Selects everything from the selected slice to this one, instead of additional slices.
  void select_stretch(const SliceStretch& chosen);
  void select_gap(const Snapshot& snapshot, const Gap& chosen);
  void select_text(const Snapshot& snapshot, const TextPlace& chosen);
  void clear();
  /// Clears slices, gap and text only.
  void clear_slices();
  /// Call for a new snapshot: finds the selection again. A slice that this snapshot lacks is found again in a later one that has
  /// it. A text is cleared, and so is a gap unless the same slices surround it. If the trace's lanes have changed, the area gets
  /// all lanes; if the trace has only `grown`, only if one of the area's lanes is gone.
  void carry_over(const Snapshot& from, const Snapshot& to, bool grown = false);

 private:
  /// The first of `also` becomes the selected slice.
  void promote_next(const Snapshot& snapshot);
  /// Whether no slice is selected, even after promoting one in place of a slice that this snapshot lacks.
  bool lacks_first(const Snapshot& snapshot);
};

}  // namespace tv
