// Describes an opened file (a source).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock_time.h"
#include "core/io/streams/text_checkpoints.h"
#include "core/store/draft/clock_fit.h"
#include "core/store/draft/problem.h"
#include "core/store/draft/source_rank.h"

namespace tv {

enum class SourceState : std::uint8_t {
  Waiting,     ///< reading has not begun
  Reading,
  Ready,       ///< completely read
  Part,        ///< partly read; `reason` says why
  LeftOut,     ///< not chosen (load_choice.h), or another source shows its contents; `reason` says which
  NotReadYet,  ///< the format is recognised, but this version has no reader for it
  Rejected,    ///< the format is unknown, or the file cannot be read; `reason` says why
  Cancelled,
};

std::string_view name(SourceState state);

/// The place of a source's text in a packed trace.
struct PackedText {
  std::string path;           ///< of the packed trace
  std::uint64_t file_id = 0;  ///< SectionFile::id() when the packed trace was opened
  std::string section;
};

/// A fact about a source, with its evidence: {"rank", "3", "captured environment RANK"}.
struct SourceFact {
  std::string what, value, evidence;
  bool operator==(const SourceFact&) const = default;
};
/// Evidence that begins with this is for a rank within a communicator, which may not have all ranks of the run.
inline constexpr std::string_view kByCommunicator = "NCCL communicator";

struct SourceInfo {
  std::string path;
  std::string format;  ///< id of the reader: "chrome_json", "verl_rollout"; empty if rejected
  std::string reason;  ///< why the file was not read, or only in part; while it is read: the progress
  SourceState state = SourceState::Waiting;
  bool refused = false;          ///< rejected because of a system error (Error::of_system), not its contents; not stored
  std::uint64_t bytes = 0;       ///< on disk
  std::int64_t modified_ns = 0;  ///< modification time of the file when it was opened
  std::optional<std::int64_t> rank, worker, step;
  RankFrom rank_from = RankFrom::Contents;  ///< what named the rank (source_rank.h); only set while the file is read
  std::string role;  ///< "actor_update", "rollout"; empty if unknown
  std::string run;   ///< folder of the run, for a rollout log; otherwise empty. Not stored, but found again (rollout_run())
  // The next members show which files are of one run or process (step_places.h, process_lanes.h).
  std::optional<std::int64_t> pid;  ///< process id of the process that was recorded
  std::string phase;                ///< the part of a training step that the file shows: "update_actor"
  std::string host;                 ///< the host whose clock the file uses; empty if unknown
  std::string process;              ///< equal for several sources of one process; otherwise empty
  bool local_time = false;          ///< timestamps are local time without a zone (time_zones.h); only set while files are read
  std::optional<Ns> zone_east;      ///< how far the host's local time is ahead of UTC, if the file states it
  std::vector<SourceFact> facts;    ///< evidence for rank, role, step and pid, and other facts

  std::uint64_t slices = 0, instants = 0, samples = 0, flows = 0;
  bool wall_clock = false;  ///< times count from the Unix epoch
  bool by_row = false;      ///< records are rows of tables, so their offsets are not bytes
  /// To absolute times in the trace; includes the next three. (The absolute times of a segment are BuiltTime. Alone, it is a view.)
  ClockShift<FileTime, AlignedTime> shift;
  Ns clock_offset = 0;      ///< how far the user moved the clock (clock_offset.h)
  ClockFit clock_fit;       ///< how the clock compares with other clocks
  ClockShift<CommonTime, AlignedTime> aligned;  ///< how far the source was moved to align runs (align_runs.h)
  TimeRange work;           ///< the time of its work (work_extent.h), relative to the trace's origin; {0, 0} without content
  std::optional<TimeRange> extent;  ///< the time of all its events, relative to the trace's origin; nullopt without content
  ProblemLog problems;
  std::optional<PackedText> packed;
  std::string database;  ///< path of the database that the file was exported to and that has the records; empty: `path` has them
  /// Filled by the reader while it reads the text. Not used for plain files.
  std::shared_ptr<TextCheckpoints> checkpoints = std::make_shared<TextCheckpoints>();
};

/// Whether the examples of a problem have places in the source's text. Other places are rows of tables, or bytes of the file on
/// disk, which may be compressed or packed.
inline bool is_placed_in_text(const SourceInfo& source, ProblemKind kind) {
  const bool of_disk =
      kind == ProblemKind::truncated_archive || kind == ProblemKind::read_error || kind == ProblemKind::damaged_part;
  return !source.by_row && !of_disk;
}

/// Takes back the shifts by collectives and by aligned runs that were applied when the source's segment was packed, or when a window
/// was measured, but not the user's offset.
inline ClockShift<BuiltTime, RecordedTime> built_to_recorded(const SourceInfo& source) {
  return {-source.clock_fit.by_collectives() - source.aligned.by};
}

}  // namespace tv
