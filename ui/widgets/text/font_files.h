// The system's font files, found with fontconfig: one for the interface, a monospace one, a bold one, and fallbacks for the letters
// that these lack. Finding them takes 20 ms. A fallback is read when its letters are needed for the first time.
#pragma once

#include <memory>
#include <string>
#include <vector>

struct _FcCharSet;
struct _FcPattern;
struct _FcFontSet;

namespace tv {

std::string fontconfig_version();  ///< version of the loaded library

/// One face of a font file, in a format that ImGui's rasteriser reads.
class FontFile {
 public:
  /// `letters` belongs to a fontconfig pattern, which must outlive this object.
  FontFile(std::string path, int face, const _FcCharSet* letters)
      : path_(std::move(path)), face_(face), letters_(letters) {}

  bool has(char32_t code_point) const;
  /// Reads the file on first use. False if the file is missing or damaged.
  bool load();

  const std::string& path() const { return path_; }
  int face() const { return face_; }  ///< index of the face in its file
  bool loaded() const { return !bytes_.empty(); }
  std::vector<char>& bytes() { return bytes_; }
  /// Line height divided by em. ImGui takes a size as line height, but letters of two fonts look equally large if their ems are
  /// equal.
  float height_per_em() const { return height_per_em_; }

 private:
  std::string path_;
  int face_;
  const _FcCharSet* letters_;
  std::vector<char> bytes_;
  float height_per_em_ = 0;
};

class FontFiles {
 public:
  FontFiles();
  ~FontFiles();
  FontFiles(const FontFiles&) = delete;
  FontFiles& operator=(const FontFiles&) = delete;

  FontFile* ui() const { return ui_.get(); }  ///< null if the system has no fonts
  FontFile* mono() const { return mono_.get(); }
  FontFile* bold() const { return bold_.get(); }  ///< null if there is none
  /// All fonts that add letters, the best first. Chinese fonts come first, because letters that a Latin font lacks are most often
  /// Chinese.
  const std::vector<std::unique_ptr<FontFile>>& fallbacks() const { return fallbacks_; }
  /// The interface's font if it has the letter, else the best fallback that has it, else null.
  FontFile* with(char32_t code_point) const;

 private:
  std::unique_ptr<FontFile> find(const std::vector<const char*>& families);

  std::vector<_FcPattern*> patterns_;  // own the letter sets of ui_, mono_ and bold_
  _FcFontSet* sorted_ = nullptr;       // owns the letter sets of the fallbacks
  std::unique_ptr<FontFile> ui_, mono_, bold_;
  std::vector<std::unique_ptr<FontFile>> fallbacks_;
};

}  // namespace tv
