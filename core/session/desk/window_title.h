// The title of a window: the open files, "loading" until they are shown, with a star while notes are not saved.
#pragma once

#include <string>

namespace tv {

class Workspace;

/// "run_1000 and 2 more* - traceview"; "loading run_1000 - traceview"; of a view file its name; "traceview" while nothing is open.
std::string window_title(const Workspace& workspace);

}  // namespace tv
