// The data about one opened file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"
#include "core/io/streams/text_checkpoints.h"
#include "core/store/draft/clock_fit.h"
#include "core/store/draft/problem.h"

namespace tv {

enum class SourceState : std::uint8_t {
  Waiting,     ///< not started
  Reading,
  Ready,       ///< read completely
  Part,        ///< partly read; `reason` says why
  LeftOut,     ///< not chosen (load_choice.h), or another source shows its contents (`reason`)
  NotReadYet,  ///< recognised, but this version has no reader
  Rejected,    ///< unknown format, or unreadable; `reason` says why
  Cancelled,
};

std::string_view name(SourceState state);


/// The place of a source's text in a packed trace.
struct PackedText {
  std::string path;           ///< of the packed trace
  std::uint64_t file_id = 0;  ///< SectionFile::id() when it was opened
  std::string section;
};

/// A fact about a source, with its evidence: {"rank", "3", "captured environment RANK"}.
struct SourceFact {
  std::string what, value, evidence;
  bool operator==(const SourceFact&) const = default;
};
/// Evidence that begins so tells a rank within a group of ranks, which may be all of them or some.
inline constexpr std::string_view kByCommunicator = "NCCL communicator";

struct SourceInfo {
  std::string path;
  std::string format;  ///< reader id: "chrome_json", "verl_rollout"; empty when rejected
  std::string reason;  ///< why it was not read, or only partly; while it is read: its progress
  SourceState state = SourceState::Waiting;
  bool refused = false;          ///< rejected because of a system error (Error::of_system), not its contents; not stored
  std::uint64_t bytes = 0;       ///< on disk
  std::int64_t modified_ns = 0;  ///< modification time when it was opened
  std::optional<std::int64_t> rank, worker, step;
  std::string role;  ///< "actor_update", "rollout"; empty if unknown
  // These join files of one run (step_places.h). Valid only while the files are read.
  std::optional<std::int64_t> pid;  ///< pid of the process that wrote it
  std::string phase;                ///< the part of a training step that it shows: "update_actor"
  std::string host;                 ///< the host whose clock it uses; empty if unknown
  std::string process;              ///< equal for several sources of one process (process_lanes.h); otherwise empty
  bool local_time = false;          ///< timestamps are local time without a zone (time_zones.h); valid only while it is read
  std::optional<Ns> zone_east;      ///< how far its host's local time is ahead of UTC, if the file states it
  std::vector<SourceFact> facts;    ///< evidence for rank, role, step and pid, and other facts about it

  std::uint64_t slices = 0, instants = 0, samples = 0, flows = 0;
  bool wall_clock = false;  ///< times are since the Unix epoch
  bool by_row = false;      ///< its records are rows of tables, so their offsets are not bytes
  Ns shift = 0;             ///< added to the file's times to get the view's; includes clock_offset and clock_fit.offset
  Ns clock_offset = 0;      ///< how far the user moved its clock (clock_offset.h)
  ClockFit clock_fit;       ///< comparison of its clock with the others
  Ns aligned = 0;           ///< how far it was moved from its recorded time to align runs (align_runs.h); part of shift
  TimeRange work;           ///< extent of its events that take time, relative to the trace's origin; {0, 0} if it shows nothing
  std::optional<TimeRange> extent;  ///< extent of everything in it, relative to the origin; contains work. None if it shows nothing
  ProblemLog problems;
  std::optional<PackedText> packed;
  std::string database;  ///< path of the database it was exported to, which has its records; empty: `path` has them
  /// Filled by the reader while it reads the text. Not used for plain files.
  std::shared_ptr<TextCheckpoints> checkpoints = std::make_shared<TextCheckpoints>();
};

}  // namespace tv
