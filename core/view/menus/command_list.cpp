#include "core/view/menus/command_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/view/manual/manual.h"
#include "core/view/panels/panel_table.h"

namespace tv {
namespace {

bool is_met(Need need, const CommandScene& scene) {
  switch (need) {
    case Need::None: return true;
    case Need::Open: return scene.open;
    case Need::Data: return scene.data;
    case Need::Slice: return scene.slice;
    case Need::Selection: return scene.slice || scene.gap || scene.range;
    case Need::Lane: return scene.lane;
    case Need::PointedGap: return scene.pointed_gap;
    case Need::Marks: return scene.marks || scene.spans;
    case Need::Searched: return scene.searched;
    case Need::Steps: return scene.steps;
    case Need::Runs: return scene.runs > 1 && scene.align.has_value();
    case Need::MoreTimes: return scene.times.size() > 1;
    case Need::MoreColors: return scene.colors.size() > 1;
    case Need::Loading: return scene.loading;
    case Need::Requests: return scene.requests;
    case Need::ClosedTab: return scene.closed_tab;
    case Need::ClosedFiles: return scene.closed_files;
    case Need::LastSession: return scene.kept.session;
    case Need::Recent: return scene.kept.recent;
    case Need::Sample: return scene.kept.sample;
  }
  return true;
}

class CommandListing {
 public:
  CommandListing(const CommandScene& scene, std::vector<ListedCommand>& out) : scene_(scene), out_(out) {}

  void actions() {
    for (const Binding& row : bindings()) {
      ListedCommand& each = out_.emplace_back();
      each.id = row.id;
      each.title = row.menu_title.empty() ? row.title : row.menu_title;
      each.menu = row.menu;
      each.section = row.section;
      each.action = row.action;
      each.keys = keys_text(row);
      each.command = row.command();
      each.enabled = is_met(row.need, scene_);
      if (const auto* const mode = each.command.get_if<command::SetMouseMode>()) each.on = scene_.mouse.mode == mode->mode;
      if (row.action == Action::Follow) each.on = scene_.following;
    }
  }

  void panels() {
    for (const CommandScene::PanelOf& panel : scene_.panels) {
      if (panel.id == "problems") continue;  // already an action
      add({fmt::format("panel.{}", panel.id), fmt::format("Show: {}", panel.title), Menu::Analyse, panel.group, {}, {},
           command::ShowPanel{std::string(panel.id)}, panel.has_data, panel.shown});
    }
    for (std::size_t g = 0; g < static_cast<std::size_t>(PanelGroup::kCount); ++g) {
      const auto group = static_cast<PanelGroup>(g);
      const bool any = std::ranges::any_of(scene_.panels, [&](const auto& p) { return p.has_data && p.group == name(group); });
      add({fmt::format("group.{}", g + 1), fmt::format("Panels of {}", name(group)), Menu::Window, "Panels", {}, {},
           command::ShowPanelGroup{group}, any});
    }
  }

  void looks() {
    const auto theme = [&](const char* id, const char* title, ThemeChoice choice) {
      add({id, title, Menu::View, "Theme", {}, {}, command::ChooseTheme{choice}, true, scene_.theme == choice});
    };
    theme("theme.system", "Theme of the desktop", ThemeChoice::System);
    theme("theme.dark", "Dark theme", ThemeChoice::Dark);
    theme("theme.light", "Light theme", ThemeChoice::Light);
    const auto appearance = [&](const char* id, const char* title, command::SetAppearance set) {
      const bool on = set.palette ? *set.palette == scene_.appearance.palette : *set.reduced_motion == scene_.appearance.reduced_motion;
      add({id, title, Menu::View, "Appearance", {}, {}, set, true, on});
    };
    appearance("palette.usual", "Usual colours of slices", {PaletteKind::Usual, {}});
    appearance("palette.colour_blind", "Colours for colour blindness", {PaletteKind::ColorBlind, {}});
    appearance("motion.reduced", "Reduced motion: no gliding", {{}, true});
    appearance("motion.usual", "Usual motion", {{}, false});
    for (const int percent : {75, 90, 100, 110, 125, 150, 175, 200}) {
      const float scale = static_cast<float>(percent) / 100;
      add({fmt::format("text_size.{}", percent), fmt::format("Text size {} %", percent), Menu::View, "Text size", {}, {},
           command::SetInterfaceScale{scale}, true, std::abs(scene_.text_size - scale) < 0.004f});
    }
    for (std::size_t r = 0; r < kColorRules; ++r) {
      const auto rule = static_cast<ColorRule>(r);
      add({fmt::format("colours.{}", name(rule)), fmt::format("Colour by {}", name(rule)), Menu::View, "Colours", {}, {},
           command::ColorSlices{rule}, scene_.data && std::ranges::count(scene_.colors, rule) > 0, scene_.color == rule});
    }
    for (int f = 0; f < static_cast<int>(TimeFormat::kCount); ++f) {
      const auto format = static_cast<TimeFormat>(f);
      add({fmt::format("times.{}", word_id(name(format))), fmt::format("Times: {}", name(format)), Menu::View, "Times", {}, {},
           command::SetTimeFormat{format}, std::ranges::count(scene_.times, format) > 0, scene_.time == format});
    }
    const auto split = [&](SplitBy by, const char* title, bool enabled) {
      add({fmt::format("split.{}", name(by)), title, Menu::View, "Two timelines", {}, {}, command::AlignSplit{by}, scene_.data && enabled,
           scene_.split == by});
    };
    split(SplitBy::Recorded, "Two timelines: the same time", true);
    split(SplitBy::Starts, "Two timelines: aligned at their starts", true);
    split(SplitBy::Steps, "Two timelines: aligned at steps", scene_.steps);
    split(SplitBy::Slices, "Two timelines: aligned at two selected slices", scene_.slices > 1);
    constexpr std::array<std::string_view, static_cast<std::size_t>(Align::kCount)> kAligns = {
        "Runs as recorded", "Runs each from 0", "Runs without the idle time between them"};
    static_assert(!kAligns.back().empty());
    for (std::size_t a = 0; a < kAligns.size(); ++a) {
      const auto align = static_cast<Align>(a);
      add({fmt::format("runs.{}", word_id(name(align))), std::string(kAligns[a]), Menu::View, "Runs", {}, {},
           command::AlignRuns{align}, is_met(Need::Runs, scene_), scene_.align == align});
    }
  }

  void pages() {
    for (const ManualPage& page : manual_pages()) {
      add({fmt::format("manual.{}", page.topic), fmt::format("Manual: {}", page.title), Menu::Help, "Manual", {}, {},
           command::OpenManual{page.topic}});
    }
  }

  void orders() {
    const bool file_order = !scene_.sort && !scene_.order;
    add({"sort.none", "Lanes in the order of the files", Menu::Lanes, "Order", {}, {}, command::SortLanes{}, scene_.data, file_order});
    for (std::size_t s = 0; s < kLaneSorts; ++s) {
      const auto sort = static_cast<LaneSort>(s);
      add({fmt::format("sort.{}", name(sort)), fmt::format("Sort lanes by {}: {}", name(sort), meaning(sort)), Menu::Lanes, "Order",
           {}, {}, command::SortLanes{sort}, scene_.data, scene_.sort == sort});
    }
    for (std::size_t m = 0; m < kHeatMeasures; ++m) {
      const auto measure = static_cast<HeatMeasure>(m);
      add({fmt::format("order.{}", word_of(measure)), fmt::format("Workers by {} in the step", name(measure)), Menu::Lanes, "Order",
           {}, {}, command::OrderLanes{measure}, scene_.requests, scene_.order == measure});
    }
  }

  void mouse_presets() {
    for (std::size_t p = 0; p < kMousePresets; ++p) {
      const auto preset = static_cast<MousePreset>(p);
      add({fmt::format("mouse.like_{}", name(preset)), std::string(meaning(preset)), Menu::Edit, "Mouse", {}, {},
           command::SetMouse{preset}, true, scene_.mouse.preset == preset});
    }
  }

 private:
  void add(ListedCommand command) { out_.push_back(std::move(command)); }
  static std::string word_id(std::string_view words) {
    std::string out(words);
    std::ranges::replace(out, ' ', '_');
    return out;
  }

  const CommandScene& scene_;
  std::vector<ListedCommand>& out_;
};

}  // namespace

std::vector<ListedCommand> command_list(const CommandScene& scene) {
  std::vector<ListedCommand> out;
  CommandListing listing(scene, out);
  listing.actions();
  listing.panels();
  listing.looks();
  listing.orders();
  listing.mouse_presets();
  listing.pages();
  // Groups the commands of a menu by section, in order of first occurrence; commands without a section come first.
  std::vector<std::pair<Menu, std::string_view>> seen;
  const auto place = [&](const ListedCommand& each) {
    const auto at = std::ranges::find(seen, std::pair<Menu, std::string_view>(each.menu, each.section));
    return each.section.empty() ? 0 : static_cast<std::size_t>(at - seen.begin()) + 1;
  };
  for (const ListedCommand& each : out) {
    if (place(each) == seen.size() + 1) seen.emplace_back(each.menu, each.section);
  }
  std::ranges::stable_sort(out, [&](const ListedCommand& a, const ListedCommand& b) {
    if (a.menu != b.menu) return a.menu < b.menu;
    // Quit comes last in its menu.
    if ((a.id == "app.quit") != (b.id == "app.quit")) return b.id == "app.quit";
    return place(a) < place(b);
  });
  return out;
}

}  // namespace tv
