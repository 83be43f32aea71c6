// Several workspaces as tabs: own state, shared state, freed memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/session/desk/desk.h"
#include "core/session/desk/open_title.h"
#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

struct Tabs {
  TempDir folder;
  tv::Desk desk{test_pool(), {}};
  TimelineGeometry geometry;
  double now_s = 0;

  void frame() {
    now_s += 1.0 / 60;
    desk.current().begin_frame(1.0 / 60, now_s, geometry);
    static_cast<void>(desk.take_requests());
  }
  void wait() {
    wait_until([&] { return !desk.loading(); });
    for (int i = 0; i < 100; ++i) frame();
  }
  // Applies a command to the shown workspace, as panels do.
  template <class C>
  void apply(C command) {
    desk.current().apply(command);
    frame();
  }
  void open(const std::string& path, bool new_tab = false) {
    apply(OpenPaths{{path}, false, new_tab});
    wait();
  }
  std::string file(const char* name, int events) {
    std::string text = "[";
    for (int i = 0; i < events; ++i) text += (i ? "," : "") + event(name, i * 100, 50);
    return folder.write(std::string(name) + ".json", text + "]");
  }
  std::string titles() const {
    std::string out;
    for (const TabLabel& tab : desk.tabs()) out += (out.empty() ? "" : " ") + (tab.current ? "[" + tab.title + "]" : tab.title);
    return out;
  }
};

}  // namespace

TEST_CASE("tabs: each tab keeps its own files, selection, marks, view and panels") {
  Tabs tabs;
  tabs.open(steps(tabs.folder));
  tabs.apply(SelectSlice{slice_named(tabs.desk.current().trace(), "kernel")});
  tabs.apply(AddMark{700});
  tabs.apply(ZoomTo{{100'000, 300'000}});
  tabs.apply(TogglePanel{"statistics"});
  tabs.wait();
  const Viewport view = tabs.desk.current().state().view();
  tabs.open(tabs.file("other", 3), true);
  CHECK(tabs.titles() == "steps.json [other.json]");
  CHECK(tabs.desk.current().trace().slice_count == 3);
  CHECK(tabs.desk.current().state().notes.marks().empty());
  CHECK(!tabs.desk.current().state().selection.has_slice());
  tabs.apply(NextTab{});
  CHECK(tabs.titles() == "[steps.json] other.json");
  const Workspace& back = tabs.desk.current();
  CHECK(back.trace().slice_count == 5);
  CHECK(name_of(back.trace(), back.state().selection.slice) == "kernel");
  CHECK(back.state().notes.marks() == std::vector<Ns>{700});
  CHECK(back.state().view() == view);
  CHECK(back.state().panels.layout().left == "statistics");
}

TEST_CASE("tabs: next and previous wrap around, and a tab is moved and shown by its id") {
  Tabs tabs;
  for (const char* name : {"a", "b", "c"}) tabs.open(tabs.file(name, 1), true);
  CHECK(tabs.titles() == "a.json b.json [c.json]");
  tabs.apply(NextTab{true});
  CHECK(tabs.titles() == "[a.json] b.json c.json");
  tabs.apply(NextTab{false});
  CHECK(tabs.titles() == "a.json b.json [c.json]");
  tabs.apply(MoveTab{tabs.desk.id(2), 0});
  CHECK(tabs.titles() == "[c.json] a.json b.json");
  tabs.apply(MoveTab{tabs.desk.id(1), 99});
  CHECK(tabs.titles() == "[c.json] b.json a.json");
  tabs.apply(GoToTab{tabs.desk.id(1)});
  CHECK(tabs.titles() == "c.json [b.json] a.json");
  tabs.apply(GoToTab{12345});
  CHECK(tabs.titles() == "c.json [b.json] a.json");
}

TEST_CASE("tabs: closing a tab shows its neighbour and frees the trace, the last one only closes its files") {
  Tabs tabs;
  for (const char* name : {"a", "b", "c"}) tabs.open(tabs.file(name, 1), true);
  const std::weak_ptr<const Trace> trace = tabs.desk.at(1).snapshot().trace;
  REQUIRE(!trace.expired());
  tabs.apply(CloseTab{tabs.desk.id(1)});
  CHECK(tabs.titles() == "a.json [c.json]");
  wait_until([&] { return trace.expired(); });
  tabs.apply(CloseTab{});
  CHECK(tabs.titles() == "[a.json]");
  tabs.apply(CloseTab{});
  CHECK(tabs.desk.size() == 1);
  CHECK(!tabs.desk.current().session().anything_open());
}

TEST_CASE("tabs: a file opened in a new tab reuses an empty tab, and a wrong path opens none") {
  Tabs tabs;
  const std::string first = tabs.file("first", 1);
  tabs.open(first, true);
  CHECK(tabs.titles() == "[first.json]");
  tabs.apply(OpenDialog{});
  tabs.open("/no/such/file.json", true);
  CHECK(tabs.titles() == "[first.json]");
  CHECK(tabs.desk.current().take_notice() == "/no/such/file.json: no such file or folder (check the path)");
  CHECK(tabs.desk.current().state().boxes.dialog);  // so that the path can be corrected
  tabs.open(tabs.file("second", 1), true);
  CHECK(tabs.titles() == "first.json [second.json]");
  CHECK(!tabs.desk.at(0).state().boxes.dialog);
  tabs.apply(NewTab{});
  CHECK(tabs.titles() == "first.json second.json [New tab]");
}

TEST_CASE("tabs: a file that is open in three tabs is held once, as long as one of them shows it") {
  Tabs tabs;
  const std::string file = tabs.file("a", 100);
  for (int i = 0; i < 3; ++i) tabs.open(file, true);
  REQUIRE(tabs.desk.size() == 3);
  const std::weak_ptr<const Trace> trace = tabs.desk.at(0).snapshot().trace;
  for (std::size_t i = 0; i < 3; ++i) CHECK(tabs.desk.at(i).snapshot().trace == trace.lock());
  tabs.apply(CloseTab{tabs.desk.id(0)});
  tabs.apply(CloseTab{tabs.desk.id(0)});
  CHECK(tabs.desk.current().trace().slice_count == 100);
  tabs.apply(CloseTab{});
  wait_until([&] {
    tabs.frame();
    return trace.expired();
  });
}

TEST_CASE("tabs: theme and text size are shared") {
  Tabs tabs;
  tabs.open(tabs.file("a", 1));
  tabs.open(tabs.file("b", 1), true);
  tabs.apply(ToggleTheme{});
  tabs.apply(ScaleInterface{1.5f});
  tabs.apply(NextTab{});
  CHECK(tabs.desk.current().settings().shown_theme() == ThemeKind::Light);
  CHECK(tabs.desk.current().settings().text_size == doctest::Approx(1.5));
  tabs.apply(NewTab{});
  CHECK(tabs.desk.current().settings().shown_theme() == ThemeKind::Light);
}

TEST_CASE("tabs: every snapshot of every tab has a generation of its own") {
  Tabs tabs;
  std::set<std::uint64_t> seen;
  for (const char* name : {"a", "b", "c", "d"}) {
    tabs.open(tabs.file(name, 2), true);
    const std::uint64_t generation = tabs.desk.current().snapshot().generation;
    CHECK(generation != 0);
    CHECK(seen.insert(generation).second);
  }
  tabs.apply(Reload{});
  tabs.wait();
  CHECK(seen.insert(tabs.desk.current().snapshot().generation).second);
}

TEST_CASE("tabs: files of one name are told apart by their folders") {
  Tabs tabs;
  for (const char* run : {"run_a", "run_b"}) {
    std::filesystem::create_directories(tabs.folder.path(run));
    tabs.open(tabs.folder.write(std::string(run) + "/trace.json", "[" + event("x", 0, 10) + "]"), true);
  }
  CHECK(tabs.titles() == "run_a/trace.json [run_b/trace.json]");
  CHECK(open_title({"/a/b/"}) == "b");
  CHECK(open_title({"/a/b", "/c"}) == "b and 1 more");
  CHECK(open_title({}).empty());
}

TEST_CASE("tabs: random opening, closing, moving and switching agree with a list of ids") {
  constexpr unsigned kSeed = 20261123;
  INFO("seed ", kSeed);
  std::mt19937 random(kSeed);
  Tabs tabs;
  std::vector<std::uint64_t> ids = {tabs.desk.current_id()};
  std::uint64_t current = ids.front();
  const auto place = [&](std::uint64_t id) { return static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin()); };
  for (int round = 0; round < 400; ++round) {
    const std::uint64_t any = ids[random() % ids.size()];
    switch (random() % 5) {
      case 0: {
        if (ids.size() > 6) break;
        tabs.desk.apply(NewTab{});
        const std::size_t at = place(current) + 1;
        current = tabs.desk.current_id();
        CHECK(std::ranges::find(ids, current) == ids.end());
        ids.insert(ids.begin() + static_cast<std::ptrdiff_t>(at), current);
        break;
      }
      case 1: {
        tabs.desk.apply(CloseTab{any});
        if (ids.size() == 1) break;
        const std::size_t at = place(any);
        if (any == current) current = at + 1 < ids.size() ? ids[at + 1] : ids[at - 1];
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      }
      case 2: {
        const std::size_t to = random() % ids.size();
        tabs.desk.apply(MoveTab{any, to});
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(place(any)));
        ids.insert(ids.begin() + static_cast<std::ptrdiff_t>(to), any);
        break;
      }
      case 3:
        tabs.desk.apply(GoToTab{any});
        current = any;
        break;
      default: {
        const bool forward = random() % 2 == 0;
        tabs.desk.apply(NextTab{forward});
        current = ids[(place(current) + (forward ? 1 : ids.size() - 1)) % ids.size()];
      }
    }
    REQUIRE(tabs.desk.size() == ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) CHECK(tabs.desk.id(i) == ids[i]);
    CHECK(tabs.desk.current_id() == current);
  }
}

TEST_CASE("tabs: a closed tab reopens where it was, with its view and marks") {
  Tabs tabs;
  tabs.open(steps(tabs.folder));
  tabs.open(tabs.file("second", 3), true);
  tabs.open(tabs.file("third", 4), true);
  tabs.apply(GoToTab{tabs.desk.id(1)});
  tabs.apply(ZoomTo{{10'000, 90'000}});
  tabs.apply(AddMark{20'000});
  tabs.wait();
  const Viewport view = tabs.desk.current().state().view();
  tabs.apply(CloseTab{});
  CHECK(tabs.titles() == "steps.json [third.json]");
  CHECK(tabs.desk.current().state().desk.closed_tab);
  tabs.apply(ReopenTab{});
  tabs.wait();
  CHECK(tabs.titles() == "steps.json [second.json] third.json");
  CHECK(tabs.desk.current().state().view() == view);
  CHECK(tabs.desk.current().state().notes.marks() == std::vector<Ns>{20'000});
  CHECK(!tabs.desk.current().state().desk.closed_tab);
  tabs.apply(ReopenTab{});
  CHECK(tabs.desk.current().take_notice() == "there is no closed tab to reopen");
  // It reopens in the current tab if that is empty.
  tabs.apply(CloseTab{});
  tabs.apply(CloseTab{});
  tabs.apply(CloseTab{});
  CHECK(tabs.titles() == "[New tab]");
  tabs.apply(ReopenTab{});
  tabs.wait();
  CHECK(tabs.desk.size() == 1);
  CHECK(tabs.desk.current().session().anything_open());
}

TEST_CASE("tabs: a closed tab whose files are gone leaves no empty tab, and those closed before it reopen") {
  Tabs tabs;
  tabs.open(steps(tabs.folder));
  tabs.open(tabs.file("second", 3), true);
  const std::string third = tabs.file("third", 4);
  tabs.open(third, true);
  tabs.wait();
  tabs.apply(CloseTab{tabs.desk.id(1)});
  tabs.apply(CloseTab{tabs.desk.id(1)});
  CHECK(tabs.titles() == "[steps.json]");
  std::filesystem::remove(third);
  tabs.apply(ReopenTab{});
  CHECK(tabs.titles() == "[steps.json]");
  const std::string notice = tabs.desk.current().take_notice();
  CHECK_MESSAGE(notice.find("third.json") != std::string::npos, notice);
  tabs.apply(ReopenTab{});
  tabs.wait();
  CHECK(tabs.titles() == "steps.json [second.json]");
}
