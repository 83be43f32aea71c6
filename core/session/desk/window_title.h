// The title of a window: the open files, with "loading" until they are shown, and a star if there are unsaved notes.
#pragma once

#include <string>

namespace tv {

class Workspace;

/// "run_1000 and 2 more* - traceview"; "loading run_1000 - traceview"; for a view file, its name; "traceview" while nothing is
/// open.
std::string window_title(const Workspace& workspace);

}  // namespace tv
