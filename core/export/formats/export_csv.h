// Writes a trace as a CSV table (RFC 4180), for spreadsheets and pandas: a line per slice, instant and sample, lane by lane in the
// order of the window, row by row. Times are absolute nanoseconds; lanes are paths, joined with " / ".
//
//   kind,source,lane,name,category,begin_ns,duration_ns,self_ns,depth,value
//   slice,/logs/rank0.json,rank 0 / python 1 / thread 1,aten::add,cpu_op,1724203468009469317,1250,250,2,
//   sample,,rank 0 / python 1 / allocated,allocated,,1724203468009469317,,,,4096
#pragma once

#include "core/base/threads/thread_pool.h"
#include "core/export/parts/export_choice.h"
#include "core/export/parts/ordered_writer.h"

namespace tv {

Result<ExportTotals> export_csv(const Trace& trace, const ExportChoice& choice, ThreadPool& pool,
                                const ExportSink& sink);

}  // namespace tv
