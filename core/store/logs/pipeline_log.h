// The data of pipeline logs beyond slices: which device ran which job of which step and micro-batch. Each file is read in file
// order; in a Trace, files are in the order of its sources, and times are on its clock. Jobs without times or without a step are
// left out. Cost: 40 bytes per job. Source: Paddle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/text/string_table.h"
#include "core/base/time.h"

namespace tv {

/// The purpose of a job, in any schedule.
enum class PipelineWork : std::uint8_t {
  forward,
  backward,
  backward_b,  ///< gradients of the inputs only: the previous stage waits for them
  backward_w,  ///< gradients of the weights: only the optimizer waits for them
  optimizer,
  lr,
  communication,  ///< recv_forward and the like: waiting, not work
  other,
  kCount,
};
inline constexpr std::size_t kPipelineWorks = static_cast<std::size_t>(PipelineWork::kCount);
std::string_view name(PipelineWork work);
constexpr bool is_forward(PipelineWork work) { return work == PipelineWork::forward; }
constexpr bool is_backward(PipelineWork work) {
  return work == PipelineWork::backward || work == PipelineWork::backward_b || work == PipelineWork::backward_w;
}

inline constexpr std::int32_t kMostChunks = 4096;

/// A device. Each file is the log of one device.
struct PipelineDevice {
  std::uint32_t source = 0;
  /// Folder of the run, in PipelineLog::texts. Devices with logs in this folder, or in a folder of a machine below it, are one
  /// run.
  std::uint32_t folder = 0;
  std::uint32_t run = 0;                ///< name of the run, in texts
  std::uint32_t machine = 0, name = 0;  ///< in texts; `machine` is empty if the run has only one
  std::int64_t number = -1;             ///< number of the device in its machine; -1: unknown
  bool numbered = false;                ///< the log states the number of its first step; otherwise steps are counted from 0
};

struct PipelineJob {
  Ns begin = 0, end = 0;
  std::uint64_t offset = 0;  ///< of the record, as in the ItemRef of the job's slice
  std::int32_t micro_batch = 0;
  std::int32_t chunk = -1;  ///< the virtual stage, or the part of an overlapped job; -1: none
  PipelineWork work = PipelineWork::other;
};

/// One device's part of a step.
struct PipelineStep {
  std::int64_t number = 0;
  Ns begin = 0, end = 0;
  std::uint64_t offset = 0;                    ///< of the first job with times
  std::uint32_t device = 0;                    ///< in PipelineLog::devices
  std::int32_t attempt = 0;                    ///< number of the run within the file, from 0
  std::uint32_t first_job = 0, job_count = 0;  ///< in PipelineLog::jobs, in file order
};

struct PipelineLog {
  StringTable texts;
  std::vector<PipelineDevice> devices;
  std::vector<PipelineStep> steps;  ///< by device, in file order
  std::vector<PipelineJob> jobs;    ///< by step

  bool empty() const { return steps.empty(); }
  std::string_view text(std::uint32_t id) const { return texts[static_cast<StrId>(id)]; }
  std::span<const PipelineJob> jobs_of(const PipelineStep& step) const {
    return std::span(jobs).subspan(step.first_job, step.job_count);
  }
  /// Appends another log. Adds `shift` to its times, and `source` to the numbers of its sources.
  void append(const PipelineLog& other, std::uint32_t source, Ns shift);
  std::size_t bytes() const;
};

}  // namespace tv
