// The colours of notes, for their lines and frames on the timeline; their text has the theme's text colour. In both themes, each
// has a contrast of at least 3:1 to the lanes behind it (WCAG 2.2, 1.4.11).
#pragma once

#include "core/view/timeline/notes.h"
#include "ui/widgets/theme.h"

namespace tv {

inline Rgba color_of(const Theme& theme, NoteColor color) {
  const bool dark = theme.kind == ThemeKind::Dark;
  switch (color) {
    case NoteColor::Red: return dark ? rgba(0xFF, 0x6B, 0x6B) : rgba(0xC9, 0x2A, 0x2A);
    case NoteColor::Orange: return dark ? rgba(0xFF, 0xA9, 0x4D) : rgba(0xB3, 0x53, 0x00);
    case NoteColor::Green: return dark ? rgba(0x69, 0xDB, 0x7C) : rgba(0x1F, 0x7A, 0x33);
    case NoteColor::Blue: return dark ? rgba(0x74, 0xC0, 0xFC) : rgba(0x18, 0x64, 0xAB);
    case NoteColor::Violet: return dark ? rgba(0xB1, 0x97, 0xFC) : rgba(0x67, 0x41, 0xD9);
    case NoteColor::Plain:
    case NoteColor::kCount: break;
  }
  return theme.playhead;
}

}  // namespace tv
