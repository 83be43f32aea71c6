// The view of the open files, as text that can be kept and sent: time, lanes, selection, filters, layout, how files were read,
// notes, stored views (shown_state.h). Choices of the person rather than of the files are not in it: theme, text size.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tv {

class Workspace;

/// JSON, for people too. While a state that was applied waits for files, that state.
std::string view_state_json(const Workspace& workspace);

/// Shows the view as soon as all open files have been read; opening other files first drops it. Parts that do not fit the files are
/// left out, with a notice. An error: the text is not a view, and nothing changes; or nothing is open.
/// ReadAgain: if the view was made with files read in another way (clocks, alignment, a part), they are read again in
/// that way. Keep: they stay as the user has just asked for them.
enum class ReadAs { ReadAgain, Keep };
Result<void> apply_view_state(Workspace& workspace, std::string_view json, ReadAs read = ReadAs::ReadAgain);

}  // namespace tv
