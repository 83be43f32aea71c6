// The notes on the open files, whether they are saved, and which note is being named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/view/timeline/notes.h"

namespace tv {

struct NotesState {
  Notes list;
  std::uint64_t saved_version = 0;
  std::optional<std::size_t> naming;  ///< none: no note is being named

  const std::vector<Note>& all() const { return list.all(); }
  bool empty() const { return list.empty(); }
  bool unsaved() const { return list.version() != saved_version; }
  /// Starts with the notes of a file, as saved ones.
  void begin_with(std::vector<Note> notes) {
    list.replace(std::move(notes));
    saved_version = list.version();
    naming.reset();
  }
  /// The times of notes on a moment.
  std::vector<Ns> marks() const {
    std::vector<Ns> out;
    for (const Note& note : all()) {
      if (!note.is_span()) out.push_back(note.time.begin);
    }
    return out;
  }
  /// The times of notes on a stretch of time.
  std::vector<TimeRange> spans() const {
    std::vector<TimeRange> out;
    for (const Note& note : all()) {
      if (note.is_span()) out.push_back(note.time);
    }
    return out;
  }
};

}  // namespace tv
