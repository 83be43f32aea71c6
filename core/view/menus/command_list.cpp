#include "core/view/menus/command_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/view/manual/manual.h"
#include "core/view/panels/panel_table.h"

namespace tv {
namespace {

constexpr std::array<std::string_view, kMenus> kMenuNames = {"File", "Edit", "View", "Go", "Lanes", "Analyse", "Window", "Help"};

enum class Need : std::uint8_t { None, Open, Data, Slice, Selection, Range, Lane, PointedGap, Marks, Searched, Steps, Runs, MoreTimes, MoreColors, ClosedTab };

bool is_met(Need need, const CommandScene& scene) {
  switch (need) {
    case Need::None: return true;
    case Need::Open: return scene.open;
    case Need::Data: return scene.data;
    case Need::Slice: return scene.slice;
    case Need::Selection: return scene.slice || scene.gap || scene.range;
    case Need::Range: return scene.range;
    case Need::Lane: return scene.lane;
    case Need::PointedGap: return scene.pointed_gap;
    case Need::Marks: return scene.marks || scene.spans;
    case Need::Searched: return scene.searched;
    case Need::Steps: return scene.steps;
    case Need::Runs: return scene.runs > 1 && scene.align.has_value();
    case Need::MoreTimes: return scene.times.size() > 1;
    case Need::MoreColors: return scene.colors.size() > 1;
    case Need::ClosedTab: return scene.closed_tab;
  }
  return true;
}

// Of an action whose id begins so: the longest that does. Titles only where that of the help is too long for a menu, or says
// too little alone.
struct PlaceOfAction {
  std::string_view id;
  Menu menu;
  Need need;
  std::string_view section = {}, title = {};
};
constexpr PlaceOfAction kPlaces[] = {
    {"", Menu::Window, Need::None},
    {"file.", Menu::File, Need::None},
    {"file.close", Menu::File, Need::Open, "Tabs"},
    {"file.new_tab", Menu::File, Need::None, "Tabs"},
    {"file.next_tab", Menu::File, Need::None, "Tabs"},
    {"file.previous_tab", Menu::File, Need::None, "Tabs"},
    {"file.reload", Menu::File, Need::Open, "What is open"},
    {"file.follow", Menu::File, Need::Open, "What is open", "Follow the files"},
    {"file.export", Menu::File, Need::None, "What is open"},
    {"file.screenshot", Menu::File, Need::None, "Pictures"},
    {"file.timeline_picture", Menu::File, Need::Data, "Pictures"},
    {"file.save_view", Menu::File, Need::Open, "What is open", "Save the view"},
    {"file.save_view_as", Menu::File, Need::Open, "What is open", "Save the view as ..."},
    {"file.reopen_tab", Menu::File, Need::ClosedTab, "Tabs", "Reopen the last closed tab"},
    {"app.quit", Menu::File, Need::None},
    {"edit.", Menu::Edit, Need::Selection},
    {"edit.copy_record", Menu::Edit, Need::Slice},
    {"mark.", Menu::Edit, Need::Data, "Marks"},
    {"mark.add", Menu::Edit, Need::Data, "Marks", "Mark where the mouse is, or the selection"},
    {"mark.keep_span", Menu::Edit, Need::Selection, "Marks"},
    {"mark.delete", Menu::Edit, Need::Marks, "Marks"},
    {"mark.name", Menu::Edit, Need::Data, "Marks", "Name a mark or span"},
    {"mark.restore", Menu::Edit, Need::Data, "Marks", "Bring back the last deleted mark"},
    {"select.range", Menu::Edit, Need::Selection, "Selection"},
    {"select.clear", Menu::Edit, Need::Selection, "Selection"},
    {"select.everything", Menu::Edit, Need::Data, "Selection", "Everything as an area"},
    {"search.", Menu::Edit, Need::Data, "Search"},
    {"search.next", Menu::Edit, Need::Searched, "Search"},
    {"search.previous", Menu::Edit, Need::Searched, "Search"},
    {"mouse.", Menu::Edit, Need::None, "Mouse"},
    {"window.edit_keys", Menu::Edit, Need::None, "Keys"},
    {"view.", Menu::View, Need::Data},
    {"view.zoom_in", Menu::View, Need::Data, "", "Zoom in"},
    {"view.fit_selection", Menu::View, Need::Selection},
    {"view.store_", Menu::Go, Need::Data, "Stored views"},
    {"view.show_", Menu::Go, Need::Data, "Stored views"},
    {"view.pan_left", Menu::View, Need::Data, "", "Move earlier"},
    {"view.pan_right", Menu::View, Need::Data, "", "Move later"},
    {"view.time_format", Menu::View, Need::MoreTimes, "Times", "Change the time format"},
    {"view.next_align", Menu::View, Need::Runs, "Runs", "Lay out runs another way"},
    {"view.split", Menu::View, Need::Data, "Two timelines", "Two timelines above each other, or one"},
    {"lanes.colors", Menu::View, Need::MoreColors, "Colours", "Colour by something else"},
    {"view.back", Menu::Go, Need::Data},
    {"view.forward", Menu::Go, Need::Data, "", "Forward to the next view"},
    {"view.go_to", Menu::Go, Need::Data},
    {"select.", Menu::Go, Need::Slice, "Slices"},
    {"select.next", Menu::Go, Need::Slice, "Slices", "Next slice on the lane"},
    {"select.previous", Menu::Go, Need::Slice, "Slices", "Previous slice on the lane"},
    {"select.parent", Menu::Go, Need::Slice, "Slices", "Parent slice"},
    {"select.child", Menu::Go, Need::Slice, "Slices", "First child slice"},
    {"select.flow_forward", Menu::Go, Need::Slice, "Slices", "Follow the arrow, or to what was waited for"},
    {"select.flow_back", Menu::Go, Need::Slice, "Slices", "Follow the arrow back (kernel to launch)"},
    {"select.next_flow_forward", Menu::Go, Need::Slice, "Slices", "Next of several arrows"},
    {"select.next_flow_back", Menu::Go, Need::Slice, "Slices", "Next of several arrows back"},
    {"request.", Menu::Go, Need::Data, "Requests and steps"},
    {"request.next_slowest", Menu::Go, Need::Data, "Requests and steps", "Slowest request or slice, then the next"},
    {"request.previous_slowest", Menu::Go, Need::Data, "Requests and steps", "Back to the slower one"},
    {"step.", Menu::Go, Need::Steps, "Requests and steps"},
    {"gap.", Menu::Go, Need::Data, "Gaps"},
    {"gap.next", Menu::Go, Need::Data, "Gaps", "Longest gap, then the next shorter"},
    {"gap.previous", Menu::Go, Need::Data, "Gaps", "Next longer gap"},
    {"gap.select", Menu::Go, Need::PointedGap, "Gaps"},
    {"lanes.", Menu::Lanes, Need::Data},
    {"lanes.find", Menu::Go, Need::Data, "", "Find a lane by its name"},
    {"lanes.overview", Menu::Lanes, Need::Data, "", "Overview, or all rows of all lanes"},
    {"lanes.pin", Menu::Lanes, Need::Lane, "", "Pin this lane to the top, or unpin it"},
    {"lanes.hide", Menu::Lanes, Need::Lane, "", "Hide this lane, or those of the area"},
    {"lanes.isolate", Menu::Lanes, Need::Lane},
    {"lanes.row_size", Menu::Lanes, Need::Lane},
    {"lanes.cut", Menu::Lanes, Need::Lane},
    {"window.problems", Menu::Analyse, Need::None, "Trace", "Show: Import report"},
    {"window.help", Menu::Help, Need::None, "", "Keys and mouse"},
    {"window.commands", Menu::Help, Need::None, "", "All commands"},
    {"window.menus", Menu::Help, Need::None, "", "Menus by keyboard"},
    {"window.larger", Menu::View, Need::None, "Text size", "Larger text"},
    {"window.smaller", Menu::View, Need::None, "Text size", "Smaller text"},
    {"window.normal_size", Menu::View, Need::None, "Text size", "Text of normal size"},
    {"window.theme", Menu::View, Need::None, "Theme", "Dark or light theme"},
};

const PlaceOfAction& place_of(std::string_view id) {
  const PlaceOfAction* best = &kPlaces[0];
  for (const PlaceOfAction& each : kPlaces) {
    if (id.starts_with(each.id) && each.id.size() > best->id.size()) best = &each;
  }
  return *best;
}

// What is served while its key is down does this much when it is chosen once.
Command once(Action held) {
  constexpr double kZoom = 0.5, kPan = 0.25;
  switch (held) {
    case Action::ZoomIn: return command::ZoomBy{kZoom, 0.5};
    case Action::ZoomOut: return command::ZoomBy{1 / kZoom, 0.5};
    case Action::PanLeft: return command::PanBy{-kPan};
    default: return command::PanBy{kPan};
  }
}

class CommandListing {
 public:
  CommandListing(const CommandScene& scene, std::vector<ListedCommand>& out) : scene_(scene), out_(out) {}

  void actions() {
    for (const Binding& row : bindings()) {
      const PlaceOfAction& place = place_of(row.id);
      const bool own_title = !place.title.empty() && place.id == row.id;
      ListedCommand& each = out_.emplace_back();
      each.id = row.id;
      each.title = own_title ? place.title : row.title;
      each.menu = place.menu;
      each.section = place.section;
      each.action = row.action;
      each.keys = keys_text(row);
      each.command = command_for(row.action).value_or(row.held ? once(row.action) : Command(command::FitAll{}));
      each.enabled = is_met(place.need, scene_);
      if (const auto* const mode = each.command.get_if<command::SetMouseMode>()) each.on = scene_.mouse.mode == mode->mode;
      if (row.action == Action::Follow) each.on = scene_.following;
    }
  }

  void panels() {
    for (const CommandScene::PanelOf& panel : scene_.panels) {
      if (panel.id == "problems") continue;  // an action of its own
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
    const auto picture = [&](const char* id, const char* title, float scale, bool svg, bool copy) {
      add({id, title, Menu::File, "Pictures", {}, {}, command::Screenshot{{}, "timeline", {}, "timeline", scale, svg, copy}, scene_.data, false});
    };
    picture("picture.timeline", "Save picture of the timeline (PNG)", 1, false, false);
    picture("picture.timeline_4x", "Save picture of the timeline (PNG, 4x as sharp)", 4, false, false);
    picture("picture.timeline_svg", "Save picture of the timeline (SVG)", 1, true, false);
    picture("picture.timeline_copy", "Copy picture of the timeline", 2, false, true);
    add({"help.manual", "Manual", Menu::Help, "", {}, {}, command::OpenManual{}, true, false});
    add({"help.about", "About traceview", Menu::Help, "", {}, {}, command::ToggleDialog{command::Dialog::About}, true, false});
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
    const bool as_they_come = !scene_.sort && !scene_.order;
    add({"sort.none", "Lanes in the order of the files", Menu::Lanes, "Order", {}, {}, command::SortLanes{}, scene_.data, as_they_come});
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

  void others() {
    for (std::size_t p = 0; p < kMousePresets; ++p) {
      const auto preset = static_cast<MousePreset>(p);
      add({fmt::format("mouse.like_{}", name(preset)), std::string(meaning(preset)), Menu::Edit, "Mouse", {}, {},
           command::SetMouse{preset}, true, scene_.mouse.preset == preset});
    }
    add({"select.same_name", "Single out all slices of the selected name", Menu::Edit, "Selection", {}, {},
         command::SelectSameName{}, scene_.slice});
    add({"file.open_folder", "Open a folder", Menu::File, "", {}, {}, command::OpenDialog{.folder = true}});
    add({"file.open_tab", "Open files in a new tab", Menu::File, "", {}, {}, command::OpenDialog{.new_tab = true}});
    add({"file.open_part", "Open only a part: ranks, steps or a time", Menu::File, "", {}, {}, command::OpenDialog{.built_in = true}});
    add({"file.close_all", "Close the files of this tab", Menu::File, "What is open", {}, {}, command::CloseAll{}, scene_.open});
    add({"file.open_closed", "Open the files again that were closed alone", Menu::File, "What is open", {}, {}, command::OpenClosed{},
         scene_.closed_files});
    const auto kept = [&](const char* id, const char* title, Command does, bool enabled) {
      add({id, title, Menu::File, "Opened last", {}, {}, std::move(does), enabled});
    };
    kept("file.reopen_session", "Reopen the last session", command::ReopenSession{}, scene_.kept.session);
    kept("file.clear_recent", "Clear the list of recent files", command::ChangeRecent{command::ChangeRecent::What::Clear, {}}, scene_.kept.recent);
    kept("file.sample", "Open the sample", command::OpenSample{}, scene_.kept.sample);
    add({"lanes.clear_filter", "Clear the filter of lanes", Menu::Lanes, "", {}, {}, command::FilterLanes{}, scene_.data});
    add({"slices.clear_filter", "Clear the filter of slices", Menu::Edit, "Selection", {}, {}, command::FilterSlices{}, scene_.data});
    add({"requests.as_script", "Read requests as verl's script does, or as they are", Menu::Edit, "Requests", {}, {},
         command::ToggleScriptReading{}, scene_.requests});
    const auto clocks = [&](const char* id, const char* title, Command does, bool enabled) {
      add({id, title, Menu::View, "Clocks", {}, {}, std::move(does), enabled});
    };
    clocks("clocks.collectives", "Clocks of ranks aligned by collectives", command::PlaceClocks{PlaceBy::Collectives}, scene_.open);
    clocks("clocks.recorded", "Clocks of ranks as recorded", command::PlaceClocks{PlaceBy::Recorded}, scene_.open);
    clocks("clocks.barriers", "Clocks of rollout workers aligned by barriers", command::AlignClocks{}, scene_.requests);
    add({"file.stop", "Stop reading and keep what is there", Menu::File, "What is open", {}, {}, command::CancelLoading{}, scene_.loading});
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

std::string_view name(Menu menu) { return kMenuNames[static_cast<std::size_t>(menu)]; }

std::vector<ListedCommand> command_list(const CommandScene& scene) {
  std::vector<ListedCommand> out;
  CommandListing listing(scene, out);
  listing.actions();
  listing.panels();
  listing.looks();
  listing.orders();
  listing.others();
  listing.pages();
  // Together what belongs together, in the order in which it comes first; what has no heading above all that has.
  std::vector<std::pair<Menu, std::string_view>> seen;
  const auto place = [&](const ListedCommand& each) {
    const std::pair<Menu, std::string_view> of(each.menu, each.section);
    const auto at = std::ranges::find(seen, of);
    return each.section.empty() ? 0 : static_cast<std::size_t>(at - seen.begin()) + 1;
  };
  for (const ListedCommand& each : out) {
    if (place(each) == seen.size() + 1) seen.emplace_back(each.menu, each.section);
  }
  std::ranges::stable_sort(out, [&](const ListedCommand& a, const ListedCommand& b) {
    if (a.menu != b.menu) return a.menu < b.menu;
    // Quit is the last of all.
    if ((a.id == "app.quit") != (b.id == "app.quit")) return b.id == "app.quit";
    return place(a) < place(b);
  });
  return out;
}

}  // namespace tv
