#version 330 core
// The look of a slice with a RectStyle.

flat in vec4 v_edges;
flat in vec4 v_color;
flat in uint v_style;
flat in float v_pattern_x;
in vec2 v_position;

uniform float u_pixel_ratio;
uniform float u_ui_scale;

out vec4 color;

const uint kHatched = 1u, kClippedLeft = 2u, kClippedRight = 4u, kDiamond = 8u, kDimmed = 16u;

// Part of the pixel covered by a diamond that fills the quad, with a darker rim.
vec4 diamond(float unit) {
  vec2 center = 0.5 * vec2(v_edges.x + v_edges.y, v_edges.z + v_edges.w);
  float radius = 0.5 * (v_edges.y - v_edges.x);
  vec2 d = abs(v_position - center);
  float inside = (radius - d.x - d.y) * 0.7071;  // distance to the edge
  vec3 rim = v_color.rgb * 0.55;
  return vec4(mix(rim, v_color.rgb, clamp(inside - unit + 0.5, 0.0, 1.0)),
              v_color.a * clamp(inside + 0.5, 0.0, 1.0));
}

// Relative luminance of WCAG 2.1, as palette.cpp has it: it says whether names on the colour are black or white.
float luminance(vec3 srgb) {
  vec3 linear = mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), step(0.04045, srgb));
  return dot(linear, vec3(0.2126, 0.7152, 0.0722));
}

void main() {
  color = v_color;
  float unit = u_ui_scale * u_pixel_ratio;
  if ((v_style & kDiamond) != 0u) color = diamond(unit);

  if ((v_style & kHatched) != 0u) {
    // Diagonal stripes away from the colour of names, which are as readable on them as beside them (hatch_stripe() in
    // palette.h); sharp edges would flicker while zooming.
    float period = 8.0 * unit;
    float along = mod(v_position.x - v_pattern_x + v_position.y - v_edges.z, period);
    float stripe = clamp(0.5 + min(along, 0.5 * period - along), 0.0, 1.0);
    vec3 away = vec3(luminance(v_color.rgb) > 0.17913 ? 1.0 : 0.0);
    color.rgb = mix(mix(v_color.rgb, away, 0.3), v_color.rgb, stripe);
  }

  float fade = min(14.0 * unit, 0.5 * (v_edges.y - v_edges.x));
  if ((v_style & kClippedLeft) != 0u)
    color.a *= mix(0.3, 1.0, smoothstep(0.0, fade, v_position.x - v_edges.x));
  if ((v_style & kClippedRight) != 0u)
    color.a *= mix(0.3, 1.0, smoothstep(0.0, fade, v_edges.y - v_position.x));

  if ((v_style & kDimmed) != 0u) {
    float grey = dot(color.rgb, vec3(0.299, 0.587, 0.114));
    color = vec4(mix(color.rgb, vec3(grey), 0.6), color.a * 0.3);
  }
}
