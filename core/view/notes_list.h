// The notes as a list: in which order, and as text for a spreadsheet. Cost: O(notes log notes), when notes or the order change.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/view/notes.h"
#include "core/view/time_words.h"

namespace tv {

enum class NoteColumn : std::uint8_t { Time, Name, Length, kCount };
std::string_view name(NoteColumn column);

struct NoteOrder {
  NoteColumn by = NoteColumn::Time;
  bool descending = false;
  bool operator==(const NoteOrder&) const = default;
};

/// Indices of notes. Names naturally (10 after 9), those without one last; what is equal by time.
std::vector<std::uint32_t> ordered(const std::vector<Note>& notes, NoteOrder order);

/// A head, and a line per note: time as it is written in the window, name, length; and both times in ns.
std::string notes_tsv(const std::vector<Note>& notes, const std::vector<std::uint32_t>& order, const TimeWords& words);

}  // namespace tv
