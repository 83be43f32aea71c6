#include "ui/widgets/fonts.h"

#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>

namespace tv {

namespace {

/// Most letters an atlas gets; a trace of generated text could name far more.
constexpr std::size_t kMostCodePoints = 6000;

/// What the interface itself writes, beyond ASCII: Latin, Greek, punctuation, arrows, operators, boxes, shapes, marks.
struct CodePointRange {
  char32_t first, last;
};
constexpr CodePointRange kAlways[] = {
    {0x20, 0x7e},     {0xa0, 0x17f},    {0x370, 0x3ff},   {0x2010, 0x2027}, {0x2030, 0x205e}, {0x2070, 0x209c},
    {0x20ac, 0x20ac}, {0x2190, 0x21ff}, {0x2200, 0x226f}, {0x2500, 0x25ff}, {0x2605, 0x2606}, {0x2691, 0x2691},
    {0x26a0, 0x26a0}, {0x2713, 0x2717}, {0xfffd, 0xfffd},
};

constexpr std::array kUiFamilies = {"DejaVu Sans", "Noto Sans", "Liberation Sans", "sans-serif"};
constexpr std::array kMonoFamilies = {"DejaVu Sans Mono", "Noto Sans Mono", "Liberation Mono", "monospace"};

const FcChar8* fc(const char* text) { return reinterpret_cast<const FcChar8*>(text); }

/// A kind of font file ImGui's rasteriser can read.
bool readable(FcPattern* pattern) {
  FcChar8* format = nullptr;
  FcBool scalable = FcFalse, color = FcFalse;
  FcPatternGetString(pattern, FC_FONTFORMAT, 0, &format);
  FcPatternGetBool(pattern, FC_SCALABLE, 0, &scalable);
  FcPatternGetBool(pattern, FC_COLOR, 0, &color);
  if (!format || !scalable || color) return false;
  const std::string_view name = reinterpret_cast<const char*>(format);
  return name == "TrueType" || name == "CFF";
}

/// Line height of a font per em, from its tables `head` and `hhea`: ImGui wants sizes as line heights, but letters of
/// two fonts look equally large when their ems agree. 0 when the file is damaged.
float line_height_per_em(const std::vector<char>& bytes, int index) {
  const auto u16 = [&](std::size_t at) -> unsigned {
    if (at + 2 > bytes.size()) return 0;
    return static_cast<unsigned char>(bytes[at]) * 256u + static_cast<unsigned char>(bytes[at + 1]);
  };
  const auto u32 = [&](std::size_t at) -> std::size_t { return std::size_t{u16(at)} << 16 | u16(at + 2); };
  const auto i16 = [&](std::size_t at) { return static_cast<float>(static_cast<std::int16_t>(u16(at))); };

  const bool collection = bytes.size() > 12 && std::memcmp(bytes.data(), "ttcf", 4) == 0;
  const std::size_t font = collection ? u32(12 + 4 * static_cast<std::size_t>(index)) : 0;
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

struct Fonts::Face {
  std::string path;
  int index;            // inside a collection file
  FcCharSet* letters;   // lives as long as its pattern
  std::vector<char> bytes{};
  float height_per_em = 0;

  bool has(char32_t code_point) const { return FcCharSetHasChar(letters, code_point); }

  /// Reads the file on first use; false when that fails.
  bool load() {
    if (bytes.empty()) {
      std::ifstream file(path, std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(file), {});
      height_per_em = line_height_per_em(bytes, index);
    }
    return height_per_em > 0;
  }
};

struct Fonts::System {
  std::vector<FcPattern*> patterns;  // own the letter sets
  FcFontSet* sorted = nullptr;
  std::unique_ptr<Face> ui, mono;
  std::vector<std::unique_ptr<Face>> fallbacks;  // best first

  System() {
    if (!FcInit()) return;
    ui = find(kUiFamilies);
    mono = find(kMonoFamilies);

    // Chinese first: the letters of names that a Latin font lacks are Chinese more often than anything else.
    FcPattern* wish = FcNameParse(fc("sans-serif:lang=zh-cn"));
    FcConfigSubstitute(nullptr, wish, FcMatchPattern);
    FcDefaultSubstitute(wish);
    FcResult result;
    sorted = FcFontSort(nullptr, wish, FcTrue, nullptr, &result);
    FcPatternDestroy(wish);
    for (int i = 0; sorted && i < sorted->nfont; ++i)
      if (auto face = face_of(sorted->fonts[i])) fallbacks.push_back(std::move(face));
  }

  ~System() {
    for (FcPattern* pattern : patterns) FcPatternDestroy(pattern);
    if (sorted) FcFontSetDestroy(sorted);
  }

  static std::unique_ptr<Face> face_of(FcPattern* pattern) {
    FcChar8* file = nullptr;
    int index = 0;
    FcCharSet* letters = nullptr;
    FcPatternGetString(pattern, FC_FILE, 0, &file);
    FcPatternGetInteger(pattern, FC_INDEX, 0, &index);
    FcPatternGetCharSet(pattern, FC_CHARSET, 0, &letters);
    if (!file || !letters || !readable(pattern)) return nullptr;
    return std::make_unique<Face>(Face{reinterpret_cast<const char*>(file), index & 0xffff, letters});
  }

  /// The first family that is installed; the last one is a wish that fontconfig always grants.
  std::unique_ptr<Face> find(const std::array<const char*, 4>& families) {
    for (const char* family : families) {
      FcPattern* wish = FcNameParse(fc(family));
      FcConfigSubstitute(nullptr, wish, FcMatchPattern);
      FcDefaultSubstitute(wish);
      FcResult result;
      FcPattern* match = FcFontMatch(nullptr, wish, &result);
      FcPatternDestroy(wish);
      if (!match) continue;
      patterns.push_back(match);
      FcChar8* name = nullptr;
      FcPatternGetString(match, FC_FAMILY, 0, &name);
      const bool same = name && std::strcmp(reinterpret_cast<const char*>(name), family) == 0;
      if (same || family == families.back())
        if (auto face = face_of(match); face && face->load()) return face;
    }
    return nullptr;
  }
};

Fonts::Fonts() : system_(std::make_unique<System>()) {
  for (const auto& [first, last] : kAlways)
    for (char32_t c = first; c <= last; ++c) wanted_.insert(c);
}

Fonts::~Fonts() = default;

void Fonts::set_size(float size, float scale, float pixel_ratio) {
  if (size == size_ && scale == scale_ && pixel_ratio == pixel_ratio_) return;
  size_ = size;
  scale_ = scale;
  pixel_ratio_ = pixel_ratio;
  needs_build_ = true;
}

bool Fonts::add_code_points(std::span<const char32_t> code_points) {
  bool added = false;
  for (const char32_t c : code_points) {
    if (c < 0x80 || c > std::numeric_limits<ImWchar>::max() || wanted_.size() >= kMostCodePoints) continue;
    if (wanted_.contains(c)) continue;
    const Face* face = face_with(c);
    if (!face) continue;
    wanted_.insert(c);
#if IMGUI_VERSION_NUM < 19200
    added = true;
#else
    added = added || face->bytes.empty();  // a font in use draws any of its letters already
#endif
  }
  needs_build_ = needs_build_ || added;
  return added;
}

bool Fonts::add_text(std::string_view utf8) {
  std::vector<char32_t> code_points;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i++]);
    if (lead < 0xc0) continue;  // ASCII, or the middle of a broken sequence
    char32_t c = lead < 0xe0 ? lead & 0x1fu : lead < 0xf0 ? lead & 0x0fu : lead & 0x07u;
    for (int rest = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3; rest > 0 && i < utf8.size(); --rest)
      c = c << 6 | (static_cast<unsigned char>(utf8[i++]) & 0x3fu);
    code_points.push_back(c);
  }
  return add_code_points(code_points);
}

Fonts::Face* Fonts::face_with(char32_t code_point) {
  if (system_->ui && system_->ui->has(code_point)) return system_->ui.get();
  for (const auto& face : system_->fallbacks)
    if (face->has(code_point)) return face.get();
  return nullptr;
}

ImFont* Fonts::add_font(Face* first) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
#if IMGUI_VERSION_NUM < 19200
  const float pixels = std::round(size_ * scale_ * pixel_ratio_);
#else
  const float pixels = std::round(size_ * scale_);  // ImGui multiplies by the pixel ratio itself
#endif
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = pixels < 24 ? 2 : 1;
  config.OversampleV = 1;
  if (!first) {
    config.SizePixels = pixels;
    return atlas.AddFontDefault(&config);
  }

  // Each letter from the first font, or else from the best fallback that has it. std::set is in order, so runs of
  // letters become ranges.
  std::map<Face*, std::vector<ImWchar>> letters;
  letters[first];
  for (const char32_t c : wanted_) {
    Face* face = first->has(c) ? first : face_with(c);
    if (!face) continue;
    auto& ranges = letters[face];
    const auto letter = static_cast<ImWchar>(c);
    if (!ranges.empty() && ranges.back() + 1 == letter) {
      ranges.back() = letter;
    } else {
      ranges.insert(ranges.end(), 2, letter);
    }
  }

  const auto add = [&](Face* face) {
    auto found = letters.find(face);
    if (found == letters.end() || (found->second.empty() && face != first) || !face->load()) return;
    found->second.push_back(0);
    glyph_ranges_.push_back(std::move(found->second));
    config.FontNo = face->index;
    config.MergeMode = face != first;
#if IMGUI_VERSION_NUM < 19200
    config.GlyphRanges = glyph_ranges_.back().data();
#endif
    const float size = pixels * face->height_per_em / first->height_per_em;
    atlas.AddFontFromMemoryTTF(face->bytes.data(), static_cast<int>(face->bytes.size()), size, &config);
    letters.erase(found);
  };
  add(first);
  if (system_->ui) add(system_->ui.get());
  for (const auto& face : system_->fallbacks) add(face.get());
  return atlas.Fonts.back();
}

void Fonts::build() {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  glyph_ranges_.clear();
  ui_ = add_font(system_->ui.get());
  mono_ = add_font(system_->mono.get());
  io.FontDefault = ui_;
#if IMGUI_VERSION_NUM < 19200
  io.FontGlobalScale = 1 / pixel_ratio_;
  io.Fonts->Build();
#endif
  needs_build_ = false;
}

std::vector<std::string> Fonts::files() const {
  std::vector<std::string> paths;
  const auto add = [&](const std::unique_ptr<Face>& face) {
    if (face && !face->bytes.empty()) paths.push_back(face->path);
  };
  add(system_->ui);
  add(system_->mono);
  for (const auto& face : system_->fallbacks) add(face);
  return paths;
}

}  // namespace tv
