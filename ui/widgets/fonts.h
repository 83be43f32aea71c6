// The two fonts of the interface, in real pixels for the screen at hand: a proportional one for nearly everything and a
// monospace one for code and numbers in columns. Found through fontconfig; ImGui's built-in font when there is none.
//
// Names in traces may hold any letters. Those that the first font lacks (Chinese, Japanese, ...) come from the best
// system font that has them. ImGui before 1.92 needs all letters when it builds its atlas, so it is told of those that
// occur (add_code_points) and the atlas is built anew between two frames; later versions draw letters on demand.
//
// Building takes 10 ms for Latin alone, some 100 ms with a thousand Chinese letters.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"

namespace tv {

class Fonts {
 public:
  Fonts();
  ~Fonts();
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  /// `size` is the text height in ImGui units at scale 1; `scale` the display's content scale times the user's
  /// setting; `pixel_ratio` real pixels per ImGui unit (1, except on Wayland and macOS).
  void set_size(float size, float scale, float pixel_ratio = 1);
  /// True when there is something new, so that the atlas will be built anew. Letters past U+FFFF are left out when
  /// ImGui was built with 16-bit characters (Debian's is).
  bool add_code_points(std::span<const char32_t> code_points);
  bool add_text(std::string_view utf8);

  bool needs_build() const { return needs_build_; }
  /// Between two frames only: fills io.Fonts. The window then sends the picture to the GPU.
  void build();

  ImFont* ui() const { return ui_; }
  ImFont* mono() const { return mono_; }
  /// Paths of the files in use, for the debug panel.
  std::vector<std::string> files() const;

 private:
  struct Face;    // a font file
  struct System;  // fontconfig's answer

  ImFont* add_font(Face* first);
  Face* face_with(char32_t code_point);

  std::unique_ptr<System> system_;
  std::set<char32_t> wanted_;
  std::vector<std::vector<ImWchar>> glyph_ranges_;  // read by ImGui while the atlas is built
  float size_ = 15, scale_ = 1, pixel_ratio_ = 1;
  bool needs_build_ = true;
  ImFont* ui_ = nullptr;
  ImFont* mono_ = nullptr;
};

}  // namespace tv
