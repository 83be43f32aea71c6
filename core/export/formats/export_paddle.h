// A Paddle pipeline run in the format of Paddle's own tool (profiler_helper_static.py, Paddle): a B and an E event for each job
// and step, in microseconds since the epoch.
//
//   Profile   pipeline_profile.json: threads are texts, "GPU0", "GPU0(machine:1)", "Step"
//   Perfetto  pipeline_profile_perfetto.json: threads are numbers with names, Step 2333, devices from
//             2334 on; jobs also have the args of their records
//
// The tool's mistakes are corrected here: steps are numbered from the line that names the first one, not from 0; jobs without
// times are left out, instead of beginning in 1970 and stretching the steps; machines are in the order of their numbers; devices
// have numbers as threads in Perfetto, whatever --devices says, even for a single machine; jobs of virtual stages and of zero
// bubble have colours; times keep all their digits.
//
// Records of dygraph (profile_record_tmp_file_for_rank_N) become the same array as in its tool, in milliseconds.
#pragma once

#include "core/base/threads/thread_pool.h"
#include "core/export/parts/export_choice.h"
#include "core/export/parts/ordered_writer.h"

namespace tv {

enum class PaddleShape : std::uint8_t { Profile, Perfetto };

/// Returns an error, before anything is written, unless exactly one Paddle run was read.
Result<ExportTotals> export_paddle(const Trace& trace, const ExportChoice& choice, PaddleShape shape, ThreadPool& pool,
                                   const ExportSink& sink);

}  // namespace tv
