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
const float kMostFolded = 250.0 / 255.0;  // what is more opaque is a slice that was painted into the strip (dense_rows.h)
const float kReadableRow = 13.5;  // lower strips have no room for teeth

void main() {
  vec4 texel = texelFetch(u_texels, ivec2(int(v_place.x), v_row), 0);

  // A column with a colour holds something, even when its alpha rounds to 0.
  float present = min(255.0 * (texel.r + texel.g + texel.b + texel.a), 1.0);
  float density = max(texel.a, kFaintest * present);

  // At least one pixel when alpha > 0; the topmost pixel is as strong as it is covered.
  float fill = max(texel.a * v_height, min(255.0 * texel.a, 1.0));
  float area = clamp(fill - v_place.y + 0.5, 0.0, 1.0);

  // Folded slices stand on teeth: there is more than one can see.
  float tooth = floor(0.2 * v_height);
  float beside = abs(mod(v_place.x, 2.0 * tooth) - tooth);  // 0 to tooth
  float cut = step(v_place.y, beside) * step(kReadableRow, v_height) * step(texel.a, kMostFolded);

  color = vec4(texel.rgb, v_kind == kDensity ? density * (1.0 - 0.75 * cut) : area);
}
