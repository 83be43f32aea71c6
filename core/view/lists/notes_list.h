// The notes as a table: a row per mark or measured span; choosing a row goes to it. Times are in the window's format; in files they
// are nanoseconds since the trace's beginning. Cost: O(notes), when notes or the time format change.
#pragma once

#include <vector>

#include "core/view/table/list_table.h"
#include "core/view/timeline/notes.h"
#include "core/view/words/time_style.h"

namespace tv {

/// Rows are the notes, in their order; the target of kind Other has the index of the note.
ListTable notes_table(const std::vector<Note>& notes, const TimeStyle& style);

}  // namespace tv
