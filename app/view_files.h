// View files on the command line of verbs without a window: what they name takes their place, read as it was when the view was saved,
// so that numbers are those of the window.
#pragma once

#include "app/line/options.h"

namespace tv {

/// What is not found is said on stderr; an error: a view file cannot be read, or nothing that it names is there. A part, clocks and an
/// alignment that the command line asks for win over those of the view.
Result<void> resolve_view_files(Options& options);

}  // namespace tv
