// Turns the view of the open files into text that can be stored and sent, and back: time, lanes, selection, filters, layout, read
// settings, notes, stored views (shown_state.h). Leaves out the user's choices that do not depend on the files, such as theme and
// text size.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tv {

class Workspace;

/// Readable JSON. While an applied state waits for its files, returns that state.
std::string view_state_json(const Workspace& workspace);

/// What happens if the view was made with other read settings (clocks, alignment, a part). ReadAgain: the files are read again
/// with the settings of the view. Keep: the files stay as they were read.
enum class ReadAs { ReadAgain, Keep };
/// Shows the view as soon as all open files have been read; opening other files before that drops it. Parts that do not fit the
/// files are left out, with a notice. An error, without any change, if the text is not a view or nothing is open.
Result<void> apply_view_state(Workspace& workspace, std::string_view json, ReadAs read = ReadAs::ReadAgain);

}  // namespace tv
