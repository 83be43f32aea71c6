// The args of all chosen slices as Perfetto's debug annotations. Records are read in the order of the files, but packets are written
// in the order of time. So all annotations are encoded before the first packet is written. An unnamed temporary file holds them;
// in memory, only 8 bytes per slice are needed, for their position in the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/export/parts/export_choice.h"
#include "core/io/written/temporary_file.h"

namespace tv {

class PerfettoArgs {
 public:
  static Result<PerfettoArgs> collect(const Trace& trace, const ExportChoice& choice, ThreadPool& pool,
                                      ExportTotals& totals);

  /// Appends the fields of a TrackEvent that hold the slice's args.
  Result<void> append(SliceId id, std::string& event);

 private:
  PerfettoArgs(TemporaryFile file, std::size_t slices) : file_(std::move(file)), place_(slices) {}
  Result<void> store(std::string_view entries);

  TemporaryFile file_;
  std::uint64_t end_ = 0;             // where the data in the file ends
  std::vector<std::uint64_t> place_;  // by slice: the position of its annotations in the file, plus 1; 0: it has none
  std::string window_;                // what was read last: slices of one track are near each other in the file
  std::uint64_t window_begin_ = 0;    // its position in the file
};

}  // namespace tv
