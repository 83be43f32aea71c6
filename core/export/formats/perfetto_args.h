// The args of all chosen slices as Perfetto's debug annotations, encoded before any packet is written: records come in the order
// of the sources' texts, but packets must be in the order of time. The annotations are buffered in an unnamed temporary file, so
// memory does not grow with them: 8 bytes per slice hold their position.
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
  Result<void> keep(std::string_view records);

  TemporaryFile file_;
  std::uint64_t end_ = 0;             // end of the data in the file
  std::vector<std::uint64_t> place_;  // by slice: its position in the file plus 1; 0 = none
  std::string window_;                // the text read last: slices of one track are near each other
  std::uint64_t window_begin_ = 0;
};

}  // namespace tv
