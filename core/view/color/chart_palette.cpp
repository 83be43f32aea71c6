#include "core/view/color/chart_palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tv {
namespace {

constexpr Rgba hex(unsigned rgb, unsigned alpha = 255) {
  return rgba(rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff, alpha);
}

using Colors = std::array<Rgba, kChartColors>;
constexpr Colors kDark = {hex(0x3397ff), hex(0xffa800), hex(0x61d4a1), hex(0xf3adff), hex(0xc3f9ff), hex(0xf0683d),
                          hex(0xfff379), hex(0x535dd2), hex(0x985a3d), hex(0x8a9699), hex(0xc52e95), hex(0xba71cb),
                          hex(0xbba4ca), hex(0x29a259), hex(0x77fcbb), hex(0xccd373), hex(0x627466), hex(0x9dd8d4),
                          hex(0xd2a56d), hex(0x8764b0), hex(0x7f61f3), hex(0xc55f1d), hex(0x93a9fa), hex(0xaced37),
                          hex(0xfed899), hex(0xd4225f), hex(0xecd3fc), hex(0x9180a7), hex(0x68b79a), hex(0x187b90),
                          hex(0xdf76dd), hex(0xdc7c77)};
constexpr Colors kLight = {hex(0x2965c0), hex(0xe5750e), hex(0x02907a), hex(0xd069ae), hex(0x2c9bd8), hex(0xb16544),
                           hex(0x6f5708), hex(0x441476), hex(0x5d2500), hex(0x5a6573), hex(0x034649), hex(0x886afe),
                           hex(0x2e31bc), hex(0x524278), hex(0x810935), hex(0x971297), hex(0xab3748), hex(0x8d559a),
                           hex(0x451a44), hex(0x1f039e), hex(0xd45d6a), hex(0x428116), hex(0x6a80e3), hex(0x082d5a),
                           hex(0x28633c), hex(0xf1498d), hex(0x51a015), hex(0x6f4dde), hex(0x980b5f), hex(0x713e13),
                           hex(0xaf5bad), hex(0xb48952)};

// Heat scales begin near the background colour. On dark they go from blue to yellow, which is safe for colour blindness; on light
// from pale to deep blue.
using Heat = std::array<Rgba, 6>;
constexpr Heat kHeatDark = {hex(0x1f2a44), hex(0x2d4573), hex(0x4f6a86), hex(0x88907b), hex(0xcdb75e), hex(0xffe66d)};
constexpr Heat kHeatLight = {hex(0xe9f1f8), hex(0xc0d9ec), hex(0x86b8dc), hex(0x4a8fc6), hex(0x1f5fa6), hex(0x0a2f6b)};

constexpr ChartInk kInkDark = {hex(0x1a1e24), hex(0xe6eaf0), hex(0xa3adba), hex(0x2b323b),
                               hex(0x64707e), hex(0x21262e), hex(0x3a434f)};
constexpr ChartInk kInkLight = {hex(0xffffff), hex(0x1b222c), hex(0x55606e), hex(0xe4e8ed),
                                hex(0x8a94a1), hex(0xffffff), hex(0xc3cbd5)};

}  // namespace

Rgba chart_color(int color, ThemeKind theme) {
  if (color < 0) return chart_ink(theme).text_dim;
  return (theme == ThemeKind::Dark ? kDark : kLight)[static_cast<std::size_t>(color % kChartColors)];
}

Rgba chart_mix(Rgba a, Rgba b, double part_of_b) {
  Rgba mixed = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const double from = a >> shift & 255, to = b >> shift & 255;
    mixed |= static_cast<Rgba>(std::lround(from + (to - from) * part_of_b)) << shift;
  }
  return mixed;
}

Rgba chart_heat(double part, ThemeKind theme) {
  const Heat& heat = theme == ThemeKind::Dark ? kHeatDark : kHeatLight;
  if (!(part > 0)) return heat.front();
  if (part >= 1) return heat.back();
  const double at = part * static_cast<double>(heat.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  return chart_mix(heat[below], heat[below + 1], at - std::floor(at));
}

const ChartInk& chart_ink(ThemeKind theme) { return theme == ThemeKind::Dark ? kInkDark : kInkLight; }

}  // namespace tv
