// What a view lacks of its files, as the status bar says it: what was lost, what was repaired, and which files end inside a record.
// Green is only what was read whole. Cost: O(files and kinds of problems).
#pragma once

#include <cstdint>
#include <string>

#include "core/store/trace/trace.h"

namespace tv {

struct LossWords {
  enum class Tone : std::uint8_t { Whole, Doubtful, Lost } tone = Tone::Whole;
  std::string lost;      ///< "2 lost"
  std::string repaired;  ///< "3 repaired or skipped"; empty: none
  std::string early;     ///< "b.json ends early", "3 files end early"; empty: none
};

/// `growing`: files are followed, so one that ends early is still being written.
LossWords loss_words(const Trace& trace, bool growing);

}  // namespace tv
