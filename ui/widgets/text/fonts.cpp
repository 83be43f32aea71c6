#include "ui/widgets/text/fonts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "ui/widgets/text/letters.h"

namespace tv {

namespace {

/// Limits the letters of the atlas, because the names in a trace of generated text can have far more.
constexpr std::size_t kMostCodePoints = 6000;

struct CodePointRange {
  char32_t first, last;
};
/// Characters that the interface itself writes: ASCII, Latin, Greek, punctuation, arrows, operators, boxes, shapes, marks.
constexpr CodePointRange kInterfaceLetters[] = {
    {0x20, 0x7e},     {0xa0, 0x17f},    {0x370, 0x3ff},   {0x2010, 0x2027}, {0x2030, 0x205e},
    {0x2070, 0x209c}, {0x20ac, 0x20ac}, {0x2190, 0x21ff}, {0x2200, 0x226f}, {0x2500, 0x25ff},
    {0x2605, 0x2606}, {0x2691, 0x2691}, {0x26a0, 0x26a0}, {0x2713, 0x2717}, {0xfffd, 0xfffd},
};

constexpr char32_t kLastLatin = 0x17f;
constexpr int kBoldFont = 2;  // index in the atlas

// A cut title contains an ellipsis. The bold font contains it too, so that cut titles are bold like others.
constexpr char32_t kEllipsisLetter = U'\u2026';
bool is_in_bold(char32_t c) { return c <= kLastLatin || c == kEllipsisLetter; }

bool is_east_asian(char32_t c) {
  constexpr CodePointRange kEastAsian[] = {
      {0x2e80, 0x9fff}, {0xac00, 0xd7af}, {0xf900, 0xfaff}, {0xff00, 0xffef}, {0x20000, 0x323af}};
  return std::ranges::any_of(kEastAsian, [c](const CodePointRange& r) { return c >= r.first && c <= r.last; });
}

}  // namespace

Fonts::Fonts() {
  for (const auto& [first, last] : kInterfaceLetters)
    for (char32_t c = first; c <= last; ++c) wanted_.insert(c);
}

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
    const FontFile* file = system_.with(c);
    if (!file) continue;
    wanted_.insert(c);
#if IMGUI_VERSION_NUM < 19200
    added = true;
#else
    added = added || !file->loaded();  // a loaded font can already draw all of its letters
#endif
  }
  needs_build_ = needs_build_ || added;
  return added;
}

bool Fonts::add_text(std::string_view utf8) { return add_code_points(code_points_of(utf8)); }

bool Fonts::add_common_east_asian(std::span<const char32_t> code_points) {
#if IMGUI_VERSION_NUM < 19200
  if (std::ranges::none_of(code_points, is_east_asian)) return false;
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  bool added = false;
  for (const ImWchar* range : {atlas.GetGlyphRangesChineseSimplifiedCommon(), atlas.GetGlyphRangesJapanese()}) {
    for (; range[0] != 0; range += 2) {
      std::vector<char32_t> letters;
      for (char32_t c = range[0]; c <= range[1]; ++c) letters.push_back(c);
      added = add_code_points(letters) || added;
    }
  }
  return added;
#else
  static_cast<void>(code_points);  // later versions load letters on demand
  return false;
#endif
}

bool Fonts::lacks_east_asian(std::span<const char32_t> code_points) const {
  return std::ranges::any_of(code_points, [&](char32_t c) { return is_east_asian(c) && !system_.with(c); });
}

bool Fonts::lacks_east_asian(std::string_view utf8) const { return lacks_east_asian(code_points_of(utf8)); }

ImFont* Fonts::add_font(FontFile* first, bool latin_alone) {
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

  // Takes each letter from the first font if it has the letter, or else from the best font that has it. wanted_ is sorted, so
  // that consecutive letters become ranges.
  std::map<FontFile*, std::vector<ImWchar>> letters{{first, {}}};
  for (const char32_t c : wanted_) {
    if (latin_alone && !is_in_bold(c)) continue;
    FontFile* file = first->has(c) ? first : system_.with(c);
    if (!file) continue;
    auto& ranges = letters[file];
    const auto letter = static_cast<ImWchar>(c);
    if (!ranges.empty() && ranges.back() + 1 == letter) {
      ranges.back() = letter;
    } else {
      ranges.insert(ranges.end(), 2, letter);
    }
  }

  ImFont* font = nullptr;
  const auto add = [&](FontFile* file) {
    const auto found = letters.find(file);
    if (found == letters.end() || !file->load()) return;
    found->second.push_back(0);  // ends ImGui's list of ranges
    glyph_ranges_.push_back(std::move(found->second));
    letters.erase(found);
    config.FontNo = static_cast<decltype(config.FontNo)>(file->face());
    config.MergeMode = font != nullptr;
#if IMGUI_VERSION_NUM < 19200
    config.GlyphRanges = glyph_ranges_.back().data();
#endif
    const float height = pixels * file->height_per_em() / first->height_per_em();
    font = atlas.AddFontFromMemoryTTF(file->bytes().data(), static_cast<int>(file->bytes().size()), height,
                                      &config);
  };
  add(first);
  add(system_.ui());
  for (const auto& file : system_.fallbacks()) add(file.get());
  return font;
}

ImFont* Fonts::bold_for(std::string_view text) {
  const auto& fonts = ImGui::GetIO().Fonts->Fonts;
  const bool bold = fonts.Size > kBoldFont && std::ranges::all_of(code_points_of(text), is_in_bold);
  return bold ? fonts[kBoldFont] : ImGui::GetFont();
}

void Fonts::build() {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  glyph_ranges_.clear();
  ui_ = add_font(system_.ui());
  mono_ = add_font(system_.mono());
  if (system_.bold()) add_font(system_.bold(), true);  // kBoldFont
  io.FontDefault = ui_;
#if IMGUI_VERSION_NUM < 19200
  io.FontGlobalScale = 1 / pixel_ratio_;
  io.Fonts->Build();
  if (!system_.ui()) map_symbols_to_ascii(*ui_);
  if (!system_.mono()) map_symbols_to_ascii(*mono_);
#else
  ImGui::GetStyle().FontSizeBase = std::round(size_ * scale_);
#endif
  needs_build_ = false;
}

void map_symbols_to_ascii(ImFont& font) {
  constexpr std::pair<ImWchar, char> kSubstitutes[] = {{0x2026, '.'}, {0x2190, '<'}, {0x2191, '^'}, {0x2192, '>'}, {0x2193, 'v'},
                                                       {0x2013, '-'}, {0x2212, '-'}, {0x2265, '>'}, {0x25b8, '>'}, {0x25be, 'v'},
                                                       {0x26a0, '!'}, {0x2715, 'x'}};
  for (const auto& [letter, ascii] : kSubstitutes) font.AddRemapChar(letter, static_cast<ImWchar>(ascii));
}

std::vector<std::string> Fonts::files() const {
  std::vector<std::string> paths;
  const auto add = [&](const FontFile* file) {
    if (file && file->loaded()) paths.push_back(file->path());
  };
  add(system_.ui());
  add(system_.bold());
  add(system_.mono());
  for (const auto& file : system_.fallbacks()) add(file.get());
  return paths;
}

}  // namespace tv
