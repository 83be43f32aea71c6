#include "core/analysis/scripts/script_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tv {

std::string ScriptFile::path() const { return fmt::format("step_{}/worker_{}.jsonl", step, worker); }

std::vector<ScriptFile> script_files(const RolloutLog& log) {
  std::vector<ScriptFile> files(log.files.size());
  for (std::uint32_t f = 0; f < files.size(); ++f) {
    files[f].file = f;
    files[f].step = log.files[f].step;
    files[f].worker = log.files[f].worker;
  }
  for (std::uint32_t r = 0; r < log.requests.size(); ++r) {
    if (log.requests[r].complete) files[log.requests[r].file].requests.push_back(r);
  }
  for (std::uint32_t p = 0; p < log.phases.size(); ++p) files[log.phases[p].file].phases.push_back(p);
  std::erase_if(files, [](const ScriptFile& file) { return file.step < 0; });
  std::ranges::stable_sort(files, {}, [](const ScriptFile& file) { return std::tuple(file.step, file.worker); });
  return files;
}

std::vector<std::int32_t> steps_of(const std::vector<ScriptFile>& files) {
  std::vector<std::int32_t> steps;
  for (const ScriptFile& file : files) steps.push_back(file.step);
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

}  // namespace tv
