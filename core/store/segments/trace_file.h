// A Trace as sections of a file, and back: what the index cache maps and what a packed file carries.
//
//   trace sources labels lanes rows counters      tables, as bytes
//   rollout metrics pipeline                      tables as well, only if there are such logs
//   placing extents zones, lane order, owners     of sources, of lanes; missing in files of earlier versions
//   clocks                                        SourceInfo::clock_offset of each source; only if one was moved
//   collectives                                   by stream, for comparing clocks; packed only if records name them
//   slices.begin .duration .self .label .ref    the columns, in memory layout
//   flows flows_by_end counters.time counters.value
//
// Input is checked: every id is valid in its table, rows are sorted and do not overlap, times lie within the extent. A hand-made
// file can have wrong data, but cannot harm the program. Columns may be unchecked instead: then the slice and flow columns are
// mapped without being read, and a view clamps their values (SegmentPlace, FlowTable).
// Cost: mapped, 0.06 s for 7.6 M slices on two cores, nearly all of it for the checksums.
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
  Plain,   ///< to be mapped
  Packed,  ///< to be sent
};

/// Writes a segment. A stop request ends it early: the file must then not be finished.
void write_trace(SectionWriter& file, const Trace& trace, TraceCoding coding, std::stop_token stop = {});
/// `columns`: Unchecked, for a file opened for mapping, skips the checks; otherwise columns are checked.
Result<std::shared_ptr<Trace>> read_trace(const SectionFile& file, ThreadPool& pool, ColumnsAre columns = ColumnsAre::Own);

}  // namespace tv
