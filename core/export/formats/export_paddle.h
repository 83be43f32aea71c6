// Writes a Paddle pipeline run as Paddle's own tool does (profiler_helper_static.py): a B and an E event for each job and step, in
// microseconds since the epoch.
//
//   Profile   pipeline_profile.json: threads are texts: "GPU0", "GPU0(machine:1)", "Step"
//   Perfetto  pipeline_profile_perfetto.json: threads are numbers with names: 2333 for steps, 2334 and
//             up for devices; jobs also have the args of their records
//
// The tool's mistakes are not repeated:
//
//   - Step numbers begin with the first one that a line of the log names, not with 0.
//   - Jobs without times are left out. In the tool they begin in 1970 and stretch the steps.
//   - Machines are in the order of their numbers.
//   - In Perfetto, threads of devices are always numbers, also with --devices or a single machine.
//   - Jobs of virtual stages and of zero bubble have colours.
//   - Times keep all their digits.
//
// Dygraph records (profile_record_tmp_file_for_rank_N) become the array that Paddle's tool for them writes, in milliseconds.
#pragma once

#include "core/base/threads/thread_pool.h"
#include "core/export/parts/export_choice.h"
#include "core/export/parts/ordered_writer.h"

namespace tv {

enum class PaddleShape : std::uint8_t { Profile, Perfetto };

/// Returns an error and writes nothing unless exactly one Paddle run was read.
Result<ExportTotals> export_paddle(const Trace& trace, const ExportChoice& choice, PaddleShape shape, ThreadPool& pool,
                                   const ExportSink& sink);

}  // namespace tv
