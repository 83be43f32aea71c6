#include "core/view/lists/notes_list.h"

namespace tv {

ListTable notes_table(const std::vector<Note>& notes, const TimeStyle& style) {
  ListTable table({{"name", "Name", "Its name. Rename or a double click on its flag changes it"},
                   {"begin", "Time", "When it is, or begins", ColumnKind::Time, "ns"},
                   {"length", "Length", "How long a measured span is", ColumnKind::Time, "ns"},
                   {"end", "End", "When a measured span ends", ColumnKind::Time, "ns", {}, true},
                   {"colour", "Colour", {}, ColumnKind::Text, {}, {}, true}});
  for (std::size_t n = 0; n < notes.size(); ++n) {
    const Note& note = notes[n];
    const auto time = [&](Ns t) { return ListCell{time_text(style, t, kMicrosecond), static_cast<double>(t)}; };
    ListTable::Line line;
    line.cells = {{note.name}, time(note.time.begin), {}, {}, {std::string(name(note.color))}};
    if (note.is_span()) {
      line.cells[2] = {format_exact(note.time.length()), static_cast<double>(note.time.length())};
      line.cells[3] = time(note.time.end);
    }
    if (note.name.empty()) line.cells[0].text = title(note);
    line.target = {TableTarget::Kind::Other, static_cast<std::uint32_t>(n), note.time};
    table.add(std::move(line));
  }
  return table;
}

}  // namespace tv
