// What a window shows of what is open, as text that can be kept and sent: time, lanes, selection, filters, layout, how files were read,
// notes, stored views (shown_state.h). Not what belongs to the person rather than to the files: theme, text size.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tv {

class Workspace;

/// JSON, for people too. While a state that was applied waits for files, that state.
std::string view_state_json(const Workspace& workspace);

/// Shows it as soon as all that is open has been read; opening something else first forgets it. What does not fit what is open is
/// left out and said as a notice. An error: it is no such text, and nothing changes; or nothing is open.
/// ReadAgain: where it says that files are read in another way than they were (clocks, alignment, a part), they are read again in
/// that way. Keep: they stay as the user has just asked for them.
enum class ReadAs { ReadAgain, Keep };
Result<void> apply_view_state(Workspace& workspace, std::string_view json, ReadAs read = ReadAs::ReadAgain);

}  // namespace tv
