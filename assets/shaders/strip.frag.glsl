#version 330 core
// One pixel of a strip: the texel of its column, without filtering. Written without branches: a software driver
// executes both sides of them, for two million pixels a frame.

flat in float v_height;
flat in uint v_kind;
flat in int v_row;
in vec2 v_place;

uniform sampler2D u_texels;

out vec4 color;

const uint kDensity = 0u;
const float kFaintest = 0.2;  // of a column with one tiny slice: still to be seen

void main() {
  vec4 texel = texelFetch(u_texels, ivec2(int(v_place.x), v_row), 0);

  // A column with a colour holds something, even when its alpha rounds to 0.
  float present = min(255.0 * (texel.r + texel.g + texel.b + texel.a), 1.0);
  float density = max(texel.a, kFaintest * present);

  // At least one pixel when alpha > 0; the topmost pixel is as strong as it is covered.
  float fill = max(texel.a * v_height, min(255.0 * texel.a, 1.0));
  float area = clamp(fill - v_place.y + 0.5, 0.0, 1.0);

  color = vec4(texel.rgb, v_kind == kDensity ? density : area);
}
