#include "core/view/menus/command_list.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <typeindex>
#include <typeinfo>
#include <utility>

#include "core/view/menus/command_box.h"

namespace tv {
namespace {

CommandScene scene_with_everything() {
  CommandScene scene;
  scene.open = scene.data = scene.loading = scene.slice = scene.gap = scene.range = scene.lane = scene.pointed_gap = true;
  scene.flows = scene.marks = scene.spans = scene.searched = scene.requests = scene.steps = true;
  scene.closed_tab = scene.closed_files = scene.kept.session = scene.kept.sample = scene.kept.recent = true;
  scene.runs = 2;
  scene.slices = 2;
  scene.align = Align::Recorded;
  for (std::size_t r = 0; r < kColorRules; ++r) scene.colors.push_back(static_cast<ColorRule>(r));
  for (int f = 0; f < static_cast<int>(TimeFormat::kCount); ++f) scene.times.push_back(static_cast<TimeFormat>(f));
  scene.panels = {{"details", "Details", "", "Trace", true, true}, {"cdf", "CDF", "", "Rollout", true, false},
                  {"training", "Training", "", "Training", true, false}, {"pipeline", "Pipeline", "", "Pipeline", true, false},
                  {"gpu", "GPUs", "", "GPU", true, false}};
  return scene;
}

std::vector<BoxLine> lines_of(const std::vector<ListedCommand>& commands) {
  std::vector<BoxLine> lines;
  for (const ListedCommand& each : commands) lines.push_back({each.id, each.title, each.enabled});
  return lines;
}

}  // namespace

TEST_CASE("command list: every action of the key table is listed once, with its keys") {
  const std::vector<ListedCommand> list = command_list(scene_with_everything());
  std::set<std::string> ids, titles;
  std::map<Action, std::string> keys;
  for (const ListedCommand& each : list) {
    CAPTURE(each.id);
    CHECK(ids.insert(each.id).second);
    CHECK(titles.insert(each.title).second);  // else they could not be told apart
    CHECK(each.title.size() > 2);
    CHECK(each.enabled);
    if (each.action) keys[*each.action] = each.keys;
  }
  for (const Binding& row : bindings()) {
    CAPTURE(row.id);
    REQUIRE(keys.contains(row.action));
    CHECK(keys[row.action] == keys_text(row));
    if (!row.held) continue;
    const auto listed = std::ranges::find(list, std::optional(row.action), &ListedCommand::action);
    CHECK((listed->command.is<command::ZoomBy>() || listed->command.is<command::PanBy>()));
  }
  for (const char* more : {"panel.cdf", "theme.light", "text_size.150", "colours.phase", "sort.busy", "order.tail", "mouse.like_tracy"}) {
    CAPTURE(more);
    CHECK(ids.contains(more));
  }
}

TEST_CASE("command list: typing a full title finds its command first, and every command is in a menu") {
  const std::vector<ListedCommand> list = command_list(scene_with_everything());
  const std::vector<BoxLine> lines = lines_of(list);
  std::size_t in_menus = 0;
  for (std::size_t c = 0; c < list.size(); ++c) {
    CAPTURE(list[c].title);
    const auto rows = box_rows(lines, list[c].title, {});
    REQUIRE_FALSE(rows.empty());
    CHECK(rows.front().line == c);
  }
  for (std::size_t m = 0; m < kMenus; ++m) {
    const auto count = std::ranges::count(list, static_cast<Menu>(m), &ListedCommand::menu);
    CAPTURE(name(static_cast<Menu>(m)));
    CHECK(count > 1);
    in_menus += static_cast<std::size_t>(count);
  }
  CHECK(in_menus == list.size());
  CHECK(std::ranges::is_sorted(list, {}, &ListedCommand::menu));
  std::set<std::pair<Menu, std::string_view>> ended;  // sections stay together
  for (std::size_t c = 1; c < list.size(); ++c) {
    const std::pair<Menu, std::string_view> here(list[c].menu, list[c].section), before(list[c - 1].menu, list[c - 1].section);
    if (here == before || list[c].id == "app.quit") continue;
    ended.insert(before);
    CAPTURE(list[c].id);
    CHECK_FALSE(ended.contains(here));
  }
}

// A new command must say how users reach it.
TEST_CASE("command list: every kind of command is listed, or known to be made elsewhere in the window") {
  struct Elsewhere {
    std::type_index kind;
    const char* by;
  };
  using namespace command;
  const auto by = [](const Command& any, const char* where) { return Elsewhere{any.kind(), where}; };
  const Elsewhere kElsewhere[] = {
      by(OpenPaths{}, "files that are dropped or chosen; the recent ones of the start page"),
      by(OpenPart{}, "the panel that says why a trace was not read to its end"),
      by(ChooseFile{}, "commands that need a file: to save a view, to look for missing files"),
      by(FilesChosen{}, "the dialogs, as their answer"),
      by(CloseFiles{}, "the menu of a lane, and the import report: one file"),
      by(GoToTab{}, "the bar of tabs: a click; keys walk them"),
      by(MoveTab{}, "the bar of tabs: dragging"),
      by(SetClocks{}, "the panel Clocks: offsets that are typed there"),
      by(SelectSlice{}, "the lanes, tables and lists of slices"),
      by(SelectRange{}, "dragging in the lanes; select.range makes one of the selection"),
      by(AddSlice{}, "the lanes: Ctrl+click"),
      by(SelectThrough{}, "the lanes: Shift+click"),
      by(SelectName{}, "tables of names; select.same_name does it for the selected slice"),
      by(ToggleAreaLane{}, "the boxes beside the names of an area's lanes"),
      by(SelectGap{}, "the lanes; gap.next and gap.select choose one themselves"),
      by(ZoomTo{}, "the minimap, charts and double clicks: a stretch of time"),
      by(ShowTime{}, "dragging the view"),
      by(ToggleLane{}, "the arrow beside a lane's name"),
      by(SizeRows{}, "a lane's menu; lanes.row_size does it for the lane that is pointed at"),
      by(LimitDepth{}, "a lane's menu; also lanes.cut"),
      by(DragLane{}, "dragging a lane's name"),
      by(ScrollToLane{}, "problems and charts that name a lane"),
      by(RevealLane{}, "the box of lanes' names, which lanes.find opens"),
      by(command::Search{}, "the box that search.open opens"),
      by(GoToHit{}, "the list of hits"),
      by(GoTo{}, "the box that view.go_to opens"),
      by(FilterRequests{}, "the bar of filters, and charts"),
      by(RemoveFilter{}, "the cross of a filter"),
      by(BrushRequests{}, "dragging in charts"),
      by(BrushSlices{}, "dragging in charts"),
      by(SelectRequest{}, "tables and charts of requests"),
      by(ShowText{}, "the places in the import report"),
      by(GoToStep{}, "the strip of steps; step.next walks them"),
      by(GoToTrainingStep{}, "the strip of steps"),
      by(GoToMarkedStep{}, "the strip of steps"),
      by(GoToWorkerStep{}, "charts of workers"),
      by(SetChart{}, "the controls of a chart, below it"),
      by(LocateSources{}, "the box that names missing files"),
      by(MovePanel{}, "a panel's menu, and dragging its tab"),
      by(ClosePanel{}, "a panel's cross"),
      by(SizePanels{}, "dragging between panels"),
      by(NextSplitStep{}, "the arrows above a half of two timelines"),
      by(ChooseSplitLanes{}, "the menu above a half of two timelines; lanes.isolate does it for the lane under the mouse"),
      by(SizeSplit{}, "dragging between two timelines"),
      by(PlaceOwnPanel{}, "dragging a panel's own window"),
      by(CloseCommandBox{}, "the box itself"),
      by(NoteCommand{}, "whatever runs a command of the list"),
      by(KeepTable{}, "tables, when their order, filter or columns change"),
      by(SaveText{}, "tables and charts, with their contents"),
      by(TakeProblems{}, "the import report: buttons that copy and save its problems"),
  };
  std::set<std::type_index> listed, elsewhere;
  for (const ListedCommand& each : command_list(scene_with_everything())) listed.insert(each.command.kind());
  for (const Elsewhere& each : kElsewhere) {
    CAPTURE(each.by);
    CHECK(elsewhere.insert(each.kind).second);
    CHECK_FALSE(listed.contains(each.kind));  // else it needs no exception
  }
  Command::each_kind([&]<class Kind>() {
    INFO(typeid(Kind).name(), ": neither in the list nor argued above");
    CHECK((listed.contains(typeid(Kind)) || elsewhere.contains(typeid(Kind))));
  });
}

TEST_CASE("command list: panel commands show a panel instead of toggling it, and keys match the menu") {
  const std::vector<ListedCommand> list = command_list(scene_with_everything());
  for (const ListedCommand& each : list) {
    if (!each.title.starts_with("Show: ")) continue;
    CAPTURE(each.id);
    CHECK(each.command.is<command::ShowPanel>());
  }
  for (const ListedCommand& each : list) {  // a key does what the menu does
    const auto by_key = each.action ? command_for(*each.action) : std::nullopt;
    CAPTURE(each.id);
    if (by_key) CHECK(by_key->kind() == each.command.kind());
  }
}

TEST_CASE("command list: with nothing open, only commands that need no data are enabled") {
  const std::vector<ListedCommand> list = command_list({});
  const auto enabled = [&](std::string_view id) {
    const auto found = std::ranges::find(list, id, &ListedCommand::id);
    REQUIRE(found != list.end());
    return found->enabled;
  };
  for (const char* id : {"file.open", "app.quit", "window.help", "window.commands", "theme.light", "text_size.125", "mouse.like_chrome"}) {
    CAPTURE(id);
    CHECK(enabled(id));
  }
  for (const char* id : {"file.close", "view.fit_all", "view.zoom_in", "select.next", "edit.copy", "colours.phase", "sort.busy", "step.next",
                         "lanes.pin", "file.stop", "times.wall_clock"}) {
    CAPTURE(id);
    CHECK_FALSE(enabled(id));
  }
}

TEST_CASE("command list: keys are the user's current bindings") {
  const std::vector<Binding> before(bindings().begin(), bindings().end());
  std::vector<Binding> changed = before;
  changed[static_cast<std::size_t>(Action::FitAll)].chord = {Key::J, kCtrl};
  changed[static_cast<std::size_t>(Action::FitAll)].second = {};
  use_bindings(changed);
  const std::vector<ListedCommand> list = command_list(scene_with_everything());
  CHECK(std::ranges::find(list, "view.fit_all", &ListedCommand::id)->keys == "Ctrl+J");
  CHECK(action_for({Key::J, kCtrl}) == Action::FitAll);
  CHECK(action_for({Key::Digit0}) == std::nullopt);
  use_bindings(before);
  CHECK(action_for({Key::Digit0}) == Action::FitAll);
}

TEST_CASE("command box: recently used commands come first, disabled ones last") {
  const std::vector<BoxLine> lines = {{"a", "Fit everything", true}, {"b", "Fit the selection", true}, {"c", "Find a lane", false}, {"d", "Quit", true}};
  const auto order = [&](std::string_view typed, std::vector<std::string> recent) {
    std::string out;
    for (const BoxRow& row : box_rows(lines, typed, recent)) out += lines[row.line].id;
    return out;
  };
  CHECK(order("", {}) == "abdc");
  CHECK(order("", {"d", "b"}) == "dbac");
  CHECK(order("fi", {}) == "abc");
  CHECK(order("fi", {"b"}) == "bac");
  CHECK(order("fi", {"c"}) == "abc");
  CHECK(order("quit", {"a"}) == "d");
  CHECK(box_rows(std::vector<BoxLine>{{"a", "Store what is shown as view 1"}, {"b", "Show view 1"}}, "show view 1", std::vector<std::string>{"a"}).front().line == 1);
  CHECK(order("nothing like it", {}) == "");
  const auto rows = box_rows(lines, "fe", {});
  REQUIRE(rows.size() >= 1);
  CHECK(rows[0].line == 0);
  CHECK(rows[0].letters == std::vector<std::uint32_t>{0, 4});
}

}  // namespace tv
