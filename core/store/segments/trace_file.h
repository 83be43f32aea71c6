// Stores a segment as sections of a file, and reads it back: for the index cache, whose files are mapped, and for packed traces.
//
//   trace sources labels lanes rows counters    tables
//   rollout metrics pipeline                    tables; only if there are such logs
//   placing extents zones                       tables about sources; missing in files of earlier versions
//   lane order, owners, threads                 tables about lanes; missing in files of earlier versions
//   clocks                                      SourceInfo::clock_offset of each source; only if any was moved
//   runs                                        LaneOwner::run of each lane; only if there are logs
//   collectives                                 by lane, for comparing clocks; in a packed trace only if records identify them
//   slices.begin .duration .self .label .ref    columns, as in memory
//   flows flows_by_end counters.time counters.value
//
// Input is checked: every id is valid in its table, rows are sorted and do not overlap, times lie within the extent. A hand-made
// file can have wrong data, but cannot harm the program. If columns are unchecked, the columns of slices and flows are mapped
// without being read, and a view clamps their values (SegmentPlace, FlowTable).
// Cost: 0.06 s to map 7.6 M slices on two cores, nearly all of it for the checksums.
#pragma once

#include <memory>
#include <stop_token>
#include <string_view>

#include "core/base/result.h"
#include "core/base/threads/thread_pool.h"
#include "core/io/tables/section_file.h"
#include "core/store/trace/trace.h"

namespace tv {

enum class TraceCoding {
  Plain,   ///< columns as in memory, for mapping
  Packed,  ///< compressed, for packed traces
};

/// Writes a segment. A stop request makes it return early; then the caller must not finish the file.
void write_trace(SectionWriter& file, const Trace& trace, TraceCoding coding, std::stop_token stop = {});
/// Checks the columns, unless `columns` is Unchecked. That is for a file that was opened for mapping.
Result<std::shared_ptr<Trace>> read_trace(const SectionFile& file, ThreadPool& pool, ColumnsAre columns = ColumnsAre::Own);

}  // namespace tv
