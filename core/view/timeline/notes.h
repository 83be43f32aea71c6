// The user's notes on the timeline: marks (a moment) and measured spans (a stretch of time), each with an optional name and
// colour. Saved with a view (shown_state.h), so that they can be shared. Invariant: sorted by begin, then end; no two have the
// same time. Times are relative to the trace's origin. Cost: O(notes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace tv {

/// Plain: the colour of marks without a name.
enum class NoteColor : std::uint8_t { Plain, Red, Orange, Green, Blue, Violet, kCount };
inline constexpr std::size_t kNoteColors = static_cast<std::size_t>(NoteColor::kCount);
std::string_view name(NoteColor color);  ///< one word: "red"
std::optional<NoteColor> note_color(std::string_view word);

inline constexpr std::size_t kLongestNoteName = 1000;  ///< in bytes; a longer name is cut

struct Note {
  TimeRange time;  ///< for a mark begin == end
  std::string name = {};
  NoteColor color = NoteColor::Plain;

  bool is_span() const { return time.begin < time.end; }
  bool operator==(const Note&) const = default;
};

class Notes {
 public:
  const std::vector<Note>& all() const { return notes_; }
  bool empty() const { return notes_.empty(); }
  /// Changes with every edit and replace(), but not with carry().
  std::uint64_t version() const { return version_; }

  /// Returns the index of the note. If there is already one at that time, it stays unchanged.
  std::size_t add(Note note);
  /// Control characters become spaces.
  void rename(std::size_t index, std::string_view name);
  void recolor(std::size_t index, NoteColor color);
  void erase(std::size_t index);
  /// Restores the note that was erased last. Returns its new index; none: nothing was erased. If another note has this time now,
  /// that one is erased, and will be restored after all others.
  std::optional<std::size_t> restore();
  /// Replaces all notes, in any order.
  void replace(std::vector<Note> notes);
  /// Call when the trace's times have changed: begins become `to(begin)`, lengths stay.
  void carry(const std::function<Ns(Ns)>& to);

  std::optional<std::size_t> find(TimeRange time) const;
  /// The note in `sight` that is nearest to `t`, by its mark or by the nearer end of its span; none: no note is in sight.
  std::optional<std::size_t> nearest(double t, TimeRange sight) const;
  /// The distance from `t` to its nearer end in `sight`, in ns; infinite if no end is in sight.
  double distance(std::size_t index, double t, TimeRange sight) const;

 private:
  std::size_t insert(Note note);

  std::vector<Note> notes_, erased_;
  std::uint64_t version_ = 0;
};

/// Its name; if it has none, "mark" or "span".
std::string_view title(const Note& note);

}  // namespace tv
