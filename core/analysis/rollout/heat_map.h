// A number for each worker in each step. A stripe has a systematic cause (how prompts are distributed), a lone dot is chance.
// Invariant: steps x workers values, worker by worker; NaN if the worker has no file in the step, or if the measure is not
// defined (see HeatMeasure). Several files of one worker in one step count as one.
// Cost: O(requests log requests) for all measures together, 0.07 s for 400,000.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"

namespace tv {

enum class HeatMeasure : std::uint8_t {
  Busy,             ///< percent of the step's length with at least one request of the worker in flight
  Tail,             ///< seconds from when half of its requests had completed to when all had; NaN without requests
  Tokens,           ///< tokens generated for its requests; NaN if none of them has logged tokens
  Wait,             ///< seconds in barrier_wait; NaN without such a line
  Requests,         ///< number of completed requests
  TokensPerSecond,  ///< of engine calls with logged tokens: tokens / seconds with at least one call in flight; NaN without calls
  kCount,
};
inline constexpr std::size_t kHeatMeasures = static_cast<std::size_t>(HeatMeasure::kCount);
std::string_view name(HeatMeasure measure);
/// The measure in one word: "tail".
std::string_view word_of(HeatMeasure measure);
std::optional<HeatMeasure> heat_measure(std::string_view word);
/// The meaning of the measure, in a sentence.
std::string_view meaning(HeatMeasure measure);

struct HeatMap {
  static constexpr std::uint32_t kNoFile = UINT32_MAX;

  std::size_t steps = 0, workers = 0;
  std::array<std::vector<double>, kHeatMeasures> value;
  std::vector<std::uint32_t> worker_step;  ///< index of the cell's first file in Rollout::worker_steps, or kNoFile

  std::size_t cell(std::size_t worker, std::size_t step) const { return worker * steps + step; }
  const std::vector<double>& of(HeatMeasure m) const { return value[static_cast<std::size_t>(m)]; }
};

HeatMap heat_map(const Rollout& rollout);
/// Only for these requests, but with all barrier waits of the workers.
HeatMap heat_map(const Rollout& rollout, const RequestSet& among);
/// One step, by worker. O(requests + requests of the step * log requests).
std::vector<double> heat_of_workers(const Rollout& rollout, HeatMeasure measure, std::uint32_t step);

}  // namespace tv
