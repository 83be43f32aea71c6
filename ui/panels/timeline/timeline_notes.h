// Marks as flags on the ruler with their names, measured spans as bars over the lanes with names and lengths, and the small box in
// which a note gets its name.
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
  /// A mark's flag or line on the ruler, or a span's label.
  std::optional<std::size_t> at(const LanesPlace& place, const Area& ruler, ImVec2 mouse) const;
  void draw_tooltip(const PanelContext& context, const LanesPlace& place, const Area& ruler, ImVec2 mouse) const;
  /// Below the ruler, next to its mark. Enter accepts the name, Escape leaves the old one.
  void draw_name_box(const PanelContext& context, const LanesPlace& place, const Area& ruler);
  /// The text in the box: its glyphs must be loaded before it is drawn.
  const std::string& typed_name() const { return typed_; }
  /// Centre of the flag of a mark with that name, or of a span's label.
  std::optional<ImVec2> place_of(const Workspace& workspace, const LanesPlace& place, std::string_view name) const;

 private:
  void draw_marks(const PanelContext& context, const LanesPlace& place, const Area& ruler);
  void draw_spans(const PanelContext& context, const LanesPlace& place, const Area& ruler);

  std::vector<NoteFlag> flags_;  // in the last frame, like the following
  std::vector<SpanBar> spans_;
  std::vector<TimeRange> span_times_;
  std::vector<std::uint32_t> span_notes_;                 // notes of the spans
  std::vector<std::pair<std::size_t, Area>> span_boxes_;  // labels of the spans, and their areas
  std::optional<std::size_t> naming_;
  std::string typed_;
};

}  // namespace tv
