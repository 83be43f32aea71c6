// What the status bar says about the files of a view: how many records were lost, how many were repaired, and which files end inside a
// record or could not be read. Only a view that shows something, and whose files were all read whole, is green.
// Cost: O(files and kinds of problems).
#pragma once

#include <cstdint>
#include <string>

#include "core/store/trace/trace.h"

namespace tv {

struct LossWords {
  enum class Tone : std::uint8_t { Whole, Doubtful, Lost } tone = Tone::Whole;
  std::string lost;      ///< "2 lost"
  std::string repaired;  ///< "3 repaired or skipped"; empty: none
  std::string sentences;  ///< what was repaired, the most frequent first; then what logs without a step have to show
  std::string unread;    ///< "b.json was not read", "3 files were not read": because of the machine; empty: none
  std::string early;     ///< "b.json ends early", "3 files end early"; empty: none
};

/// `growing`: the files are followed. Then a file that ends early is still being written, and is not mentioned.
LossWords loss_words(const Trace& trace, bool growing);

}  // namespace tv
