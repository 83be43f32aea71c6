#version 330 core
// One pixel of a strip: the texel of its column, without filtering.

flat in vec2 v_top_bottom;
flat in uint v_kind;
flat in int v_row;
in vec2 v_position;

uniform sampler2D u_texels;
uniform vec2 u_origin;
uniform float u_pixel_ratio;

out vec4 color;

const uint kArea = 1u;
const float kFaintest = 0.2;  // of a column with one tiny slice: still to be seen

void main() {
  int column = int((v_position.x - u_origin.x) / u_pixel_ratio);
  color = texelFetch(u_texels, ivec2(column, v_row), 0);
  if (color == vec4(0.0)) discard;

  if (v_kind == kArea) {
    float fill = color.a * (v_top_bottom.y - v_top_bottom.x);
    float below = v_top_bottom.y - v_position.y;  // from the bottom to the pixel's middle
    color.a = clamp(max(fill, min(1.0, color.a * 255.0)) - below + 0.5, 0.0, 1.0);
  } else {
    color.a = max(color.a, kFaintest);
  }
}
