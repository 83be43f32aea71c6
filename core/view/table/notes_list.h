// The notes as a table: a row per mark or measured span, which leads to it. Times are as the window writes them, in files
// nanoseconds from the trace's beginning. Cost: O(notes), when notes or the way of writing times change.
#pragma once

#include <vector>

#include "core/view/table/list_table.h"
#include "core/view/timeline/notes.h"
#include "core/view/words/time_words.h"

namespace tv {

/// Rows are the notes, in their order; the target of kind Other has the index of the note.
ListTable notes_table(const std::vector<Note>& notes, const TimeWords& words);

}  // namespace tv
