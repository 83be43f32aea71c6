// Where a timeline frame is drawn in the framebuffer, in framebuffer pixels with y down, and at which scale.
#pragma once

namespace tv {

struct Placement {
  int framebuffer_width = 0, framebuffer_height = 0;
  int x = 0, y = 0;                                        ///< position of the frame's (0, 0)
  int clip_x0 = 0, clip_y0 = 0, clip_x1 = 0, clip_y1 = 0;  ///< nothing is drawn outside
  float pixel_ratio = 1;  ///< framebuffer pixels per frame pixel: 1, except on Wayland and macOS
  float ui_scale = 1;     ///< scale of hatching, fades and gaps, so that they look the same on any screen
};

}  // namespace tv
