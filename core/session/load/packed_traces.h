// The packed traces among the opened files: used as segments as they are, in addition to the files that are read. Nothing is
// shown twice: a packed trace is left out if all of its files are open, or if a larger one has them. If it holds more than the
// open files, these are left out instead.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/draft/load_choice.h"
#include "core/store/segments/compose.h"

namespace tv {

class PackedTraces {
 public:
  /// `info`: of the file. `clocks` move it if they name this file, or give all files in it the same offset.
  void add(SourceInfo info, std::shared_ptr<const Trace> trace, const ClockOffsets& clocks);
  bool empty() const { return all_.empty(); }
  /// Leaves out traces with no file chosen by rank, step or role. A trace is never split.
  void leave_out_unchosen(const LoadChoice& choice);
  /// Call after all add(). Per file to be read: true if a packed trace has it, so that it is not read; it is listed as left out.
  std::vector<bool> leave_out_copies(const std::vector<SourceInfo>& files);
  /// Lists all with the reason, and shows none of their data.
  void let_go(const std::string& reason) {
    for (Packed& packed : all_) list_only(packed, SourceState::Rejected, reason);
  }
  /// One view over them and the segments that were read. `earlier`, `align`, `pool`: as for compose(). `manual_offsets`: as for
  /// compose(), but only for the segments that were read. If there are too many traces for one view, the surplus is listed with
  /// the reason.
  std::shared_ptr<const Trace> beside(const Segments& read, PlaceBy clocks, std::vector<Ns> manual_offsets, EarlierView earlier,
                                      AlignChoice align, ThreadPool& pool);
  /// visit(SourceInfo of the file, segment, how far the user moved it) for those that are shown.
  template <class Visit>
  void for_each_shown(Visit visit) const {
    for (const Packed& packed : all_) {
      if (packed.shown) visit(packed.info, packed.trace, packed.manual_offset);
    }
  }

 private:
  struct Packed {
    SourceInfo info;
    std::shared_ptr<const Trace> trace;
    Ns manual_offset = 0;
    bool shown = true;
  };
  static void list_only(Packed& packed, SourceState state, std::string reason);

  std::vector<Packed> all_;
};

}  // namespace tv
