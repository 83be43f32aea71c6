// View files on the command line of verbs that draw nothing: a view file is replaced by the files it names, loaded as when the
// view was saved, so that numbers agree with the window.
#pragma once

#include "app/line/options.h"

namespace tv {

/// Missing files are reported on stderr. Error: a view file cannot be read, or none of its files exists. A part, clocks and
/// alignment on the command line take precedence over those of the view.
Result<void> resolve_view_files(Options& options);

}  // namespace tv
