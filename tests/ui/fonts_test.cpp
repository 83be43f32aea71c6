#include "ui/widgets/text/fonts.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "imgui.h"
#include "tests/support/skip.h"
#include "ui/widgets/text/letters.h"

using namespace tv;

namespace {

struct ContextOwner {
  ContextOwner() { ImGui::CreateContext(); }
  ~ContextOwner() { ImGui::DestroyContext(); }
  ContextOwner(const ContextOwner&) = delete;
  ContextOwner& operator=(const ContextOwner&) = delete;
};

#if IMGUI_VERSION_NUM < 19200
bool has_glyph(const ImFont* font, unsigned code_point) {
  return font->FindGlyphNoFallback(static_cast<ImWchar>(code_point)) != nullptr;
}
#endif

}  // namespace

TEST_CASE("fonts: the letters of the interface are available from the start") {
  const ContextOwner imgui;
  Fonts fonts;
  CHECK(fonts.needs_build());
  fonts.build();
  CHECK(!fonts.needs_build());
  REQUIRE(fonts.ui());
  REQUIRE(fonts.mono());
  CHECK(fonts.ui() != fonts.mono());
#if IMGUI_VERSION_NUM < 19200
  if (fonts.files().empty()) return test::skip("fontconfig knows no font here");
  for (const unsigned c :
       {0x41u, 0xe9u, 0x3bcu, 0x2026u, 0x2192u, 0x2265u, 0x25b8u, 0x25beu, 0x26a0u, 0x2715u}) {
    CAPTURE(c);
    CHECK(has_glyph(fonts.ui(), c));
  }
  CHECK(fonts.mono()->GetCharAdvance('i') == fonts.mono()->GetCharAdvance('W'));
  CHECK(fonts.ui()->GetCharAdvance('i') < fonts.ui()->GetCharAdvance('W'));
#endif
}

TEST_CASE("fonts: without system fonts an ellipsis is drawn as a dot, not as a question mark") {
#if IMGUI_VERSION_NUM < 19200
  const ContextOwner imgui;
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFont* const font = atlas.AddFontDefault();
  atlas.Build();
  CHECK(!has_glyph(font, 0x2026));
  map_symbols_to_ascii(*font);
  REQUIRE(has_glyph(font, 0x2026));
  CHECK(font->FindGlyph(0x2026)->AdvanceX == font->FindGlyph('.')->AdvanceX);
  CHECK(font->FindGlyph(0x2192)->U0 == font->FindGlyph('>')->U0);
#endif
}

TEST_CASE("fonts: new letters request a new atlas once, known ones do not") {
  const ContextOwner imgui;
  Fonts fonts;
  fonts.build();
  CHECK(!fonts.add_text("plain ASCII, caf\u00e9, \u03bcs \u2192"));
  CHECK(!fonts.needs_build());
  CHECK(!fonts.add_text("\xff\xc3 broken \xe4\xbd"));
  const char32_t nowhere[] = {0xe123, 0x10ffff};
  CHECK(!fonts.add_code_points(nowhere));

#if IMGUI_VERSION_NUM < 19200
  if (!fonts.add_text("\u4e2d\u6587")) return test::skip("no Chinese font here");
  CHECK(fonts.needs_build());
  CHECK(!fonts.add_text("\u6587\u4e2d"));
  fonts.build();
  CHECK(has_glyph(fonts.ui(), 0x4e2d));
  CHECK(has_glyph(fonts.mono(), 0x6587));
  CHECK(!has_glyph(fonts.ui(), 0x5b57));

  // The letters of both fonts look equally large.
  const ImFontGlyph* chinese = fonts.ui()->FindGlyph(0x4e2d);
  CHECK(chinese->AdvanceX > 0.8f * fonts.ui()->FontSize / 1.2f);
  CHECK(chinese->AdvanceX < 1.1f * fonts.ui()->FontSize);
#endif
}

TEST_CASE("fonts: a drawn letter without a glyph is requested once, and is a box until the atlas has it") {
#if IMGUI_VERSION_NUM < 19200
  const ContextOwner imgui;
  Fonts fonts;
  fonts.build();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {200, 100};
  const auto boxes_of_frame = [](const char* text) {
    ImGui::NewFrame();
    ImGui::GetForegroundDrawList()->AddText({10, 10}, IM_COL32_WHITE, with_letters(text));
    ImGui::Render();
    return boxes_drawn(*ImGui::GetDrawData());
  };
  take_wanted_letters();  // left over from charts that other tests drew
  CHECK(boxes_of_frame("plain, \u03bcs") == 0);
  CHECK(take_wanted_letters().empty());
  CHECK(boxes_of_frame("\u4e2d\u6587\u4e2d a") == 3);
  const std::vector<char32_t> wanted = take_wanted_letters();
  CHECK(wanted == std::vector<char32_t>{0x4e2d, 0x6587});
  CHECK(take_wanted_letters().empty());
  if (!fonts.add_code_points(wanted)) return test::skip("no Chinese font here");
  CHECK(fonts.add_common_east_asian(wanted));
  fonts.build();
  CHECK(boxes_of_frame("\u4e2d\u6587\u4e2d a") == 0);
  CHECK(boxes_of_frame("\u7684\u662f\u306e") == 0);  // among the most common Chinese and Japanese characters
  CHECK(take_wanted_letters().empty());
#endif
}

TEST_CASE("fonts: sizes follow the scale in whole pixels") {
  const ContextOwner imgui;
  Fonts fonts;
  fonts.set_size(15, 1);
  fonts.build();
  fonts.set_size(15, 1);
  CHECK(!fonts.needs_build());
  fonts.set_size(15, 1.5f);
  CHECK(fonts.needs_build());
  fonts.build();
#if IMGUI_VERSION_NUM < 19200
  CHECK(fonts.ui()->FontSize == 23);
  fonts.set_size(15, 1, 2);
  fonts.build();
  CHECK(fonts.ui()->FontSize == 30);
  CHECK(ImGui::GetIO().FontGlobalScale == 0.5f);
#endif
}
