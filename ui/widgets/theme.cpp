#include "ui/widgets/theme.h"

#include <algorithm>

#include "imgui.h"

namespace tv {
namespace {

// From 0xrrggbb, the usual notation for colours.
constexpr Rgba hex(unsigned rgb, unsigned alpha = 255) {
  return rgba(rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff, alpha);
}

Theme dark_theme() {
  Theme t;
  t.window = hex(0x171b20);  // as lane_even, so that every second lane needs no background of its own
  t.panel = hex(0x1a1e24);
  t.header = hex(0x21262e);
  t.border = hex(0x2f3640);
  t.field_border = hex(0x7b8593);
  t.lane_even = hex(0x171b20);
  t.lane_odd = hex(0x1b2026);
  t.lane_group = hex(0x20262d);
  t.grid = hex(0xffffff, 14);
  t.grid_strong = hex(0xffffff, 34);
  t.text = hex(0xe6eaf0);
  t.text_dim = hex(0xaeb7c4);
  t.text_disabled = hex(0x9aa4b2);
  t.accent = hex(0x62acf7);
  t.accent_soft = hex(0x26405f);
  t.selection = hex(0xffffff);
  t.selection_fill = hex(0x4c9df3, 46);
  t.hover = hex(0xffffff, 170);
  t.cursor = hex(0xffffff, 96);
  t.playhead = hex(0xffb454);
  t.good = hex(0x5fcb92);
  t.warning = hex(0xf0b648);
  t.loss = hex(0xff8a80);
  t.drop_highlight = hex(0x4c9df3, 56);
  return t;
}

Theme light_theme() {
  Theme t;
  t.window = hex(0xfdfdfe);  // as lane_even
  t.panel = hex(0xfbfcfd);
  t.header = hex(0xe9edf2);
  t.border = hex(0xcfd6df);
  t.field_border = hex(0x7d8793);
  t.lane_even = hex(0xfdfdfe);
  t.lane_odd = hex(0xf5f7fa);
  t.lane_group = hex(0xedf1f5);
  t.grid = hex(0x000000, 16);
  t.grid_strong = hex(0x000000, 42);
  t.text = hex(0x1b222c);
  t.text_dim = hex(0x4a5462);
  t.text_disabled = hex(0x545f6d);
  t.accent = hex(0x1259ad);
  t.accent_soft = hex(0xc6dcf7);
  t.selection = hex(0x10151c);
  t.selection_fill = hex(0x1f6fd0, 40);
  t.hover = hex(0x10151c, 170);
  t.cursor = hex(0x10151c, 110);
  t.playhead = hex(0x9a5200);
  t.good = hex(0x0f6b3e);
  t.warning = hex(0x825000);
  t.loss = hex(0xad2019);
  t.drop_highlight = hex(0x1f6fd0, 48);
  return t;
}

Rgba mix(Rgba a, Rgba b, float share_of_b) {
  const ImVec4 x = ImGui::ColorConvertU32ToFloat4(a), y = ImGui::ColorConvertU32ToFloat4(b);
  const auto between = [share_of_b](float from, float to) { return from + (to - from) * share_of_b; };
  return ImGui::ColorConvertFloat4ToU32(
      {between(x.x, y.x), between(x.y, y.y), between(x.z, y.z), between(x.w, y.w)});
}

// ImGui rounds sizes down to whole pixels and asserts that scroll bars are wider than 0. Below this scale they would not be, and no
// text is readable anyway.
constexpr float kLeastThemeScale = 0.1f;

void set_sizes(ImGuiStyle& style, float scale) {
  style.WindowPadding = {10, 8};
  style.FramePadding = {8, 4};
  style.CellPadding = {6, 3};
  style.ItemSpacing = {8, 5};
  style.ItemInnerSpacing = {6, 4};
  style.IndentSpacing = 16;
  style.ScrollbarSize = 12;
  style.GrabMinSize = 12;
  style.WindowRounding = 4;
  style.ChildRounding = 0;
  style.FrameRounding = 4;
  style.PopupRounding = 4;
  style.ScrollbarRounding = 6;
  style.GrabRounding = 4;
  style.TabRounding = 4;
  style.WindowTitleAlign = {0.0f, 0.5f};
  style.SelectableTextAlign = {0.0f, 0.5f};
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.ScaleAllSizes(scale);
  // Lines are one pixel thick at any scale.
  style.WindowBorderSize = 1;
  style.ChildBorderSize = 1;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 1;  // without an edge, a text field would not stand out from its background
  style.TabBorderSize = 0;
}

void set_colors(ImGuiStyle& style, const Theme& t) {
  const auto set = [&](ImGuiCol slot, Rgba color) { style.Colors[slot] = ImGui::ColorConvertU32ToFloat4(color); };
  const bool dark = t.kind == ThemeKind::Dark;
  const Rgba field = dark ? mix(t.panel, t.text, 0.09f) : hex(0xffffff);  // text fields, sliders
  const Rgba raised = mix(t.header, t.text, 0.06f);                       // buttons
  const Rgba raised_hover = mix(t.header, t.text, 0.11f);
  const Rgba raised_active = mix(t.header, t.accent, 0.25f);

  set(ImGuiCol_Text, t.text);
  set(ImGuiCol_TextDisabled, t.text_dim);
  set(ImGuiCol_WindowBg, t.panel);
  set(ImGuiCol_ChildBg, with_alpha(t.panel, 0));
  set(ImGuiCol_PopupBg, mix(t.panel, t.header, 0.5f));
  set(ImGuiCol_Border, t.field_border);
  set(ImGuiCol_BorderShadow, 0);
  set(ImGuiCol_FrameBg, field);
  set(ImGuiCol_FrameBgHovered, mix(field, t.accent, 0.07f));
  set(ImGuiCol_FrameBgActive, mix(field, t.accent, 0.1f));
  set(ImGuiCol_TitleBg, t.header);
  set(ImGuiCol_TitleBgActive, t.header);
  set(ImGuiCol_TitleBgCollapsed, t.header);
  set(ImGuiCol_MenuBarBg, t.header);
  set(ImGuiCol_ScrollbarBg, with_alpha(t.window, 0));
  set(ImGuiCol_ScrollbarGrab, with_alpha(t.text_dim, 170));
  set(ImGuiCol_ScrollbarGrabHovered, with_alpha(t.text_dim, 205));
  set(ImGuiCol_ScrollbarGrabActive, t.text_dim);
  set(ImGuiCol_CheckMark, t.accent);
  set(ImGuiCol_SliderGrab, t.accent);
  set(ImGuiCol_SliderGrabActive, mix(t.accent, t.text, 0.25f));
  set(ImGuiCol_Button, raised);
  set(ImGuiCol_ButtonHovered, raised_hover);
  set(ImGuiCol_ButtonActive, raised_active);
  set(ImGuiCol_Header, mix(t.panel, t.accent, 0.2f));
  set(ImGuiCol_HeaderHovered, mix(t.panel, t.accent, 0.13f));
  set(ImGuiCol_HeaderActive, mix(t.panel, t.accent, 0.25f));
  set(ImGuiCol_Separator, t.border);
  set(ImGuiCol_SeparatorHovered, t.accent);
  set(ImGuiCol_SeparatorActive, t.accent);
  set(ImGuiCol_ResizeGrip, with_alpha(t.text_dim, 0));
  set(ImGuiCol_ResizeGripHovered, with_alpha(t.accent, 160));
  set(ImGuiCol_ResizeGripActive, t.accent);
  set(ImGuiCol_Tab, t.header);
  set(ImGuiCol_TabHovered, raised_hover);
  set(ImGuiCol_TabActive, mix(t.header, t.accent, 0.2f));
  set(ImGuiCol_TabUnfocused, t.header);
  set(ImGuiCol_TabUnfocusedActive, mix(t.header, t.accent, 0.12f));
  set(ImGuiCol_PlotLines, t.accent);
  set(ImGuiCol_PlotLinesHovered, t.playhead);
  set(ImGuiCol_PlotHistogram, dark ? hex(0x2a5f9e) : hex(0x9cc6f4));  // below the text of a progress bar
  set(ImGuiCol_PlotHistogramHovered, t.playhead);
  set(ImGuiCol_TableHeaderBg, t.header);
  set(ImGuiCol_TableBorderStrong, t.border);
  set(ImGuiCol_TableBorderLight, mix(t.panel, t.border, 0.6f));
  set(ImGuiCol_TableRowBg, with_alpha(t.panel, 0));
  set(ImGuiCol_TableRowBgAlt, with_alpha(t.text, 8));
  set(ImGuiCol_TextSelectedBg, with_alpha(t.accent, 90));
  set(ImGuiCol_DragDropTarget, t.accent);
  set(ImGuiCol_NavHighlight, t.accent);
  set(ImGuiCol_NavWindowingHighlight, t.accent);
  set(ImGuiCol_NavWindowingDimBg, with_alpha(hex(0x000000), 90));
  set(ImGuiCol_ModalWindowDimBg, with_alpha(hex(0x000000), 110));
}

}  // namespace

Theme make_theme(ThemeKind kind, float scale) {
  Theme theme = kind == ThemeKind::Dark ? dark_theme() : light_theme();
  theme.kind = kind;
  theme.scale = std::max(scale, kLeastThemeScale);
  return theme;
}

ImGuiStyle make_style(const Theme& theme) {
  ImGuiStyle style;
  // set_colors() does not set the colours that only newer versions of ImGui have.
  if (theme.kind == ThemeKind::Light) ImGui::StyleColorsLight(&style);
  set_sizes(style, theme.scale);
  set_colors(style, theme);
  return style;
}

void apply_style(const Theme& theme) { ImGui::GetStyle() = make_style(theme); }

}  // namespace tv
