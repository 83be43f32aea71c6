// A part of the opened files, as typed on the command line or in a dialog.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/store/draft/load_choice.h"

namespace tv {

/// "1.5ms..2.5ms", "10s..20s", "..3s", "3s..".
Result<TimeRange> parse_range(const std::string& text);

/// Ranks "0..3,7", steps "60..70", a time range; an empty text selects all. Surrounding blanks are ignored.
Result<LoadChoice> load_part(const std::string& ranks, const std::string& steps, const std::string& range);

}  // namespace tv
