#version 330 core
// One strip: a quad over all columns, with top and bottom rounded to whole framebuffer pixels (y down).

layout(location = 0) in vec2 a_place;  // y, height in frame pixels
layout(location = 1) in uint a_kind;   // StripItem::Kind

uniform vec2 u_framebuffer_size;
uniform vec2 u_origin;        // of the frame, in the framebuffer
uniform float u_pixel_ratio;  // framebuffer pixels per frame pixel
uniform float u_width;        // columns

flat out float v_height;  // in framebuffer pixels
flat out uint v_kind;
flat out int v_row;  // of the texture
out vec2 v_place;    // column, and framebuffer pixels above the bottom

void main() {
  float top = floor(a_place.x * u_pixel_ratio + 0.5) + u_origin.y;
  float bottom = max(floor((a_place.x + a_place.y) * u_pixel_ratio + 0.5) + u_origin.y, top + 1.0);
  v_height = bottom - top;
  v_kind = a_kind;
  v_row = gl_InstanceID;

  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  v_place = vec2(corner.x * u_width, (1.0 - corner.y) * v_height);
  vec2 position = vec2(u_origin.x + corner.x * u_width * u_pixel_ratio, mix(top, bottom, corner.y));
  vec2 clip = position / u_framebuffer_size * 2.0 - 1.0;
  gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
}
