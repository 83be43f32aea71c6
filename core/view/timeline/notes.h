// The user's notes on the timeline: marks (a moment) and measured spans (a stretch of time), each with an optional name and
// colour. Kept with a view (shown_state.h), so that they can be sent to others.
// Invariant: by begin, then end; no two of the same time. Times are relative to the trace's origin. Cost: O(notes).
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

/// Plain: as marks without a name are drawn.
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
  /// Differs after every change by the user; not when times are carried over.
  std::uint64_t version() const { return version_; }

  /// Where it stands then; of a time that has one already that stays as it is.
  std::size_t add(Note note);
  /// Control characters become blanks.
  void rename(std::size_t index, std::string_view name);
  void recolor(std::size_t index, NoteColor color);
  void erase(std::size_t index);
  /// Puts back the note that was erased last. Returns its new index; none: nothing was erased.
  std::optional<std::size_t> restore();
  /// Replaces all notes, in any order.
  void replace(std::vector<Note> notes);
  /// The trace's times have moved: begins go to `to(begin)`, lengths stay.
  void carry(const std::function<Ns(Ns)>& to);

  std::optional<std::size_t> find(TimeRange time) const;
  /// The mark, or of a span the nearer end, that is nearest to `t`, of those in `sight`; none: there are none.
  std::optional<std::size_t> nearest(double t, TimeRange sight) const;
  /// From `t` to it, in ns.
  double distance(std::size_t index, double t, TimeRange sight) const;

 private:
  std::size_t insert(Note note);

  std::vector<Note> notes_, erased_;
  std::uint64_t version_ = 0;
};

/// "A name", or of one without "mark", "span".
std::string_view title(const Note& note);

}  // namespace tv
