#include "core/view/notes_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/base/natural_less.h"

namespace tv {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(NoteColumn::kCount)> kNoteColumns = {"Time", "Name", "Length"};

int compared(const Note& a, const Note& b, NoteColumn by) {
  switch (by) {
    case NoteColumn::Name: {
      if (a.name.empty() != b.name.empty()) return a.name.empty() ? 1 : -1;
      return natural_less(a.name, b.name) ? -1 : natural_less(b.name, a.name) ? 1 : 0;
    }
    case NoteColumn::Length: return a.time.length() < b.time.length() ? -1 : a.time.length() > b.time.length() ? 1 : 0;
    case NoteColumn::Time:
    case NoteColumn::kCount: break;
  }
  return a.time.begin < b.time.begin ? -1 : a.time.begin > b.time.begin ? 1 : 0;
}

}  // namespace

std::string_view name(NoteColumn column) { return kNoteColumns[static_cast<std::size_t>(column)]; }

std::vector<std::uint32_t> ordered(const std::vector<Note>& notes, NoteOrder order) {
  std::vector<std::uint32_t> out(notes.size());
  std::iota(out.begin(), out.end(), 0u);
  std::ranges::stable_sort(out, [&](std::uint32_t a, std::uint32_t b) {
    const bool nameless = order.by == NoteColumn::Name && notes[a].name.empty() != notes[b].name.empty();
    const int way = compared(notes[a], notes[b], order.by);
    return order.descending && !nameless ? way > 0 : way < 0;
  });
  return out;
}

std::string notes_tsv(const std::vector<Note>& notes, const std::vector<std::uint32_t>& order, const TimeWords& words) {
  std::string out = "time\tname\tlength\tbegin_ns\tlength_ns\n";
  for (const std::uint32_t n : order) {
    const Note& note = notes[n];
    out += fmt::format("{}\t{}\t{}\t{}\t{}\n", time_text(words, note.time.begin, 1), note.name,
                       note.is_span() ? format_exact(note.time.length()) : std::string(), note.time.begin, note.time.length());
  }
  return out;
}

}  // namespace tv
