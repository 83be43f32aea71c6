// A rollout's logs as verl's analysis scripts see them: a file is one worker in one step, even if several runs were appended to
// the file. Files without a step are left out. Cost: O(files log files + requests + phases).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

struct ScriptFile {
  std::uint32_t file = 0;               ///< index into RolloutLog::files
  std::int32_t step = 0, worker = 0;
  std::vector<std::uint32_t> requests;  ///< the complete ones: indices into RolloutLog::requests, in file order
  std::vector<std::uint32_t> phases;    ///< indices into RolloutLog::phases, in file order

  std::string path() const;  ///< "step_2/worker_0.jsonl"
};

/// Sorted by step, worker and file.
std::vector<ScriptFile> script_files(const RolloutLog& log);

/// The steps of `files`, rising, each once.
std::vector<std::int32_t> steps_of(const std::vector<ScriptFile>& files);

}  // namespace tv
