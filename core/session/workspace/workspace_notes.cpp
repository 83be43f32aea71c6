// Marks and measured spans: made, named, deleted and put back.
#include <algorithm>
#include <cmath>

#include "core/session/workspace/workspace.h"

namespace tv {
namespace {

constexpr double kMarkGrip_px = 3;   // how near to a mark the mouse is on it
constexpr double kNoteGrip_px = 8;   // and on a note, to name it

}  // namespace

std::vector<Ns> Workspace::marks() const {
  std::vector<Ns> out;
  for (const Note& note : notes_.all()) {
    if (!note.is_span()) out.push_back(note.time.begin);
  }
  return out;
}

std::vector<TimeRange> Workspace::spans() const {
  std::vector<TimeRange> out;
  for (const Note& note : notes_.all()) {
    if (note.is_span()) out.push_back(note.time);
  }
  return out;
}

void Workspace::forget_notes() {
  notes_.replace({});
  saved_notes_ = notes_.version();
  naming_.reset();
  stored_ = {};
  view_file_.clear();
}

// Where the mouse is; with the mouse elsewhere, at the begin of what is selected. A second time at the same place, as a hand can
// tell, takes it away; but not what somebody has given a name.
void Workspace::on(const command::AddMark& c) {
  std::optional<Ns> t = c.t;
  const double grip = t ? 0 : view_.current.span / static_cast<double>(geometry_.width_px) * kMarkGrip_px;
  if (!t && mouse_t_) t = static_cast<Ns>(std::llround(*mouse_t_));
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
  naming_.reset();
  if (!near) {
    notes_.add({{*t, *t}});
  } else if (notes_.all()[*near].name.empty()) {
    notes_.erase(*near);
  } else {
    notice_ = "this mark has a name: Delete removes it";
  }
}

void Workspace::on(const command::KeepSpan&) {
  const auto time = selected_time();
  if (!time || time->empty()) return;
  naming_.reset();
  notes_.add({*time});
}

// The nearest of those in sight: nobody wants to lose one that is not.
void Workspace::on(const command::DeleteMark&) {
  const Viewport view = this->view(mouse_half_);
  const TimeRange sight = range_of(view);
  const double at = std::clamp(mouse_t_.value_or((view.begin + view.end()) / 2), view.begin, view.end());
  if (const auto nearest = notes_.nearest(at, sight)) on(command::EditNote{command::EditNote::What::Delete, nearest});
}

std::size_t Workspace::mark_here() {
  const Ns t = mouse_t_ ? static_cast<Ns>(std::llround(*mouse_t_)) : trace().begin_of(selection_.slice);
  return notes_.add({{t, t}});
}

// The one under the mouse, or a new one there; with the mouse elsewhere that of the selection, or the nearest in sight.
std::optional<std::size_t> Workspace::note_meant() {
  const Viewport view = this->view(mouse_half_);
  const double ns_per_px = view.span / static_cast<double>(geometry_.width_px);
  const TimeRange sight = range_of(view);
  if (mouse_t_) {
    const auto nearest = notes_.nearest(*mouse_t_, sight);
    if (nearest && notes_.distance(*nearest, *mouse_t_, sight) <= kNoteGrip_px * ns_per_px) return nearest;
    return mark_here();
  }
  if (const auto time = selected_time()) {
    if (const auto known = notes_.find(*time)) return known;
    if (selection_.has_slice()) return mark_here();
  }
  return notes_.nearest((view.begin + view.end()) / 2, sight);
}

void Workspace::on(const command::EditNote& edit) {
  using What = command::EditNote::What;
  const auto named = edit.index && *edit.index < notes_.all().size() ? edit.index : std::nullopt;
  switch (edit.what) {
    case What::AskName:
      naming_ = named ? named : note_meant();
      if (!naming_) notice_ = "there is no mark in sight: M makes one where the mouse is";
      return;
    case What::StopAsking:
      naming_.reset();
      return;
    case What::Rename:
      naming_.reset();
      if (named) notes_.rename(*named, edit.name);
      return;
    case What::Recolor:
      if (named) notes_.recolor(*named, edit.color);
      return;
    case What::Delete: {
      if (!named) return;
      const Note gone = notes_.all()[*named];
      naming_.reset();
      notes_.erase(*named);
      if (!gone.name.empty()) notice_ = "\"" + gone.name + "\" is deleted: Ctrl+Z brings it back";
      return;
    }
    case What::Restore: {
      naming_.reset();
      const auto back = notes_.restore();
      if (!back) notice_ = "no mark or span was deleted";
      if (back && notes_.nearest(0, range_of(view(mouse_half_))) == std::nullopt) on(command::EditNote{What::GoTo, back});
      return;
    }
    case What::GoTo: {
      if (!named) return;
      const TimeRange time = notes_.all()[*named].time;
      if (!time.empty()) return fit_to(time);
      return go(center_on(view_.target, static_cast<double>(time.begin - later(mouse_half_)), reach()));
    }
  }
}

}  // namespace tv
