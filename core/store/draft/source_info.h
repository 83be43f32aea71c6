// Everything known about one opened file.
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
  Waiting,     ///< not begun
  Reading,
  Ready,       ///< read to its end
  Part,        ///< read in part; `reason` says why
  LeftOut,     ///< not chosen (load_choice.h), or shown otherwise; `reason` says why then
  NotReadYet,  ///< recognised, but this version has no reader
  Rejected,    ///< not a format we know, or unreadable; `reason` says why
  Cancelled,
};

std::string_view name(SourceState state);


/// Where a source's text is when it came out of a packed trace.
struct PackedText {
  std::string path;           ///< of the packed trace
  std::uint64_t file_id = 0;  ///< SectionFile::id() when it was opened
  std::string section;
};

/// Something known of a source, and from what: {"rank", "3", "captured environment RANK"}.
struct SourceFact {
  std::string what, value, evidence;
  bool operator==(const SourceFact&) const = default;
};

struct SourceInfo {
  std::string path;
  std::string format;  ///< reader id: "chrome_json", "verl_rollout"; empty when rejected
  std::string reason;  ///< why rejected or not read
  SourceState state = SourceState::Waiting;
  bool refused = false;          ///< rejected because of the machine (Error::of_system), not because of its contents; not kept
  std::uint64_t bytes = 0;       ///< on disk
  std::int64_t modified_ns = 0;  ///< last change of the file when it was opened
  std::optional<std::int64_t> rank, worker, step;
  std::string role;  ///< "actor_update", "rollout"; empty when the file does not tell
  // These join files of one run (step_places.h). Valid only while they are read.
  std::optional<std::int64_t> pid;  ///< pid of the process that wrote it
  std::string phase;                ///< the part of a training step that it is about: "update_actor"
  std::string host;                 ///< whose clock it has; empty when unknown
  std::string process;              ///< equal for several sources of one process (process_lanes.h); else empty
  bool local_time = false;          ///< its stamps are local time and name no zone (time_zones.h); only while it is read
  std::optional<Ns> zone_east;      ///< how far its host's local time is ahead of UTC, as it says
  std::vector<SourceFact> facts;    ///< why rank, role, step, pid are what they are, and what else it says of itself

  std::uint64_t slices = 0, instants = 0, samples = 0, flows = 0;
  bool wall_clock = false;  ///< times are since the Unix epoch
  bool by_row = false;      ///< its records are rows of tables: their offsets are no bytes
  Ns shift = 0;             ///< added to the file's own times to lie on the view's clock; clock_offset and clock_fit.offset are in it
  Ns clock_offset = 0;      ///< by how much the user moved its clock (clock_offset.h)
  ClockFit clock_fit;       ///< how its clock compares with the others'
  Ns aligned = 0;           ///< by how much it was moved from its recorded time to align runs (align_runs.h); part of shift
  TimeRange work;           ///< its events that take time, relative to the trace's origin; {0, 0} if it shows nothing
  std::optional<TimeRange> extent;  ///< of everything in it, relative to the origin; contains work. None if it shows nothing
  ProblemLog problems;
  std::optional<PackedText> packed;
  std::string database;  ///< another program's export with its records; empty: they are in `path`
  /// The reader fills these while it reads the text. Not used for plain files.
  std::shared_ptr<TextCheckpoints> checkpoints = std::make_shared<TextCheckpoints>();
};

}  // namespace tv
