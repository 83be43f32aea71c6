#include "ui/widgets/text/letters.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/text/utf8.h"

namespace tv {
namespace {

std::set<char32_t> wanted_letters;

}  // namespace

std::vector<char32_t> code_points_of(std::string_view utf8) {
  std::vector<char32_t> code_points;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i++]);
    if (lead < 0xc0) continue;  // ASCII, or the middle of a broken sequence
    char32_t c = lead < 0xe0 ? lead & 0x1fu : lead < 0xf0 ? lead & 0x0fu : lead & 0x07u;
    for (int rest = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3; rest > 0 && i < utf8.size() && continues_utf8(utf8[i]); --rest)
      c = c << 6 | (static_cast<unsigned char>(utf8[i++]) & 0x3fu);
    code_points.push_back(c);
  }
  return code_points;
}

#if IMGUI_VERSION_NUM < 19200
void want_letters(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return;
  const ImFont& font = *ImGui::GetFont();
  for (const char32_t c : code_points_of(text)) {
    if (c <= IM_UNICODE_CODEPOINT_MAX && !font.FindGlyphNoFallback(static_cast<ImWchar>(c))) wanted_letters.insert(c);
  }
}

int boxes_drawn(const ImDrawData& drawn) {
  std::vector<const ImFontGlyph*> boxes;
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    if (font->FallbackGlyph) boxes.push_back(font->FallbackGlyph);
  }
  int count = 0;
  for (int l = 0; l < drawn.CmdListsCount; ++l) {
    const ImVector<ImDrawVert>& corners = drawn.CmdLists[l]->VtxBuffer;
    // A letter has four corners: the first is the upper left one, the third the lower right one.
    for (int v = 0; v + 3 < corners.Size; ++v) {
      count += std::ranges::any_of(boxes, [&](const ImFontGlyph* box) {
        return corners[v].uv.x == box->U0 && corners[v].uv.y == box->V0 && corners[v + 2].uv.x == box->U1 && corners[v + 2].uv.y == box->V1;
      });
    }
  }
  return count;
}
#else
void want_letters(std::string_view) {}
int boxes_drawn(const ImDrawData&) { return 0; }
#endif

std::vector<char32_t> take_wanted_letters() {
  const std::set<char32_t> wanted = std::exchange(wanted_letters, {});
  return {wanted.begin(), wanted.end()};
}

}  // namespace tv
