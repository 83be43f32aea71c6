// The fonts of the interface, in real pixels of the screen: a proportional one for nearly everything, a monospace one for code and
// for the text of files, and a bold one for titles. If the system has no fonts, ImGui's built-in font is used.
//
// Names in traces may contain any letters. Letters that the first font lacks (Chinese, Japanese, ...) come from the best system font
// that has them. ImGui before 1.92 needs all letters when it builds its atlas, so new letters are added (add_text), and the atlas is
// rebuilt between two frames. Later versions load letters on demand.
//
// Building the atlas takes 15 ms for Latin letters alone, and 0.2 s with a thousand Chinese letters.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "ui/widgets/text/font_files.h"

namespace tv {

class Fonts {
 public:
  Fonts();

  /// `size`: the text height in ImGui units at scale 1. `scale`: the window's ui_scale times the user's setting. `pixel_ratio`: real
  /// pixels per ImGui unit (1, except on Wayland and macOS). Cheap if nothing changed.
  void set_size(float size, float scale, float pixel_ratio = 1);
  /// Returns whether some letters are new; the atlas must then be rebuilt. Leaves out letters past U+FFFF if ImGui was built with
  /// 16-bit characters (as Debian's is).
  bool add_code_points(std::span<const char32_t> code_points);
  bool add_text(std::string_view utf8);
  /// If one of these letters is Chinese, Japanese or Korean: adds ImGui's lists of common Chinese and Japanese letters.
  bool add_common_east_asian(std::span<const char32_t> code_points);
  /// Whether one of these letters is Chinese, Japanese or Korean and in no font of the system. It is drawn as a question mark.
  bool lacks_east_asian(std::span<const char32_t> code_points) const;
  bool lacks_east_asian(std::string_view utf8) const;

  bool needs_build() const { return needs_build_; }
  /// Fills io.Fonts; call it only between two frames. The window then uploads the atlas to the GPU.
  void build();

  ImFont* ui() const { return ui_; }
  ImFont* mono() const { return mono_; }
  /// The bold font of the current context, for titles. It has only Latin letters: if the text needs others, or the system has no bold
  /// font, returns the usual font.
  static ImFont* bold_for(std::string_view text);
  /// Paths of the files in use, for the debug panel.
  std::vector<std::string> files() const;

 private:
  ImFont* add_font(FontFile* first, bool latin_alone = false);

  FontFiles system_;
  std::set<char32_t> wanted_;
  std::vector<std::vector<ImWchar>> glyph_ranges_;  // read by ImGui while the atlas is built
  float size_ = 15, scale_ = 1, pixel_ratio_ = 1;
  bool needs_build_ = true;
  ImFont* ui_ = nullptr;
  ImFont* mono_ = nullptr;
};

/// Maps symbols that the interface itself writes to ASCII glyphs. ImGui's own font has only Latin-1, so a cut name would end with
/// "?" instead of "…". Call it after the atlas was built.
void map_symbols_to_ascii(ImFont& font);

}  // namespace tv
