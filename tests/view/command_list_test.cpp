#include "core/view/command_list.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/view/command_box.h"

namespace tv {
namespace {

CommandScene scene_with_everything() {
  CommandScene scene;
  scene.open = scene.data = scene.loading = scene.slice = scene.gap = scene.range = scene.lane = scene.pointed_gap = true;
  scene.flows = scene.marks = scene.spans = scene.searched = scene.requests = scene.steps = true;
  scene.runs = 2;
  scene.align = Align::Recorded;
  for (std::size_t r = 0; r < kColorRules; ++r) scene.colors.push_back(static_cast<ColorRule>(r));
  for (int f = 0; f < static_cast<int>(TimeFormat::kCount); ++f) scene.times.push_back(static_cast<TimeFormat>(f));
  scene.panels = {{"details", "Details", "", "Trace", true, true}, {"cdf", "CDF", "", "Rollout", true, false}};
  return scene;
}

std::vector<BoxLine> lines_of(const std::vector<ListedCommand>& commands) {
  std::vector<BoxLine> lines;
  for (const ListedCommand& each : commands) lines.push_back({each.id, each.title, each.enabled});
  return lines;
}

}  // namespace

TEST_CASE("command list: every action of the key table is in it once, with its keys") {
  const std::vector<ListedCommand> list = command_list(scene_with_everything());
  std::set<std::string> ids, titles;
  std::map<Action, std::string> keys;
  for (const ListedCommand& each : list) {
    CAPTURE(each.id);
    CHECK(ids.insert(each.id).second);
    CHECK(titles.insert(each.title).second);  // else nobody could tell them apart
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
    CHECK((std::holds_alternative<command::ZoomBy>(listed->command) || std::holds_alternative<command::PanBy>(listed->command)));
  }
  for (const char* more : {"panel.cdf", "theme.light", "text_size.150", "colours.phase", "sort.busy", "order.tail", "mouse.like_tracy"}) {
    CAPTURE(more);
    CHECK(ids.contains(more));
  }
}

TEST_CASE("command list: the whole title of a command, typed, finds it first, and every one is in a menu") {
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

TEST_CASE("command list: with nothing open only what needs nothing can be chosen") {
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

TEST_CASE("command list: keys are those the user has now") {
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

TEST_CASE("command box: used ones first, what cannot be chosen last") {
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
  CHECK(order("nothing like it", {}) == "");
  const auto rows = box_rows(lines, "fe", {});
  REQUIRE(rows.size() >= 1);
  CHECK(rows[0].line == 0);
  CHECK(rows[0].letters == std::vector<std::uint32_t>{0, 4});
}

}  // namespace tv
