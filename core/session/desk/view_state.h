// The view of the open files, as text that can be stored and sent: time, lanes, selection, filters, layout, read settings, notes,
// stored views (shown_state.h). It leaves out choices of the user that are independent of the files: theme, text size.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tv {

class Workspace;

/// Readable JSON. While an applied state waits for its files, it is that state.
std::string view_state_json(const Workspace& workspace);

/// Shows the view as soon as all open files have been read; opening other files first drops it. Parts that do not fit the files
/// are left out, with a notice. An error if the text is not a view, or nothing is open; nothing changes then.
/// ReadAgain: if the view was made with other read settings (clocks, alignment, a part), the files are read again with these.
/// Keep: the files stay as they were read.
enum class ReadAs { ReadAgain, Keep };
Result<void> apply_view_state(Workspace& workspace, std::string_view json, ReadAs read = ReadAs::ReadAgain);

}  // namespace tv
