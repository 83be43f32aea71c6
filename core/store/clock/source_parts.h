// The sources of a trace while it is built: their batches, with a translation of the batches' own ids. Begin and end events are
// joined, and the extent of each source is known. Cost: O(tables of names + begin and end events), and of measuring extents
// (work_extent.h); slices are not copied.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/text/string_table.h"
#include "core/store/draft/source_draft.h"

namespace tv {

/// One batch with its ids translated to the source's and the trace's.
struct BatchPiece {
  std::shared_ptr<const SliceBlock> slices;
  std::shared_ptr<const EventBatch> batch;  ///< null for the slices made by pairing
  bool in_file_order = true;                ///< false for those made by pairing, which are ordered by their ends
  std::vector<std::uint32_t> track;         ///< batch track -> source track
  std::vector<LabelId> label;               ///< batch label -> trace label; empty = identity
  std::vector<std::uint32_t> key;           ///< batch key -> trace-wide key; empty: keys are trace-wide already

  std::uint32_t track_of(std::uint32_t t) const { return track[t]; }
  LabelId label_of(LabelId l) const { return label.empty() ? l : label[idx(l)]; }
  std::uint32_t key_of(std::uint32_t k) const { return k == kNoGroup || key.empty() ? k : key[k]; }
};

struct SourceParts {
  SourceView view;
  StringTable tracks;
  std::vector<BatchPiece> pieces;
  std::uint32_t first_key = 0;        ///< the first of its keys in the whole trace
  std::vector<std::uint64_t> told;    ///< by key, starting at first_key: the collective of slices with that group; often empty
  std::vector<LaneId> lane_of_track;
  TimeRange extent;  ///< in the file's clock plus clock_base; later in the trace's clock
  TimeRange work;    ///< part of extent that is work; in the same clock
  bool has_content = false;
  bool wall_clock = false;  ///< its times count from the Unix epoch, before they are aligned
  Ns shift = 0;             ///< file time + shift = time relative to the trace's origin
  std::uint64_t slices = 0;
  ProblemLog problems;

  /// What records say about the collective of slice i of a piece (told_collectives.h). 0: nothing.
  std::uint64_t told_of(const BatchPiece& piece, std::size_t i) const {
    const std::uint32_t group = told.empty() ? kNoGroup : piece.slices->group_of(i);
    if (group == kNoGroup || piece.key.empty()) return 0;
    const std::size_t key = piece.key[group] - first_key;
    return key < told.size() ? told[key] : 0;
  }
};

/// Takes the views' batches; labels are interned in the order of their first use.
std::vector<SourceParts> source_parts(std::vector<SourceView> views, LabelTable& labels);

}  // namespace tv
