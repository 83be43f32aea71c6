#version 330 core
// One slice: a quad of 4 corners whose edges are rounded to whole framebuffer pixels (y down).

layout(location = 0) in vec4 a_rect;   // x0, x1, y, height in frame pixels
layout(location = 1) in vec4 a_color;
layout(location = 2) in uint a_style;  // RectStyle

uniform vec2 u_framebuffer_size;
uniform vec2 u_origin;       // of the frame, in the framebuffer
uniform float u_pixel_ratio;  // framebuffer pixels per frame pixel
uniform float u_ui_scale;

const uint kClippedLeft = 2u, kDiamond = 8u;

flat out vec4 v_edges;   // left, right, top, bottom in framebuffer pixels
flat out vec4 v_color;
flat out uint v_style;
flat out float v_pattern_x;  // where the hatching starts: it moves with the slice
out vec2 v_position;

void main() {
  vec4 rect = a_rect * u_pixel_ratio;
  float top = floor(rect.z + 0.5) + u_origin.y;
  float bottom = max(floor(rect.z + rect.w + 0.5) + u_origin.y, top + 1.0);
  float left, right;
  if ((a_style & kDiamond) != 0u) {
    float radius = min(0.5 * (bottom - top), 7.0 * u_ui_scale * u_pixel_ratio);
    float center = floor(rect.x) + 0.5 + u_origin.x;
    left = center - radius;
    right = center + radius;
  } else {
    left = floor(rect.x + 0.5);
    right = max(floor(rect.y + 0.5), left + 1.0);
    float gap = max(1.0, floor(u_ui_scale * u_pixel_ratio + 0.25));
    if (right - left > 3.0 * gap) right -= gap;
    left += u_origin.x;
    right += u_origin.x;
  }
  v_edges = vec4(left, right, top, bottom);
  v_color = a_color;
  v_style = a_style;
  v_pattern_x = (a_style & kClippedLeft) != 0u ? right : left;

  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  v_position = mix(v_edges.xz, v_edges.yw, corner);
  vec2 clip = v_position / u_framebuffer_size * 2.0 - 1.0;
  gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
}
