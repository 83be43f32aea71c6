// View files on the command line of verbs that draw nothing. A view file is replaced by the files that it names. These are loaded
// as they were when the view was saved, so that the numbers agree with the window.
#pragma once

#include "app/line/options.h"

namespace tv {

/// Reports missing and changed files on stderr. Error: a view file cannot be read, or none of the files that it names exists. A
/// part, clocks or an alignment on the command line take precedence over those of the view.
Result<void> resolve_view_files(Options& options);

}  // namespace tv
