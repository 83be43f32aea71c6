// The data that training logs print once per step or iteration: named numbers (metrics), and the durations of consecutive parts
// of the step. Each file is read in file order; in a Trace, files are in the order of its sources. Names are as written; analyses
// know which of them mean the same.
//
// Most such logs state durations but no times, so step_places.h decides where the steps lie.
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

inline constexpr Ns kNoPlace = std::numeric_limits<Ns>::min();  ///< a time that the log does not state

struct MetricValue {
  double value = 0;        ///< may be NaN or infinite, as written
  std::uint32_t name = 0;  ///< in MetricLog::names
  /// Whether it was written as a plain number, which verl's plotting script can read, and not as np.float64(1.5).
  bool plain = true;
};

/// A part of a step. The parts of a step run one after the other, in this order.
struct MetricPart {
  std::uint32_t name = 0;  ///< in MetricLog::names: "gen"
  Ns duration = 0;
};

/// A line of metrics, or several lines that belong together.
struct MetricStep {
  std::int64_t step = 0;        ///< as printed
  std::int64_t first_step = 0;  ///< the first step that the line summarises; equals `step` if it is about one step
  std::uint32_t source = 0;
  std::uint64_t offset = 0;     ///< of the line
  std::uint32_t first_value = 0, value_count = 0;  ///< in MetricLog::values
  std::uint32_t first_part = 0, part_count = 0;    ///< in MetricLog::parts
  Ns begin = kNoPlace;          ///< in the file's clock; in a Trace, in the trace's clock and never kNoPlace
  Ns duration = 0;              ///< 0: unknown; the step is then drawn as a mark
  std::uint32_t file = 0;       ///< in MetricLog::files
};

/// An event between steps: a checkpoint, a validation. If its time is unknown, it is put at the end of the previous step.
struct StepMark {
  std::uint32_t name = 0;  ///< in MetricLog::names
  std::uint64_t offset = 0;
  std::uint32_t steps_before = 0;  ///< the number of earlier steps in the file
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
  std::string unit = "step";  ///< what the numbers of steps count: "step" or "iteration"
  /// How the steps were placed, with the evidence (step_places.h). While the file is read: where its times come from.
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
  bool local_time = false;            ///< some times have no zone (SourceInfo::local_time); only used while files are read

  bool empty() const { return files.empty(); }
  /// The steps of a file.
  std::span<const MetricStep> steps_of(std::uint32_t file) const;
  /// MetricFile::placing of a source. Empty if the source is not a training log.
  std::string_view placing_of(std::size_t source) const;
  std::string_view name(std::uint32_t id) const { return names[static_cast<StrId>(id)]; }
  std::uint32_t name_id(std::string_view text) { return static_cast<std::uint32_t>(names.intern(text)); }
  /// Appends another log. Adds `shift` to its times, and `source` to the numbers of its sources.
  void append(const MetricLog& other, std::uint32_t source, Ns shift);
  std::size_t bytes() const;
};

}  // namespace tv
