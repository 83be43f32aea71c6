// What training logs print once per step or iteration: metrics, by name, as numbers, and the parts of the step's time as
// far as its durations follow each other. Filled file by file while reading, in file order; in a Trace, all files one after
// the other in the order of its sources. Names are as written; analyses know which of them mean the same.
//
// Most such logs state durations and no times: where a step lies is decided when the Trace is built (step_places.h).
// Cost: 16 bytes per value, 80 per step. Source: verl's console, verl's file logger, Megatron-LM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text/string_table.h"
#include "core/base/time.h"

namespace tv {

inline constexpr Ns kNoPlace = std::numeric_limits<Ns>::min();  ///< the log does not tell when

struct MetricValue {
  double value = 0;  ///< NaN and infinities as written
  std::uint32_t name = 0;  ///< in MetricLog::names
  /// The number is written as such, not as np.float64(1.5): what verl's plotting script can read.
  bool plain = true;
};

/// One of the durations that a step is made of; the parts of a step follow each other in the order of the log's phases.
struct MetricPart {
  std::uint32_t name = 0;  ///< in MetricLog::names: "gen"
  Ns duration = 0;
};

/// One line of metrics, or the lines that belong together.
struct MetricStep {
  std::int64_t step = 0;        ///< as printed
  std::int64_t first_step = 0;  ///< first of the steps that the line sums up; equals `step` for a line about one
  std::uint32_t source = 0;
  std::uint64_t offset = 0;     ///< of its line
  std::uint32_t first_value = 0, value_count = 0;  ///< in MetricLog::values
  std::uint32_t first_part = 0, part_count = 0;    ///< in MetricLog::parts
  Ns begin = kNoPlace;          ///< in the file's clock; in the trace's once in a Trace, where it always has a place
  Ns duration = 0;              ///< 0: it has none, and is not drawn
  std::uint32_t file = 0;       ///< in MetricLog::files
};

/// Something that happened once: a checkpoint, a validation. Without a time it lies at the end of the step before it.
struct StepMark {
  std::uint32_t name = 0;  ///< in MetricLog::names
  std::uint64_t offset = 0;
  std::uint32_t steps_before = 0;  ///< in its file
  Ns time = kNoPlace;
  std::uint32_t file = 0;
};

/// A process that printed into the log: "WorkerDict", 39290.
struct LogProcess {
  std::uint32_t name = 0;  ///< in MetricLog::names
  std::int64_t pid = 0;
  std::uint32_t file = 0;
};

struct MetricFile {
  std::uint32_t source = 0;
  std::string unit = "step";  ///< "iteration": what its numbers count
  /// How its steps were put on the clock, and on what evidence; said by step_places.h. While it is read: whose times it has.
  std::string placing;
};

struct MetricLog {
  StringTable names;
  std::vector<MetricFile> files;
  std::vector<MetricStep> steps;  ///< by file, in file order
  std::vector<MetricValue> values;
  std::vector<MetricPart> parts;
  std::vector<StepMark> marks;
  std::vector<LogProcess> processes;  ///< each once
  bool local_time = false;            ///< has times that name no zone (SourceInfo::local_time); while it is read

  bool empty() const { return files.empty(); }
  /// The steps of a file.
  std::span<const MetricStep> steps_of(std::uint32_t file) const;
  /// MetricFile::placing of a source. Empty if it is not a training log.
  std::string_view placing_of(std::size_t source) const;
  std::string_view name(std::uint32_t id) const { return names[static_cast<StrId>(id)]; }
  std::uint32_t name_id(std::string_view text) { return static_cast<std::uint32_t>(names.intern(text)); }
  /// Adds another's, its times moved by `shift`, its files' sources numbered from `source`.
  void append(const MetricLog& other, std::uint32_t source, Ns shift);
  std::size_t bytes() const;
};

}  // namespace tv
