// Writes a trace as Trace Event JSON, for chrome://tracing, Perfetto, HTA, TensorBoard and traceview itself: one event per line.
//
//   {"displayTimeUnit":"ms","baseTimeNanoseconds":1724203468009469317,"traceEvents":[
//   {"ph":"M","name":"process_name",...}   names and order of processes and threads: export_tracks.h, exported_lane.h
//   {"ph":"X","cat":"kernel","name":"gemm","pid":2,"tid":7,"ts":12.345,"dur":1.002,"args":{...}}
//   {"ph":"i"...}  {"ph":"C"...}  {"ph":"s"...}  {"ph":"f"...}      instants, samples, arrows
//
// Times are microseconds with three decimals, exact to the nanosecond, relative to baseTimeNanoseconds, as in kineto's files:
// absolute times have more digits than a double holds. Slices are in the order of the source files, whose records are read once;
// args are copied verbatim from them (record_args.h). When traceview reads the file, slices, lanes, args, arrows and counters are
// the same as here. Not written: args of an E event, names of arrows, file members on which sources disagree (source_members.h),
// data of logs that are not in slices (ExportLimits).
//
// Cost: 0.8 microseconds of processor time per slice with a record of 350 bytes. Memory: that of RecordBlocks and ExportTracks.
#pragma once

#include "core/base/threads/thread_pool.h"
#include "core/export/parts/export_choice.h"
#include "core/export/parts/ordered_writer.h"

namespace tv {

Result<ExportTotals> export_chrome(const Trace& trace, const ExportChoice& choice, ThreadPool& pool,
                                   const ExportSink& sink);

}  // namespace tv
