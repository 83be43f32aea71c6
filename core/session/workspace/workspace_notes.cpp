// Marks and measured spans: making, naming, deleting and restoring them.
#include <algorithm>
#include <cmath>

#include "core/session/workspace/workspace.h"
#include "core/view/keys/keymap.h"

namespace tv {
namespace {

constexpr double kMarkGrip_px = 3;  // the mouse hits a mark within this distance
constexpr double kNoteGrip_px = 8;  // the same for a note to be named

}  // namespace

void Workspace::forget_notes() {
  state_.notes.begin_with({});
  state_.views.stored = {};
  state_.views.file.clear();
}

// Adds a mark at the given time, else at the mouse, else at the begin of the selected slice. If there is an unnamed mark already
// (within a few pixels of the mouse or the begin), removes this mark instead.
void Workspace::on(const command::AddMark& c) {
  std::optional<Ns> t = c.t;
  const double grip = t ? 0 : state_.motion.view.current.span / static_cast<double>(state_.halves.geometry.width_px) * kMarkGrip_px;
  if (!t && state_.pointer.on_timeline) t = static_cast<Ns>(std::llround(*state_.pointer.on_timeline));
  if (!t && state_.selection.has_slice()) t = trace().begin_of(state_.selection.slice);
  if (!t) return;
  std::optional<std::size_t> near;
  double least = HUGE_VAL;
  for (std::size_t n = 0; n < state_.notes.all().size(); ++n) {
    const Note& note = state_.notes.all()[n];
    const double distance = std::abs(static_cast<double>(note.time.begin - *t));
    if (note.is_span() || distance > grip || distance >= least) continue;
    near = n;
    least = distance;
  }
  state_.notes.naming.reset();
  if (!near) {
    state_.notes.list.add({{*t, *t}});
  } else if (state_.notes.all()[*near].name.empty()) {
    state_.notes.list.erase(*near);
  } else {
    notice_ = "this mark has a name" + around_key(Action::DeleteMark, ": ", " removes it");
  }
}

void Workspace::on(const command::KeepSpan&) {
  const auto time = selected_time();
  if (!time || time->empty()) return;
  state_.notes.naming.reset();
  state_.notes.list.add({*time});
}

// Deletes the nearest note in sight. A note out of sight must not be lost by accident.
void Workspace::on(const command::DeleteMark&) {
  const Viewport view = state_.view(state_.pointer.half);
  const TimeRange sight = range_of(view);
  const double at = std::clamp(state_.pointer.on_timeline.value_or((view.begin + view.end()) / 2), view.begin, view.end());
  if (const auto nearest = state_.notes.list.nearest(at, sight)) on(command::EditNote{command::EditNote::What::Delete, nearest});
}

std::size_t Workspace::mark_here() {
  const Ns t = state_.pointer.on_timeline ? static_cast<Ns>(std::llround(*state_.pointer.on_timeline)) : trace().begin_of(state_.selection.slice);
  return state_.notes.list.add({{t, t}});
}

// The note under the mouse, or a new one there. With the mouse elsewhere: the note of the selection, a new one for a selected
// slice, or the nearest in sight.
std::optional<std::size_t> Workspace::note_meant() {
  const Viewport view = state_.view(state_.pointer.half);
  const double ns_per_px = view.span / static_cast<double>(state_.halves.geometry.width_px);
  const TimeRange sight = range_of(view);
  if (state_.pointer.on_timeline) {
    const auto nearest = state_.notes.list.nearest(*state_.pointer.on_timeline, sight);
    if (nearest && state_.notes.list.distance(*nearest, *state_.pointer.on_timeline, sight) <= kNoteGrip_px * ns_per_px) return nearest;
    return mark_here();
  }
  if (const auto time = selected_time()) {
    if (const auto known = state_.notes.list.find(*time)) return known;
    if (state_.selection.has_slice()) return mark_here();
  }
  return state_.notes.list.nearest((view.begin + view.end()) / 2, sight);
}

void Workspace::on(const command::EditNote& edit) {
  using What = command::EditNote::What;
  const auto named = edit.index && *edit.index < state_.notes.all().size() ? edit.index : std::nullopt;
  switch (edit.what) {
    case What::AskName:
      state_.notes.naming = named ? named : note_meant();
      if (!state_.notes.naming) notice_ = "there is no mark in sight: M makes one where the mouse is";
      return;
    case What::StopAsking:
      state_.notes.naming.reset();
      return;
    case What::Rename:
      state_.notes.naming.reset();
      if (named) state_.notes.list.rename(*named, edit.name);
      return;
    case What::Recolor:
      if (named) state_.notes.list.recolor(*named, edit.color);
      return;
    case What::Delete: {
      if (!named) return;
      const Note gone = state_.notes.all()[*named];
      state_.notes.naming.reset();
      state_.notes.list.erase(*named);
      if (gone.name.empty()) return;
      notice_ = "\"" + gone.name + "\" is deleted" + around_key(Action::RestoreNote, ": ", " brings it back");
      return;
    }
    case What::Restore: {
      state_.notes.naming.reset();
      const auto back = state_.notes.list.restore();
      if (!back) notice_ = "no mark or span was deleted";
      const TimeRange sight = range_of(state_.view(state_.pointer.half));
      if (back && state_.notes.list.distance(*back, 0, sight) == HUGE_VAL) on(command::EditNote{What::GoTo, back});
      return;
    }
    case What::GoTo: {
      if (!named) return;
      const TimeRange time = state_.notes.all()[*named].time;
      if (!time.empty()) return fit_to(time);
      return go(center_on(state_.motion.view.target, static_cast<double>(time.begin - later(state_.pointer.half)), reach()));
    }
  }
}

}  // namespace tv
