#include "core/view/timeline/notes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/text/utf8.h"

namespace tv {
namespace {

constexpr std::array<std::string_view, kNoteColors> kNoteColorNames = {"plain", "red", "orange", "green", "blue", "violet"};
constexpr std::size_t kMostErased = 100;  // notes that can be restored

bool note_before(const Note& a, const Note& b) {
  return a.time.begin != b.time.begin ? a.time.begin < b.time.begin : a.time.end < b.time.end;
}

// Makes a name one line of valid UTF-8 of limited length.
std::string note_line(std::string_view name) {
  std::string out(utf8_prefix(name, kLongestNoteName));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  out.erase(0, std::min(out.find_first_not_of(' '), out.size()));
  return valid_utf8(out);
}

}  // namespace

std::string_view name(NoteColor color) { return kNoteColorNames[static_cast<std::size_t>(color)]; }

std::optional<NoteColor> note_color(std::string_view word) {
  const auto at = std::ranges::find(kNoteColorNames, word);
  if (at == kNoteColorNames.end()) return std::nullopt;
  return static_cast<NoteColor>(at - kNoteColorNames.begin());
}

std::string_view title(const Note& note) {
  if (!note.name.empty()) return note.name;
  return note.is_span() ? "span" : "mark";
}

std::size_t Notes::insert(Note note) {
  note.name = note_line(note.name);
  const auto at = std::ranges::lower_bound(notes_, note, note_before);
  const auto index = static_cast<std::size_t>(at - notes_.begin());
  if (at != notes_.end() && at->time == note.time) return index;
  notes_.insert(at, std::move(note));
  return index;
}

std::size_t Notes::add(Note note) {
  const std::size_t before = notes_.size(), index = insert(std::move(note));
  if (notes_.size() > before) ++version_;
  return index;
}

void Notes::rename(std::size_t index, std::string_view name) {
  if (index >= notes_.size()) return;
  std::string line = note_line(name);
  if (notes_[index].name == line) return;
  notes_[index].name = std::move(line);
  ++version_;
}

void Notes::recolor(std::size_t index, NoteColor color) {
  if (index >= notes_.size() || notes_[index].color == color) return;
  notes_[index].color = color;
  ++version_;
}

void Notes::erase(std::size_t index) {
  if (index >= notes_.size()) return;
  if (erased_.size() == kMostErased) erased_.erase(erased_.begin());
  erased_.push_back(std::move(notes_[index]));
  notes_.erase(notes_.begin() + static_cast<std::ptrdiff_t>(index));
  ++version_;
}

std::optional<std::size_t> Notes::restore() {
  if (erased_.empty()) return std::nullopt;
  Note note = std::move(erased_.back());
  erased_.pop_back();
  if (const auto same_time = find(note.time)) {
    erased_.insert(erased_.begin(), std::move(notes_[*same_time]));  // makes room, because no two notes have the same time; restored last
    notes_.erase(notes_.begin() + static_cast<std::ptrdiff_t>(*same_time));
  }
  ++version_;
  return insert(std::move(note));
}

void Notes::replace(std::vector<Note> notes) {
  notes_.clear();
  erased_.clear();
  for (Note& note : notes) insert(std::move(note));
  ++version_;
}

void Notes::carry(const std::function<Ns(Ns)>& to) {
  for (std::vector<Note>* list : {&notes_, &erased_}) {
    for (Note& note : *list) {
      const Ns length = note.time.length();
      note.time.begin = to(note.time.begin);
      note.time.end = note.time.begin + length;
    }
  }
  std::ranges::stable_sort(notes_, note_before);
  // If runs overlap now, two notes may have the same time. One is dropped.
  const auto same_time = [](const Note& a, const Note& b) { return a.time == b.time; };
  notes_.erase(std::unique(notes_.begin(), notes_.end(), same_time), notes_.end());
}

std::optional<std::size_t> Notes::find(TimeRange time) const {
  const auto at = std::ranges::find(notes_, time, &Note::time);
  if (at == notes_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - notes_.begin());
}

double Notes::distance(std::size_t index, double t, TimeRange sight) const {
  const auto to = [&](Ns end) {
    return end < sight.begin || end > sight.end ? HUGE_VAL : std::abs(static_cast<double>(end) - t);
  };
  const TimeRange& time = notes_[index].time;
  return std::min(to(time.begin), to(time.end));
}

std::optional<std::size_t> Notes::nearest(double t, TimeRange sight) const {
  std::optional<std::size_t> best;
  double least = HUGE_VAL;
  for (std::size_t n = 0; n < notes_.size(); ++n) {
    const double d = distance(n, t, sight);
    // A mark wins over a span at the same distance, because a span has another end to pick it at.
    if (d < least || (d == least && best && notes_[*best].is_span() && !notes_[n].is_span())) {
      least = d;
      best = n;
    }
  }
  return least < HUGE_VAL ? best : std::nullopt;
}

}  // namespace tv
