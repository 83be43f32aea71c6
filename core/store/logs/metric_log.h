// What training logs print once per step or iteration: metrics, by name, as numbers, and the consecutive parts of the step's time.
// Filled file by file while reading, in file order; in a Trace, files are in the order of its sources. Names are as written;
// analyses know which of them mean the same.
//
// Most such logs state durations but no times: the Trace builder decides where a step lies (step_places.h).
// Cost: 16 bytes per value, 72 per step. Source: verl's console, verl's file logger, Megatron-LM.
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

inline constexpr Ns kNoPlace = std::numeric_limits<Ns>::min();  ///< the log does not say when

struct MetricValue {
  double value = 0;  ///< NaN and infinities as written
  std::uint32_t name = 0;  ///< in MetricLog::names
  /// Written as a plain number, which verl's plotting script can read; not as np.float64(1.5).
  bool plain = true;
};

/// One of the durations of a step; the parts of a step follow each other in the order of the log's phases.
struct MetricPart {
  std::uint32_t name = 0;  ///< in MetricLog::names: "gen"
  Ns duration = 0;
};

/// One line of metrics, or the lines that belong together.
struct MetricStep {
  std::int64_t step = 0;        ///< as printed
  std::int64_t first_step = 0;  ///< first of the steps that the line summarises; equals `step` for a single step
  std::uint32_t source = 0;
  std::uint64_t offset = 0;     ///< of its line
  std::uint32_t first_value = 0, value_count = 0;  ///< in MetricLog::values
  std::uint32_t first_part = 0, part_count = 0;    ///< in MetricLog::parts
  Ns begin = kNoPlace;          ///< in the file's clock; in a Trace, in the trace's clock and never kNoPlace
  Ns duration = 0;              ///< 0: unknown; the step is not drawn
  std::uint32_t file = 0;       ///< in MetricLog::files
};

/// A single event: a checkpoint, a validation. Without a time it lies at the end of the preceding step.
struct StepMark {
  std::uint32_t name = 0;  ///< in MetricLog::names
  std::uint64_t offset = 0;
  std::uint32_t steps_before = 0;  ///< the number of earlier steps in its file
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
  std::string unit = "step";  ///< what its numbers count, such as "iteration"
  /// How its steps were placed, with the evidence (step_places.h). While it is read: the origin of its times.
  std::string placing;
};

struct MetricLog {
  StringTable names;
  std::vector<MetricFile> files;
  std::vector<MetricStep> steps;  ///< by file, in file order
  std::vector<MetricValue> values;
  std::vector<MetricPart> parts;
  std::vector<StepMark> marks;
  std::vector<LogProcess> processes;  ///< unique
  bool local_time = false;            ///< has times without a zone (SourceInfo::local_time); used while reading

  bool empty() const { return files.empty(); }
  /// The steps of a file.
  std::span<const MetricStep> steps_of(std::uint32_t file) const;
  /// MetricFile::placing of a source. Empty if it is not a training log.
  std::string_view placing_of(std::size_t source) const;
  std::string_view name(std::uint32_t id) const { return names[static_cast<StrId>(id)]; }
  std::uint32_t name_id(std::string_view text) { return static_cast<std::uint32_t>(names.intern(text)); }
  /// Appends another log; its times are shifted by `shift`, its files' sources are numbered from `source`.
  void append(const MetricLog& other, std::uint32_t source, Ns shift);
  std::size_t bytes() const;
};

}  // namespace tv
