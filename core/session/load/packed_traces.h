// The packed traces among the open files. They become segments without being read, in addition to the files that are read.
// Nothing is shown twice: a packed trace is left out if all its files are open or in larger packed traces. If it also has other
// files, the open copies of its files are left out instead.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/session/packed/packed_trace.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/draft/load_choice.h"
#include "core/store/segments/compose.h"

namespace tv {

class PackedTraces {
 public:
  /// `info`: of the packed file. `clocks` move the trace if they name this file, or give all files in it the same offset.
  void add(SourceInfo info, PackedSegment segment, const ClockOffsets& clocks);
  bool empty() const { return all_.empty(); }
  /// Leaves out traces without a file that is chosen by rank, step and role. A trace is never split.
  void leave_out_unchosen(const LoadChoice& choice);
  /// Call after all add(). For each file to be read: true if a packed trace has this file. Then the file must not be read, and is
  /// listed as left out.
  std::vector<bool> leave_out_copies(const std::vector<SourceInfo>& files);
  /// Lists all packed traces with the reason, and shows none of their data.
  void reject_all(const std::string& reason) {
    for (Packed& packed : all_) list_only(packed, SourceState::Rejected, reason);
  }
  /// One view over `read`, the segments of the other files, and the packed traces. `manual_offsets` are for `read` alone; the
  /// other parameters are those of compose(). If there are too many traces for one view, the surplus is only listed, with the
  /// reason.
  std::shared_ptr<const Trace> compose_with(const Segments& read, PlaceBy clocks, std::vector<Ns> manual_offsets, EarlierView earlier,
                                      AlignChoice align, ThreadPool& pool);

  struct Packed {
    SourceInfo info;  ///< of the file
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const SegmentIndex> index;  ///< null: not made yet
    Ns manual_offset = 0;                       ///< by how much the user moved it
    bool shown = true;
  };
  /// Calls visit(Packed) for each packed trace that is shown.
  template <class Visit>
  void for_each_shown(Visit visit) const {
    for (const Packed& packed : all_) {
      if (packed.shown) visit(packed);
    }
  }

 private:
  static void list_only(Packed& packed, SourceState state, std::string reason);

  std::vector<Packed> all_;
};

}  // namespace tv
