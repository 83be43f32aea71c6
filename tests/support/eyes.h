// Colours as seen with and without colour blindness: the matrices of Machado, Oliveira and Fernandes (2009), severity 1, on
// linear light. Distances are those of OKLab.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/view/timeline/draw_items.h"

namespace tv::test {

// Linear light.
inline std::array<double, 3> light(Rgba color) {
  std::array<double, 3> out{};
  for (unsigned k = 0; k < 3; ++k) {
    const double c = (color >> 8 * k & 255) / 255.0;
    out[k] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return out;
}

using Matrix = std::array<std::array<double, 3>, 3>;
// kAll: an eye without colour blindness.
inline constexpr Matrix kAll{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
inline constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
inline constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
inline constexpr Matrix kTritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

inline std::array<double, 3> oklab(Rgba color, const Matrix& eye) {
  const auto c = light(color);
  std::array<double, 3> s{};
  for (std::size_t r = 0; r < 3; ++r)
    s[r] = std::clamp(eye[r][0] * c[0] + eye[r][1] * c[1] + eye[r][2] * c[2], 0.0, 1.0);
  const double l = std::cbrt(0.4122214708 * s[0] + 0.5363325363 * s[1] + 0.0514459929 * s[2]);
  const double m = std::cbrt(0.2119034982 * s[0] + 0.6806995451 * s[1] + 0.1073969566 * s[2]);
  const double t = std::cbrt(0.0883024619 * s[0] + 0.2817188376 * s[1] + 0.6299787005 * s[2]);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * t,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * t,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * t};
}

inline constexpr Matrix kEyes[] = {kAll, kProtan, kDeutan, kTritan};

/// How far apart two colours are for an eye.
inline double apart(Rgba a, Rgba b, const Matrix& eye) {
  const auto p = oklab(a, eye), q = oklab(b, eye);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

}  // namespace tv::test
