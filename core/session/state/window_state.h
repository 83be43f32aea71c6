// What a window shows of the open files, as one value: the visible part, the selection, the notes, the arrangement of lanes and
// panels. Commands change this value; ShownState (shown_state.h) is the part of it that view files and closed tabs store.
#pragma once

#include <optional>

#include "core/session/state/arranged_lanes.h"
#include "core/session/state/desk_facts.h"
#include "core/session/state/notes_state.h"
#include "core/session/state/open_boxes.h"
#include "core/session/state/panel_state.h"
#include "core/session/state/pointer.h"
#include "core/session/state/selected_details.h"
#include "core/session/state/shown_times.h"
#include "core/session/state/timeline_halves.h"
#include "core/session/state/view_files.h"
#include "core/session/state/view_motion.h"
#include "core/view/details/selection.h"
#include "core/view/keys/command_use.h"
#include "core/view/table/table_states.h"
#include "core/view/words/time_style.h"

namespace tv {

struct WindowState {
  ViewMotion motion;
  TimelineHalves halves;
  ArrangedLanes lanes;
  Selection selection;
  SelectedDetails selected;
  ShownTimes times;
  TimeFormat times_seen = TimeFormat::SinceBegin;  ///< the format in the settings, when last checked
  NotesState notes;
  ViewFiles views;
  PanelState panels;
  TableStates tables;
  Pointer pointer;
  OpenBoxes boxes;
  CommandUse command_use;
  DeskFacts desk;

  /// The visible time; in the lower half it is later by halves.later().
  const Viewport& view() const { return motion.view.current; }
  Viewport view(SplitHalf half) const { return {view().begin + static_cast<double>(halves.later(half)), view().span}; }
  /// Two timelines, one above the other. Null: there is only one, which is the upper half.
  const Split* split() const { return halves.split ? &*halves.split : nullptr; }
  const LaneLayout& layout(SplitHalf half = SplitHalf::Upper) const { return halves.of(half).layout; }
  double scroll_y(SplitHalf half = SplitHalf::Upper) const { return halves.of(half).scroll_y; }
  bool moving() const { return motion.view.moving() || halves.moving(); }
  /// The time under the mouse, as a time of this half: pointing at one half marks the same place in the other.
  std::optional<double> pointed_time(SplitHalf half) const {
    if (!pointer.on_timeline) return pointer.on_chart;
    return *pointer.on_timeline + static_cast<double>(halves.later(half) - halves.later(pointer.half));
  }
  /// How times are written everywhere. On the ruler of a half, times within a step refer to the step that this half shows.
  const TimeStyle& time_style(SplitHalf half = SplitHalf::Upper) const {
    return half == SplitHalf::Lower && halves.split ? times.lower_style() : times.style();
  }
};

}  // namespace tv
