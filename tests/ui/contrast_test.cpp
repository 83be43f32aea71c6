// WCAG 2.1 AA, computed: text on all its backgrounds (1.4.3: 4.5), edges of fields, grips and focus marks (1.4.11: 3), both
// themes. Disabled items, and those dimmed next to a highlight, are exempt there and here.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/view/color/chart_palette.h"
#include "core/view/timeline/minimap.h"
#include "imgui.h"
#include "ui/widgets/theme.h"

using namespace tv;

namespace {

constexpr double kText = 4.5, kGraphic = 3.0;

struct NamedColor {
  std::string name;
  Rgba color;
};

Rgba over(Rgba color, Rgba ground) { return with_alpha(chart_mix(ground, with_alpha(color, 255), (color >> 24) / 255.0), 255); }

std::vector<NamedColor> grounds(const Theme& t) {
  return {{"window", t.window},     {"panel", t.panel},   {"header", t.header},       {"lane_even", t.lane_even},
          {"lane_odd", t.lane_odd}, {"group", t.lane_group}};
}

// ImGui's own widgets, on the panel behind them.
std::vector<NamedColor> widget_grounds(const Theme& t, const std::vector<ImGuiCol>& slots) {
  const ImGuiStyle style = make_style(t);
  std::vector<NamedColor> all;
  for (const ImGuiCol slot : slots) {
    const Rgba color = ImGui::ColorConvertFloat4ToU32(style.Colors[slot]);
    for (const Rgba ground : {t.panel, t.header}) all.push_back({ImGui::GetStyleColorName(slot), over(color, ground)});
  }
  return all;
}

void check(const Theme& theme, const std::vector<NamedColor>& inks, const std::vector<NamedColor>& on, double least) {
  for (const NamedColor& ground : on) {
    for (const NamedColor& ink : inks) {
      CAPTURE(static_cast<int>(theme.kind));
      CAPTURE(ink.name);
      CAPTURE(ground.name);
      const double ratio = contrast(over(ink.color, ground.color), ground.color);
      CAPTURE(ratio);
      CHECK(ratio >= least);
    }
  }
}

std::vector<Theme> themes() { return {make_theme(ThemeKind::Dark, 1), make_theme(ThemeKind::Light, 1)}; }

// Every colour that slices can have, in the usual and the colour-blind palette.
std::vector<Rgba> slice_fills(ThemeKind theme) {
  std::vector<Rgba> fills;
  for (const PaletteKind kind : {PaletteKind::Usual, PaletteKind::ColorBlind}) {
    for (const char* category : {"kernel", "gpu_memcpy", "cpu_op", "cuda_runtime", "python_function", "user_annotation", "wait",
                                 "engine", "tool", "turn", "request", "phase", "training", "forward0", "backward_w1", "other"}) {
      for (int i = 0; i < 60; ++i) fills.push_back(color_of(category, "name " + std::to_string(i), theme, {}, kind));
    }
    for (const char* name : {"ncclDevKernel_AllReduce", "Memcpy HtoD", "barrier_wait_duration", "gen", "update_actor", "adv"}) {
      for (const char* category : {"kernel", "wait", "phase", "training"}) fills.push_back(color_of(category, name, theme, {}, kind));
    }
  }
  for (int c = 0; c < kChartColors; ++c) fills.push_back(chart_color(c, theme));
  return fills;
}

}  // namespace

TEST_CASE("contrast: text is readable on panels, lanes and widgets") {
  for (const Theme& t : themes()) {
    const std::vector<NamedColor> words = {{"text", t.text},       {"text_dim", t.text_dim}, {"good", t.good},
                                           {"warning", t.warning}, {"loss", t.loss},         {"accent", t.accent}};
    check(t, words, grounds(t), kText);
    check(t, words,
          widget_grounds(t, {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive,
                             ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_Header, ImGuiCol_HeaderHovered, ImGuiCol_TableHeaderBg,
                             ImGuiCol_TableRowBgAlt, ImGuiCol_MenuBarBg, ImGuiCol_TitleBgActive}),
          kText);
    check(t, {{"text", t.text}},
          widget_grounds(t, {ImGuiCol_ButtonActive, ImGuiCol_HeaderActive, ImGuiCol_Tab, ImGuiCol_TabHovered, ImGuiCol_TabActive,
                             ImGuiCol_TabUnfocused, ImGuiCol_TabUnfocusedActive, ImGuiCol_PlotHistogram, ImGuiCol_TextSelectedBg}),
          kText);
    check(t, {{"text", t.text}, {"text_dim", t.text_dim}}, {{"accent_soft", t.accent_soft}}, kText);
    check(t, {{"text_disabled", t.text_disabled}}, grounds(t), kText);
    check(t, {{"text_disabled", t.text_disabled}}, widget_grounds(t, {ImGuiCol_PopupBg}), kText);
    check(t, {{"playhead", t.playhead}}, {{"header", t.header}, {"panel", t.panel}}, kText);
    // In a selected area.
    for (const NamedColor& ground : grounds(t)) {
      check(t, {{"text", t.text}, {"text_dim", t.text_dim}}, {{"selected area", over(t.selection_fill, ground.color)}}, kText);
    }
  }
}

TEST_CASE("contrast: edges of fields, grips and focus marks are visible") {
  for (const Theme& t : themes()) {
    const ImGuiStyle style = make_style(t);
    CHECK(style.FrameBorderSize >= 1);
    CHECK(ImGui::ColorConvertFloat4ToU32(style.Colors[ImGuiCol_Border]) == t.field_border);
    const auto slot = [&](ImGuiCol c) { return NamedColor{ImGui::GetStyleColorName(c), ImGui::ColorConvertFloat4ToU32(style.Colors[c])}; };
    check(t, {{"field_border", t.field_border}, {"selection", t.selection}, {"playhead", t.playhead}, {"accent", t.accent}},
          grounds(t), kGraphic);
    check(t, {slot(ImGuiCol_Border), slot(ImGuiCol_NavHighlight), slot(ImGuiCol_ScrollbarGrab), slot(ImGuiCol_CheckMark),
              slot(ImGuiCol_SliderGrab)},
          widget_grounds(t, {ImGuiCol_WindowBg, ImGuiCol_PopupBg}), kGraphic);
    check(t, {slot(ImGuiCol_CheckMark), slot(ImGuiCol_SliderGrab), slot(ImGuiCol_NavHighlight)},
          widget_grounds(t, {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered}), kGraphic);
    check(t, {{"hover", t.hover}}, grounds(t), kGraphic);
  }
}

TEST_CASE("contrast: names are readable on slices, including hatched and highlighted ones") {
  for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Light}) {
    for (const Rgba fill : slice_fills(theme)) {
      CAPTURE(fill);
      REQUIRE(contrast(text_on(fill), fill) >= kText);
      REQUIRE(contrast(text_on(fill), hatch_stripe(fill)) >= kText);
      const Rgba lit = Palette::lit_of(fill, theme);
      REQUIRE(contrast(text_on(lit), lit) >= kText);
    }
  }
}

TEST_CASE("contrast: slices and marks on the minimap are visible in both themes") {
  for (const Theme& t : themes()) {
    for (const Rgba fill : slice_fills(t.kind)) REQUIRE(contrast(minimap_fill(fill, t.kind), t.panel) >= kGraphic);
    check(t, {{"view", t.accent}, {"mark", t.playhead}, {"hit", t.selection}}, {{"minimap", t.panel}}, kGraphic);
  }
}

TEST_CASE("contrast: text and axes of charts are readable in both themes") {
  for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Light}) {
    const ChartInk& ink = chart_ink(theme);
    for (const Rgba ground : {ink.background, ink.box}) {
      CHECK(contrast(ink.text, ground) >= kText);
      CHECK(contrast(ink.text_dim, ground) >= kText);
    }
    CHECK(contrast(ink.axis, ink.background) >= kGraphic);
  }
}
