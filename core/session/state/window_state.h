// What a window shows of the open files, as one value: the visible part, the selection, the notes, the arrangement of lanes and
// panels. Commands change it; view files, closed tabs and halves are serialised from it (shown_state.h).
#pragma once

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
  TimeFormat times_seen = TimeFormat::SinceBegin;  ///< from the settings
  NotesState notes;
  ViewFiles views;
  PanelState panels;
  TableStates tables;
  Pointer pointer;
  OpenBoxes boxes;
  CommandUse command_use;
  DeskFacts desk;
};

}  // namespace tv
