// Writes a trace in Perfetto's own format: a stream of protobuf packets, for ui.perfetto.dev, trace_processor and their SQL.
//
//   TracePacket  clock snapshot: boot time is the wall clock
//   TracePacket  TrackDescriptor     groups are processes; lanes are tracks below them, in order (export_tracks.h)
//   TracePacket  TrackEvent          begin, end, instant or sample; names and categories are interned
//
// The events of a track are in time order, ends before begins: trace_processor keeps the order of events with equal times. Arrows
// are flow ids in the events of their slices, so no arrow can attach to a wrong slice. Args are debug annotations; numbers stay
// numbers.
//
// Cost: two passes (perfetto_args.h), the second on one thread; about 6 microseconds per slice. Memory: 8 bytes per slice, that of
// RecordBlocks in the first pass, and that of ExportTracks and 16 bytes per slice of the largest lane in the second.
#pragma once

#include "core/base/threads/thread_pool.h"
#include "core/export/parts/export_choice.h"
#include "core/export/parts/ordered_writer.h"

namespace tv {

Result<ExportTotals> export_perfetto(const Trace& trace, const ExportChoice& choice, ThreadPool& pool,
                                     const ExportSink& sink);

}  // namespace tv
