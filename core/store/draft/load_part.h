// Parses which part of the opened files to load, as typed on the command line or in a dialog.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/store/draft/load_choice.h"

namespace tv {

/// Parses "1.5ms..2.5ms", "10s..20s", "..3s", "3s..".
Result<TimeRange> parse_range(const std::string& text);

/// Parses ranks "0..3,7", steps "60..70" and a time range. An empty text selects everything. Ignores blanks around a text.
Result<LoadChoice> load_part(const std::string& ranks, const std::string& steps, const std::string& range);

}  // namespace tv
