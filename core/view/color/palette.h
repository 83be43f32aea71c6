// Maps labels to colours. Colours are stable: they depend on category and name alone, so the same kernel has the same colour in
// every run, file and snapshot. Work that charts show too (phases of workers, parts of training steps, engine, tools, jobs of a
// pipeline) has the same colour as there (phase_colors.h). Well-known categories have their own hue (kernels green, communication
// vermilion, memory copies yellow, CPU operators blue, the CUDA runtime sky, Python muted hues from violet on, by file, annotations
// purple; waiting is grey); the name varies hue and lightness around it. Jobs of a pipeline (forward green, backward blue, backward
// of weights violet, optimizer yellow) look the same for every micro-batch. Hues are spaced after Okabe and Ito, and lightness
// differs too, so that families stay apart for colour-blind eyes. Colours are mixed in OKLCH, where equal steps look equal.
//
// PaletteKind::ColorBlind is for people who cannot distinguish these hues: families then use only the first ten chart colours, and
// the name only varies the lightness a little. Simulated with the matrices of Machado, Oliveira and Fernandes (2009, "A
// physiologically-based model for simulation of color vision deficiency") the closest two of those ten are 0.069 apart in OKLab,
// and 0.055 once names vary them, for protan, deutan and tritan eyes (palette_eyes_test.cpp). The seven colours of Okabe and Ito
// (2008) are 0.076 apart, and would be 0.053 with names.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/store/draft/label_table.h"
#include "core/store/rules/work_rules.h"
#include "core/view/color/appearance.h"
#include "core/view/color/rgba.h"

namespace tv {

enum class ThemeKind : std::uint8_t { Dark, Light };

constexpr Rgba rgba(unsigned r, unsigned g, unsigned b, unsigned a = 255) {
  return r | g << 8 | b << 16 | a << 24;
}
constexpr Rgba with_alpha(Rgba color, std::uint32_t alpha) { return (color & 0x00FFFFFFu) | alpha << 24; }

Rgba color_of(std::string_view category, std::string_view name, ThemeKind theme,
              const CommunicationRules& rules = {}, PaletteKind kind = PaletteKind::Usual);
/// The number of a pipeline job's colour in the chart palette, the same for every micro-batch and chunk. None: not such a job.
std::optional<int> pipeline_job_color(std::string_view category, std::string_view name);
/// Black or white, whichever reads better on the colour (WCAG contrast).
Rgba text_on(Rgba background);
/// The colour of every other stripe of a hatched slice: chosen to contrast with its fill (rect_styled.frag.glsl).
Rgba hatch_stripe(Rgba fill);
/// WCAG contrast ratio, 1 to 21.
double contrast(Rgba a, Rgba b);

/// All colours of one trace's labels, looked up by id while drawing. Built once per snapshot and theme:
/// O(labels).
class Palette {
 public:
  Palette() = default;
  Palette(const LabelTable& labels, ThemeKind theme, const CommunicationRules& rules = {},
          PaletteKind kind = PaletteKind::Usual);

  Rgba fill(LabelId label) const { return fill_[idx(label)]; }
  Rgba text(LabelId label) const { return text_[idx(label)]; }
  /// Whether the label is waiting. Such slices are hatched, as in charts.
  bool waits(LabelId label) const { return kinds_[idx(label)] == Kind::Wait; }
  bool communicates(LabelId label) const { return kinds_[idx(label)] == Kind::Communication; }
  /// The colour of a slice that stands out.
  Rgba lit(LabelId label) const { return lit_of(fill_[idx(label)], theme_); }
  static Rgba lit_of(Rgba fill, ThemeKind theme);
  Rgba counter() const { return counter_; }
  Rgba arrow() const { return arrow_; }
  ThemeKind theme() const { return theme_; }
  PaletteKind kind() const { return palette_kind_; }
  std::size_t size() const { return fill_.size(); }

 private:
  enum class Kind : std::uint8_t { Other, Wait, Communication };

  ThemeKind theme_ = ThemeKind::Dark;
  PaletteKind palette_kind_ = PaletteKind::Usual;
  std::vector<Rgba> fill_, text_;
  std::vector<Kind> kinds_;
  Rgba counter_ = rgba(90, 160, 220), arrow_ = rgba(255, 255, 255);
};

}  // namespace tv
