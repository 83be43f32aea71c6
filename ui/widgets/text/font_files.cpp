#include "ui/widgets/text/font_files.h"

#include <fontconfig/fontconfig.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

namespace tv {

namespace {

const FcChar8* fc(const char* text) { return reinterpret_cast<const FcChar8*>(text); }

FcPattern* wish_for(const char* description) {
  FcPattern* wish = FcNameParse(fc(description));
  FcConfigSubstitute(nullptr, wish, FcMatchPattern);
  FcDefaultSubstitute(wish);
  return wish;
}

/// Null for fonts that we cannot draw: bitmaps, Type 1 fonts, and fonts with colours such as emoji.
std::unique_ptr<FontFile> file_of(FcPattern* pattern) {
  FcChar8 *path = nullptr, *format = nullptr;
  int index = 0;
  FcCharSet* letters = nullptr;
  FcBool scalable = FcFalse, color = FcFalse;
  FcPatternGetString(pattern, FC_FILE, 0, &path);
  FcPatternGetString(pattern, FC_FONTFORMAT, 0, &format);
  FcPatternGetInteger(pattern, FC_INDEX, 0, &index);
  FcPatternGetCharSet(pattern, FC_CHARSET, 0, &letters);
  FcPatternGetBool(pattern, FC_SCALABLE, 0, &scalable);
  FcPatternGetBool(pattern, FC_COLOR, 0, &color);
  if (!path || !format || !letters || !scalable || color) return nullptr;
  const std::string_view kind = reinterpret_cast<const char*>(format);
  if (kind != "TrueType" && kind != "CFF") return nullptr;
  const int face = index & 0xffff;  // the upper 16 bits are the index of a variant
  return std::make_unique<FontFile>(reinterpret_cast<const char*>(path), face, letters);
}

/// Reads the font's tables `head` and `hhea`. Returns 0 if the file is damaged.
float line_height_per_em(const std::vector<char>& bytes, int face) {
  const auto u16 = [&](std::size_t at) -> unsigned {
    if (at + 2 > bytes.size()) return 0;
    return static_cast<unsigned char>(bytes[at]) * 256u + static_cast<unsigned char>(bytes[at + 1]);
  };
  const auto u32 = [&](std::size_t at) -> std::size_t { return std::size_t{u16(at)} << 16 | u16(at + 2); };
  const auto i16 = [&](std::size_t at) { return static_cast<float>(static_cast<std::int16_t>(u16(at))); };

  const bool several = bytes.size() > 12 && std::memcmp(bytes.data(), "ttcf", 4) == 0;
  const std::size_t font = several ? u32(12 + 4 * static_cast<std::size_t>(face)) : 0;
  float em = 0, height = 0;
  for (unsigned table = 0; table < u16(font + 4); ++table) {
    const std::size_t entry = font + 12 + 16 * table, start = u32(entry + 8);
    if (entry + 16 > bytes.size()) break;
    if (std::memcmp(&bytes[entry], "head", 4) == 0) em = static_cast<float>(u16(start + 18));
    if (std::memcmp(&bytes[entry], "hhea", 4) == 0) height = i16(start + 4) - i16(start + 6);
  }
  return em > 0 && height > 0 ? height / em : 0;
}

}  // namespace

bool FontFile::has(char32_t code_point) const { return FcCharSetHasChar(letters_, code_point); }

bool FontFile::load() {
  if (bytes_.empty()) {
    std::ifstream file(path_, std::ios::binary | std::ios::ate);
    bytes_.resize(file ? static_cast<std::size_t>(file.tellg()) : 0);
    file.seekg(0);
    file.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    height_per_em_ = line_height_per_em(bytes_, face_);
  }
  return height_per_em_ > 0;
}

FontFiles::FontFiles() {
  if (!FcInit()) return;
  ui_ = find({"DejaVu Sans", "Noto Sans", "Liberation Sans", "sans-serif"});
  mono_ = find({"DejaVu Sans Mono", "Noto Sans Mono", "Liberation Mono", "monospace"});

  bold_ = find({"DejaVu Sans:bold", "Noto Sans:bold", "Liberation Sans:bold", "sans-serif:bold"});

  FcPattern* wish = wish_for("sans-serif:lang=zh-cn");
  FcResult result;
  sorted_ = FcFontSort(nullptr, wish, FcTrue, nullptr, &result);
  FcPatternDestroy(wish);
  for (int i = 0; sorted_ && i < sorted_->nfont; ++i)
    if (auto file = file_of(sorted_->fonts[i])) fallbacks_.push_back(std::move(file));
}

FontFiles::~FontFiles() {
  for (FcPattern* pattern : patterns_) FcPatternDestroy(pattern);
  if (sorted_) FcFontSetDestroy(sorted_);
}

/// The first installed family; the last one is generic, so that fontconfig always has an answer.
std::unique_ptr<FontFile> FontFiles::find(const std::vector<const char*>& families) {
  for (const char* family : families) {
    FcPattern* wish = wish_for(family);
    FcResult result;
    FcPattern* match = FcFontMatch(nullptr, wish, &result);
    FcPatternDestroy(wish);
    if (!match) continue;
    patterns_.push_back(match);
    FcChar8* name = nullptr;
    FcPatternGetString(match, FC_FAMILY, 0, &name);
    const std::string_view wanted(family);  // "DejaVu Sans:bold"
    const bool installed = name && reinterpret_cast<const char*>(name) == wanted.substr(0, wanted.find(':'));
    if (!installed && family != families.back()) continue;
    if (auto file = file_of(match); file && file->load()) return file;
  }
  return nullptr;
}

FontFile* FontFiles::with(char32_t code_point) const {
  if (ui_ && ui_->has(code_point)) return ui_.get();
  for (const auto& file : fallbacks_)
    if (file->has(code_point)) return file.get();
  return nullptr;
}

std::string fontconfig_version() {
  const int version = FcGetVersion();
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
}

}  // namespace tv
