// The sources of a trace while it is built: their batches, with translations of the batches' ids. Begin and end events are
// joined, and the extent of each source is measured. Slices are not copied. Cost: O(names + begin and end events), plus the cost
// of work_extent.h.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/text/string_table.h"
#include "core/store/draft/source_draft.h"

namespace tv {

/// A batch, or the slices that were joined from begin and end events, with translations of its ids.
struct BatchPiece {
  std::shared_ptr<const SliceBlock> slices;
  std::shared_ptr<const EventBatch> batch;  ///< null for joined slices
  bool in_file_order = true;                ///< false for joined slices, which are ordered by their ends
  std::vector<std::uint32_t> track;         ///< batch track -> source track
  std::vector<LabelId> label;               ///< batch label -> trace label; empty: the slices have the trace's labels
  std::vector<std::uint32_t> key;           ///< batch key -> trace key; empty: the slices have the trace's keys

  std::uint32_t track_of(std::uint32_t t) const { return track[t]; }
  LabelId label_of(LabelId l) const { return label.empty() ? l : label[idx(l)]; }
  std::uint32_t key_of(std::uint32_t k) const { return k == kNoKey || key.empty() ? k : key[k]; }
};

struct SourceParts {
  SourceView view;
  StringTable tracks;
  std::vector<BatchPiece> pieces;
  std::uint32_t first_key = 0;      ///< the number of the source's first key in the trace
  std::vector<std::uint64_t> told;  ///< told_collectives() of the source's keys; empty if no record names a collective
  std::vector<LaneId> lane_of_track;
  BuiltRange extent, work;  ///< `work`: the part of the extent that is work (work_extent.h)
  bool has_content = false;
  bool wall_clock = false;  ///< times counted from the Unix epoch before runs were aligned
  ClockShift<FileTime, SegmentTime> shift;
  std::uint64_t slices = 0;
  ProblemLog problems;

  /// What the record of slice i of a piece says about the collective (told_collectives.h). 0: nothing.
  std::uint64_t told_of(const BatchPiece& piece, std::size_t i) const {
    const std::uint32_t group = told.empty() ? kNoGroup : piece.slices->group_of(i);
    if (group == kNoGroup || piece.key.empty()) return 0;
    const std::size_t key = piece.key[group] - first_key;
    return key < told.size() ? told[key] : 0;
  }
};

/// Takes the views' batches. Adds their labels to `labels` in the order of their first use.
std::vector<SourceParts> source_parts(std::vector<SourceView> views, LabelTable& labels);

}  // namespace tv
