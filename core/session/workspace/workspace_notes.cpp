// Marks and measured spans: made, named, deleted and put back.
#include <algorithm>
#include <cmath>

#include "core/session/workspace/workspace.h"

namespace tv {
namespace {

constexpr double kMarkGrip_px = 3;   // how near to a mark the mouse is on it
constexpr double kNoteGrip_px = 8;   // and on a note, to name it

}  // namespace

void Workspace::forget_notes() {
  notes_.begin_with({});
  views_.stored = {};
  views_.file.clear();
}

// Where the mouse is; with the mouse elsewhere, at the begin of what is selected. A second time at the same place, as a hand can
// tell, takes it away; but not what somebody has given a name.
void Workspace::on(const command::AddMark& c) {
  std::optional<Ns> t = c.t;
  const double grip = t ? 0 : motion_.view.current.span / static_cast<double>(halves_.geometry.width_px) * kMarkGrip_px;
  if (!t && pointer_.on_timeline) t = static_cast<Ns>(std::llround(*pointer_.on_timeline));
  if (!t && selection_.has_slice()) t = trace().begin_of(selection_.slice);
  if (!t) return;
  std::optional<std::size_t> near;
  double least = HUGE_VAL;
  for (std::size_t n = 0; n < notes_.all().size(); ++n) {
    const Note& note = notes_.all()[n];
    const double distance = std::abs(static_cast<double>(note.time.begin - *t));
    if (note.is_span() || distance > grip || distance >= least) continue;
    near = n;
    least = distance;
  }
  notes_.naming.reset();
  if (!near) {
    notes_.list.add({{*t, *t}});
  } else if (notes_.all()[*near].name.empty()) {
    notes_.list.erase(*near);
  } else {
    notice_ = "this mark has a name: Delete removes it";
  }
}

void Workspace::on(const command::KeepSpan&) {
  const auto time = selected_time();
  if (!time || time->empty()) return;
  notes_.naming.reset();
  notes_.list.add({*time});
}

// The nearest of those in sight: nobody wants to lose one that is not.
void Workspace::on(const command::DeleteMark&) {
  const Viewport view = this->view(pointer_.half);
  const TimeRange sight = range_of(view);
  const double at = std::clamp(pointer_.on_timeline.value_or((view.begin + view.end()) / 2), view.begin, view.end());
  if (const auto nearest = notes_.list.nearest(at, sight)) on(command::EditNote{command::EditNote::What::Delete, nearest});
}

std::size_t Workspace::mark_here() {
  const Ns t = pointer_.on_timeline ? static_cast<Ns>(std::llround(*pointer_.on_timeline)) : trace().begin_of(selection_.slice);
  return notes_.list.add({{t, t}});
}

// The one under the mouse, or a new one there; with the mouse elsewhere that of the selection, or the nearest in sight.
std::optional<std::size_t> Workspace::note_meant() {
  const Viewport view = this->view(pointer_.half);
  const double ns_per_px = view.span / static_cast<double>(halves_.geometry.width_px);
  const TimeRange sight = range_of(view);
  if (pointer_.on_timeline) {
    const auto nearest = notes_.list.nearest(*pointer_.on_timeline, sight);
    if (nearest && notes_.list.distance(*nearest, *pointer_.on_timeline, sight) <= kNoteGrip_px * ns_per_px) return nearest;
    return mark_here();
  }
  if (const auto time = selected_time()) {
    if (const auto known = notes_.list.find(*time)) return known;
    if (selection_.has_slice()) return mark_here();
  }
  return notes_.list.nearest((view.begin + view.end()) / 2, sight);
}

void Workspace::on(const command::EditNote& edit) {
  using What = command::EditNote::What;
  const auto named = edit.index && *edit.index < notes_.all().size() ? edit.index : std::nullopt;
  switch (edit.what) {
    case What::AskName:
      notes_.naming = named ? named : note_meant();
      if (!notes_.naming) notice_ = "there is no mark in sight: M makes one where the mouse is";
      return;
    case What::StopAsking:
      notes_.naming.reset();
      return;
    case What::Rename:
      notes_.naming.reset();
      if (named) notes_.list.rename(*named, edit.name);
      return;
    case What::Recolor:
      if (named) notes_.list.recolor(*named, edit.color);
      return;
    case What::Delete: {
      if (!named) return;
      const Note gone = notes_.all()[*named];
      notes_.naming.reset();
      notes_.list.erase(*named);
      if (!gone.name.empty()) notice_ = "\"" + gone.name + "\" is deleted: Ctrl+Z brings it back";
      return;
    }
    case What::Restore: {
      notes_.naming.reset();
      const auto back = notes_.list.restore();
      if (!back) notice_ = "no mark or span was deleted";
      if (back && notes_.list.nearest(0, range_of(view(pointer_.half))) == std::nullopt) on(command::EditNote{What::GoTo, back});
      return;
    }
    case What::GoTo: {
      if (!named) return;
      const TimeRange time = notes_.all()[*named].time;
      if (!time.empty()) return fit_to(time);
      return go(center_on(motion_.view.target, static_cast<double>(time.begin - later(pointer_.half)), reach()));
    }
  }
}

}  // namespace tv
