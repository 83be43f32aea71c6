// The packed traces among the opened files: segments as they are, in addition to the files that are read. Nothing is shown twice: a
// packed trace is left out if all of its files are open, or a larger one has them. If it holds more than that, its open files are.
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
  /// `info`: of the file. Where clocks are given for it, or the same for all that is in it, they move it.
  void add(SourceInfo info, std::shared_ptr<const Trace> trace, const ClockOffsets& clocks);
  bool empty() const { return all_.empty(); }
  /// Those with no file that is chosen by rank, step or role are left out; nothing is taken out of one.
  void leave_out_unchosen(const LoadChoice& choice);
  /// When all are there. By file that is to be read: whether it is not, because a packed trace has it; it is listed as left out.
  std::vector<bool> leave_out_copies(const std::vector<SourceInfo>& files);
  /// All are listed with the reason, and nothing of them is shown.
  void let_go(const std::string& reason) {
    for (Packed& packed : all_) list_only(packed, SourceState::Rejected, reason);
  }
  /// One view over them and the segments that were read. `earlier`, `align`, `pool`: as for compose(). `by_hand`: the same, only for the
  /// segments that were read. Traces that are too many for one view are listed with the reason.
  std::shared_ptr<const Trace> beside(const Segments& read, PlaceBy clocks, std::vector<Ns> by_hand, EarlierView earlier,
                                      AlignChoice align, ThreadPool& pool);
  /// visit(SourceInfo of the file, segment, by how much the user moved it) for those that are shown.
  template <class Visit>
  void for_each_shown(Visit visit) const {
    for (const Packed& packed : all_) {
      if (packed.shown) visit(packed.info, packed.trace, packed.by_hand);
    }
  }

 private:
  struct Packed {
    SourceInfo info;
    std::shared_ptr<const Trace> trace;
    Ns by_hand = 0;
    bool shown = true;
  };
  static void list_only(Packed& packed, SourceState state, std::string reason);

  std::vector<Packed> all_;
};

}  // namespace tv
