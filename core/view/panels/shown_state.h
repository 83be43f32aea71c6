// Everything that a window shows of the open files, as a plain value: stored when they are closed, shared as a view file, and
// restored by a key. The selection is described by names and times, not by ids, which are valid for one load only. As text it is
// JSON with "traceview_view": 1; unknown keys are ignored, unknown words count as missing. Units: nanoseconds relative to
// origin_ns, heights in pixels or as shares of a row.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/store/segments/read_settings.h"
#include "core/view/color/color_rule.h"
#include "core/view/lanes/lanes_look.h"
#include "core/view/navigation/viewport.h"
#include "core/view/panels/panel_layout.h"
#include "core/view/table/table_states.h"
#include "core/view/timeline/notes.h"
#include "core/view/timeline/split.h"
#include "core/view/words/time_style.h"

namespace tv {

/// No panel is chosen, so the one that fits the data is shown.
inline PanelLayout first_panels() {
  PanelLayout panels;
  panels.left.clear();
  return panels;
}

/// Two timelines, one above the other, and the scroll position of the lower one; ShownLook has that of the upper one.
struct SplitLook {
  Split split;
  std::string top_lane;
  double top_px = 0;
};

/// What part of the trace is in view, and how it is arranged: the content of a stored view.
struct ShownLook {
  bool everything = true;  ///< everything is in view; else `view`
  Viewport view;
  std::string top_lane;  ///< key of the first lane below the pinned ones; empty: the first lane of all
  double top_px = 0;     ///< how many pixels of it are scrolled off the top
  std::optional<SplitLook> split;
  bool arranged = false; ///< lanes are arranged as in `lanes`; else by first_view, and `lanes` is unused
  LanesLook lanes;       ///< without derived values: weights, the first order, the scale of rows
  std::vector<std::string> filters;  ///< chips
  ColorRule color = ColorRule::Name;
  TimeFormat times = TimeFormat::SinceBegin;
  PanelLayout panels = first_panels();  ///< if empty: the panel that fits the data
};

/// A serialised reference to a slice.
struct SliceRef {
  std::string lane;       ///< key
  std::uint32_t row = 0;  ///< index among the lane's rows
  Ns begin = 0, duration = 0;
  std::string name;
  std::uint32_t nth = 0;  ///< index among slices with the same properties
  bool operator==(const SliceRef&) const = default;
};

struct GapRef {
  std::string lane;
  std::optional<std::uint32_t> row;  ///< set if the gap is in this row alone
  SliceRef before, after;
};

struct SavedSelection {
  std::optional<SliceRef> slice;
  std::vector<SliceRef> also;
  std::optional<SliceRef> through;  ///< selects all slices from `slice` to this one
  std::optional<GapRef> gap;
  std::string same_name;
  std::optional<TimeRange> area;
  std::vector<std::string> area_lanes;  ///< lane keys
  std::string area_chart;
};

struct SavedBrush {
  std::string chart;
  std::string requests;  ///< an expression; empty: the brush is on slices
  std::string name;      ///< name of the brushed slices
  Ns least = 0, most = 0;
};

inline constexpr std::size_t kStoredViews = 9;

struct ShownState {
  Ns origin_ns = 0;
  ReadSettings read;
  ShownLook look;
  SavedSelection selected;
  SavedBrush brush;
  std::vector<std::pair<std::string, std::string>> charts;  ///< settings
  bool as_script = false;
  std::string run;  ///< run of the rollout's current step
  std::optional<std::int64_t> step, training_step;
  std::vector<Note> notes;
  std::array<std::optional<ShownLook>, kStoredViews> stored;
  KeptTables tables;  ///< only tables that were changed
};

std::string to_json(const ShownState& state);
Result<ShownState> parse_shown_state(std::string_view json);

}  // namespace tv
