// Texts of the status bar about the files of a view: how many records were lost or repaired, and which files end inside a record
// or could not be read. A view is green only if it is not empty and all of its files were read completely, without repairs. Cost:
// O(files and kinds of problems).
#pragma once

#include <cstdint>
#include <string>

#include "core/store/trace/trace.h"

namespace tv {

struct LossSummary {
  enum class Tone : std::uint8_t { Whole, Doubtful, Lost } tone = Tone::Whole;
  std::string lost;      ///< "2 lost"
  std::string repaired;  ///< "3 repaired or skipped"; empty: none
  std::string sentences; ///< what was repaired, the most frequent first; then why a log has no steps yet, or how many such logs
  std::string unread;    ///< "b.json was not read", "3 files were not read", because of a system error; empty: none
  std::string early;     ///< "b.json ends early", "3 files end early"; empty: none
};

/// `growing`: the files are followed. A file that ends early is then still being written, and is not mentioned.
LossSummary loss_summary(const Trace& trace, bool growing);

}  // namespace tv
