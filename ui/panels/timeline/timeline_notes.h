// Draws marks as flags on the ruler with their names, measured spans as bars over the lanes with names and lengths, and the small
// box in which the user names a note.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view/timeline/measured_spans.h"
#include "core/view/timeline/note_flags.h"
#include "ui/panels/lanes/lanes_place.h"
#include "ui/panels/panel.h"

namespace tv {

class TimelineNotes {
 public:
  void draw(const PanelContext& context, const LanesPlace& place, const Area& ruler);
  /// The note under the mouse: a mark by its flag or line on the ruler, a span by its label.
  std::optional<std::size_t> at(const LanesPlace& place, const Area& ruler, ImVec2 mouse) const;
  void draw_tooltip(const PanelContext& context, const LanesPlace& place, const Area& ruler, ImVec2 mouse) const;
  /// Draws the box below the ruler, next to the note that is being named. Enter or a click elsewhere accepts the name, Escape keeps
  /// the old name.
  void draw_name_box(const PanelContext& context, const LanesPlace& place, const Area& ruler);
  /// The text in the box. Its glyphs must be loaded before the box is drawn.
  const std::string& typed_name() const { return typed_; }
  /// For scripts: the place of the mark with this name on the ruler, or the centre of the label of such a span.
  std::optional<ImVec2> place_of(const Workspace& workspace, const LanesPlace& place, std::string_view name) const;

 private:
  void draw_marks(const PanelContext& context, const LanesPlace& place, const Area& ruler);
  void draw_spans(const PanelContext& context, const LanesPlace& place, const Area& ruler);

  std::vector<NoteFlag> flags_;  // flags and spans are those of the last frame
  std::vector<SpanBar> spans_;
  std::vector<TimeRange> span_times_;
  std::vector<std::uint32_t> span_notes_;                 // by span: the index of its note
  std::vector<std::pair<std::size_t, Area>> span_boxes_;  // labels of the spans: index of the note, area
  std::optional<std::size_t> naming_;
  std::string typed_;
};

}  // namespace tv
