#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "core/io/written/user_file.h"
#include "core/session/desk/desktop_theme.h"
#include "core/session/desk/user_state.h"
#include "core/session/persistence/state_files.h"
#include "tests/session/desk.h"

namespace tv {
namespace {

namespace fs = std::filesystem;

using Change = command::ChangeRecent::What;

// A program that stores its state in a folder, with one view; the shown state of a trace is a text set by the test.
struct Living {
  explicit Living(const test::TempDir& folder)
      : user_state({folder.path("config"), folder.path("state")},
                   {[this](const Workspace&) { return seen; },
                    [this](Workspace& workspace, const std::string& text) {
                      restored.push_back(text);
                      if (on_restore) on_restore(workspace);
                      return Result<void>();
                    }},
                   {}),
        desk(user_state.settings()) {}

  // Lets enough time pass for everything that is due to be written.
  void live() {
    for (int i = 0; i < 3; ++i) {
      desk.frame();
      clock += 10;
      user_state.follow(now());
    }
  }
  UserState::Seen now() { return {clock, views, 0, place}; }
  void quit() { user_state.quit(now()); }

  std::string seen = "{\"zoom\": 1}";
  std::vector<std::string> restored;
  std::function<void(Workspace&)> on_restore;
  UserState user_state;
  test::TestDesk desk;
  Workspace* views[1] = {&desk.ws};
  std::optional<WindowPlace> place;
  double clock = 0;
};

std::string small_trace(const test::TempDir& folder, const std::string& name) {
  return folder.write(name, R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":10},{"ph":"X","name":"b","pid":1,"tid":1,"ts":20,"dur":5}])");
}

RecentFile random_recent(std::mt19937_64& random) {
  RecentFile file;
  for (std::uint64_t n = 1 + random() % 3; n > 0; --n) {
    std::string path = "/";
    constexpr std::string_view kLetters[] = {"a", "\"", "\\", "ü", "日", " ", "/", "\n", "\x01"};
    for (std::uint64_t m = 1 + random() % 6; m > 0; --m) path += kLetters[random() % std::size(kLetters)];
    file.paths.push_back(path);
  }
  file.opened_s = static_cast<std::int64_t>(random() % 2'000'000'000);
  file.bytes = random() >> 2;
  file.pinned = random() % 3 == 0;
  return file;
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777;
}

}  // namespace

TEST_CASE("user_state: recent files, sessions and window places come back from their texts") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed ", seed);
    std::mt19937_64 random(seed);
    std::vector<RecentFile> recent(random() % 5);
    for (RecentFile& file : recent) file = random_recent(random);
    CHECK(recent_from(recent_text(recent)).value() == recent);
    SavedSession session;
    for (std::uint64_t n = random() % 4; n > 0; --n) {
      session.views.push_back({random_recent(random).paths, random() % 2 ? "{\"a\": \"\\u00fc\\n\"}" : ""});
    }
    if (!session.views.empty()) session.current = random() % session.views.size();
    session.saved_s = 1'700'000'000;
    session.process = 42;
    session.ended = random() % 2 == 0;
    CHECK(session_from(session_text(session)).value() == session);
    const WindowPlace place{-5, static_cast<int>(random() % 3000), 1400, 900, random() % 2 == 0};
    CHECK(window_place_from(window_place_text(place)).value() == place);
  }
}

TEST_CASE("user_state: the newest recent files come first, old ones are dropped, and pinned ones stay until unpinned") {
  std::vector<RecentFile> recent;
  add_recent(recent, {{"/kept"}, 1, 7, false});
  change_recent(recent, {Change::Pin, {"/kept"}});
  for (int i = 0; i < 30; ++i) add_recent(recent, {{"/" + std::to_string(i)}, 2 + i, 0, false});
  CHECK(recent.size() == kMostRecent + 1);
  CHECK(recent.front().paths.front() == "/29");
  CHECK(recent.back().pinned);
  add_recent(recent, {{"/kept"}, 99, 0, false});
  CHECK(recent.front() == RecentFile{{"/kept"}, 99, 7, true});
  change_recent(recent, {Change::Remove, {"/29"}});
  CHECK(recent.size() == kMostRecent);
  change_recent(recent, {Change::Clear, {}});
  REQUIRE(recent.size() == 1);
  change_recent(recent, {Change::Unpin, {"/kept"}});
  change_recent(recent, {Change::Clear, {}});
  CHECK(recent.empty());
}

TEST_CASE("user_state: a window is restored only where a screen shows it") {
  const std::vector<ScreenPart> screens = {{0, 0, 1366, 768}, {1366, 0, 2560, 1440}};
  CHECK(place_on_screens({100, 50, 800, 600, true}, screens) == WindowPlace{100, 50, 800, 600, true});
  CHECK(place_on_screens({1300, 50, 900, 600, false}, screens) == WindowPlace{1366, 50, 900, 600, false});
  CHECK(place_on_screens({-700, 700, 800, 600, false}, screens) == WindowPlace{283, 84, 800, 600, false});  // 100 pixels are visible
  CHECK(place_on_screens({-400, 500, 800, 600, false}, screens) == WindowPlace{0, 168, 800, 600, false});
  CHECK(place_on_screens({5000, 0, 800, 600, true}, screens) == WindowPlace{283, 84, 800, 600, true});  // its screen is gone
  CHECK(place_on_screens({0, 0, 9000, 9000, false}, screens)->width == 2560);
  CHECK(place_on_screens({0, 0, 10, 10, false}, screens) == std::nullopt);
  CHECK(place_on_screens({0, 0, 800, 600, false}, {}) == std::nullopt);
}

TEST_CASE("user_state: settings, session, recent files, window place and view survive quitting and being killed") {
  const test::TempDir folder;
  const std::string trace = small_trace(folder, "one.json");
  for (const bool killed : {false, true}) {
    {
      Living first(folder);
      first.desk.ws.apply(command::ChooseTheme{ThemeChoice::Light});
      first.desk.ws.apply(command::ScaleInterface{1.25f});
      first.desk.open({trace});
      first.place = WindowPlace{10, 20, 900, 700, true};
      first.live();
      first.seen = "{\"zoom\": 2}";
      first.live();
      if (!killed) first.quit();
    }
    Living second(folder);
    CHECK(second.user_state.take_notice() == "");
    CHECK(second.desk.ws.settings().shown_theme() == ThemeKind::Light);
    CHECK(second.desk.ws.settings().text_size > 1.2f);
    CHECK(second.user_state.window_place() == WindowPlace{10, 20, 900, 700, true});
    const StartPage& page = second.user_state.start_page();
    REQUIRE(page.recent.size() == 1);
    CHECK(page.recent[0].name == "one.json");
    REQUIRE(page.session);
    CHECK(page.session->detail.starts_with("one.json, today "));
    second.user_state.apply(command::ReopenSession{}, second.desk.ws);
    second.desk.wait();
    second.live();
    CHECK(second.desk.ws.session().paths() == std::vector<std::string>{trace});
    CHECK(second.restored == std::vector<std::string>{"{\"zoom\": 2}"});
  }
}

TEST_CASE("user_state: a reopened trace gets its last view, unless the user has already moved the view") {
  const test::TempDir folder;
  const std::string one = small_trace(folder, "one.json"), two = small_trace(folder, "two.json");
  {
    Living first(folder);
    first.desk.open({one});
    first.live();
    first.seen = "{\"other\": 1}";
    first.desk.open({two});
    first.live();
    first.quit();
  }
  Living second(folder);
  second.desk.open({two});
  second.live();
  CHECK(second.restored == std::vector<std::string>{"{\"other\": 1}"});
  second.desk.open({one});
  second.desk.ws.apply(command::ZoomBy{0.5, 0.5});
  second.live();
  CHECK(second.restored.size() == 1);
}

TEST_CASE("user_state: the view of a part of a file is stored beside that of the whole, and both are restored") {
  const test::TempDir folder;
  const std::string trace = small_trace(folder, "one.json");
  LoadChoice part;
  part.ranks = {{0, 3}};
  Living program(folder);
  const auto open_part = [&] {
    program.desk.ws.apply(command::OpenPaths{.paths = {trace}, .part = part});
    program.desk.wait();
    program.live();
  };
  program.seen = "{\"of\": \"the whole\"}";
  program.desk.open({trace});
  program.live();
  program.seen = "{\"of\": \"a part\"}";
  open_part();
  program.desk.open({trace});
  program.live();
  open_part();
  CHECK(program.restored == std::vector<std::string>{"{\"of\": \"the whole\"}", "{\"of\": \"a part\"}"});
}

TEST_CASE("user_state: a view of a part that was stored as that of the whole moves to the file of the part") {
  const test::TempDir folder;
  const std::string trace = small_trace(folder, "one.json");
  {
    Living first(folder);
    first.desk.open({trace});
    first.live();
  }
  Living second(folder);
  LoadChoice part;
  part.ranks = {{0, 3}};
  second.on_restore = [&](Workspace& workspace) { workspace.apply(command::OpenPart{part}); };
  second.desk.open({trace});
  second.live();
  second.desk.wait();
  second.live();
  CHECK(second.restored == std::vector<std::string>{second.seen, second.seen});
  CHECK_FALSE(fs::exists(folder.path("state/views/" + view_file_name({trace}, ""))));
  CHECK(test::read_file(folder.path("state/views/" + view_file_name({trace}, part.text()))) == second.seen);
  second.on_restore = {};
  second.desk.open({trace});
  second.live();
  CHECK(second.restored.size() == 2);
}

TEST_CASE("user_state: a crash is distinguished from a regular quit") {
  const test::TempDir folder;
  const auto crashed = [&](std::int64_t process, bool ended) {
    folder.write("state/session.json", session_text({{{{"/x"}, ""}}, 0, 5, process, ended}));
    return UserState({folder.path("config"), folder.path("state")}, {}, {}).crashed();
  };
  constexpr std::int64_t kNobody = 2'000'000'000;
  CHECK(crashed(kNobody, false));
  CHECK_FALSE(crashed(kNobody, true));
  // A process of this id runs. It is the writer if it is called traceview; else the writer's id was given to another program.
  const auto call_this_process = [](std::string_view name) { std::ofstream("/proc/self/comm") << name; };
  const std::string own_name = test::read_file("/proc/self/comm");
  call_this_process("traceview");
  CHECK_FALSE(crashed(::getpid(), false));
  call_this_process("other");
  CHECK(crashed(::getpid(), false));
  CHECK_FALSE(crashed(::getpid(), true));
  for (const bool quits : {false, true}) {
    CAPTURE(quits);
    {
      Living program(folder);
      program.desk.open({small_trace(folder, "one.json")});
      program.live();
      if (quits) program.quit();
    }
    Living next(folder);
    CHECK(next.user_state.crashed() == !quits);
    REQUIRE(next.user_state.start_page().session);
    CHECK(next.user_state.start_page().session->crashed == !quits);
  }
  call_this_process(std::string_view(own_name).substr(0, own_name.find('\n')));
}

TEST_CASE("user_state: a state file that cannot be read is moved aside with a notice") {
  std::mt19937_64 random(3);
  const test::TempDir folder;
  for (const char* const name : {"config/settings.toml", "state/recent.json", "state/session.json", "state/commands.json", "state/window.json"}) {
    INFO(name);
    for (int round = 0; round < 3; ++round) {
      std::string bytes(40, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random());
      const std::string broken = "= {[" + bytes;
      folder.write(name, broken);
      Living program(folder);
      CHECK(program.user_state.take_notice().find("cannot be read") != std::string::npos);
      const std::string aside = folder.path(name) + ".broken-" + today() + (round == 0 ? "" : "-" + std::to_string(round + 1));
      CHECK(test::read_file(aside) == broken);
      CHECK_FALSE(fs::exists(folder.path(name)));
    }
  }
}

TEST_CASE("user_state: truncated and malformed state texts are read in part or refused") {
  const test::TempDir folder;
  const std::string whole = session_text({{{{"/a"}, "{}"}, {{"/b"}, ""}}, 1, 5, 1, true});
  for (std::size_t length = 0; length < whole.size(); length += 3) {
    const auto session = session_from(whole.substr(0, length));
    CHECK((!session || session.value().views.size() <= 2));
  }
  const std::string list = recent_text({{{"/a"}, 1, 2, true}});
  for (std::size_t length = 0; length + 2 < list.size(); ++length) CHECK_FALSE(recent_from(list.substr(0, length)).ok());
  for (const char* const odd : {"[]", "3", "{\"recent\": 4}", "{\"recent\": [3, {}, {\"paths\": [1]}]}", "null"}) {
    const auto recent = recent_from(odd);
    CHECK((!recent || recent.value().empty()));
  }
}

TEST_CASE("user_state: a folder in the place of a state file is reported once, and does no harm") {
  const test::TempDir folder;
  fs::create_directories(folder.path("config/settings.toml/x"));
  fs::create_directories(folder.path("state/recent.json"));
  Living program(folder);
  CHECK(program.user_state.take_notice().find("settings.toml") != std::string::npos);
  program.desk.ws.apply(command::ToggleTheme{});
  program.live();
  CHECK(program.user_state.take_notice().find("not saved") != std::string::npos);
  program.desk.ws.apply(command::ToggleTheme{});
  program.live();
  CHECK(program.user_state.take_notice() == "");
  CHECK(fs::is_directory(folder.path("config/settings.toml")));
}

TEST_CASE("user_state: a file that cannot be read is not replaced, and is used again once it can be read") {
  const test::TempDir folder;
  const std::string too_long = "text_size = 1.5\n# " + std::string(kLongestUserFile, '.');
  const std::string settings = folder.write("config/settings.toml", too_long), recent = folder.write("state/recent.json", too_long);
  Living program(folder);
  CHECK(program.user_state.take_notice().find("settings.toml: is too long") != std::string::npos);
  program.desk.ws.apply(command::ChooseTheme{ThemeChoice::Light});
  program.desk.open({small_trace(folder, "one.json")});
  program.live();
  CHECK(program.user_state.take_notice().find("not saved: " + settings) != std::string::npos);
  CHECK(test::read_file(settings) == too_long);
  CHECK(test::read_file(recent) == too_long);
  folder.write("config/settings.toml", "text_size = 1.5\n");
  program.desk.ws.apply(command::ChooseTheme{ThemeChoice::Dark});
  program.live();
  CHECK(program.user_state.take_notice() == "");
  auto saved = read_settings(test::read_file(settings));
  REQUIRE(saved);
  CHECK(saved->settings.theme == ThemeChoice::Dark);
  CHECK(saved->settings.text_size == 1.5f);
}

TEST_CASE("user_state: files are private to their owner, no temporary ones remain, and a symlink stays one") {
  const test::TempDir folder;
  folder.write("mine/dotfiles.toml", "# mine\ntheme = \"dark\"\n");
  fs::create_directories(folder.path("config"));
  fs::create_symlink(folder.path("mine/dotfiles.toml"), folder.path("config/settings.toml"));
  Living program(folder);
  program.desk.ws.apply(command::ChooseTheme{ThemeChoice::Light});
  program.desk.open({small_trace(folder, "one.json")});
  program.live();
  CHECK(fs::is_symlink(folder.path("config/settings.toml")));
  CHECK(test::read_file(folder.path("mine/dotfiles.toml")) == "# mine\ntheme = \"light\"\n");
  CHECK(mode_of(folder.path("state")) == 0700);
  CHECK(mode_of(folder.path("state/views")) == 0700);
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path("state"))) {
    if (!entry.is_regular_file()) continue;
    CHECK(mode_of(entry.path().string()) == 0600);
    CHECK(entry.path().extension() == ".json");
    ++files;
  }
  CHECK(files == 3);  // recent, session, one view
}

TEST_CASE("user_state: two running programs keep each other's changes") {
  const test::TempDir folder;
  Living one(folder), two(folder);
  one.desk.ws.apply(command::ChooseTheme{ThemeChoice::Light});
  two.desk.ws.apply(command::ScaleInterface{1.5f});
  one.live();
  two.live();
  one.desk.open({small_trace(folder, "one.json")});
  two.desk.open({small_trace(folder, "two.json")});
  one.live();
  two.live();
  Living third(folder);
  CHECK(third.user_state.settings()->theme == ThemeChoice::Light);
  CHECK(third.user_state.settings()->text_size == 1.5f);
  CHECK(third.user_state.start_page().recent.size() == 2);
}

TEST_CASE("user_state: without folders nothing is written, and settings of the command line are not saved") {
  const test::TempDir folder;
  {
    UserState nothing({}, {}, {});
    nothing.settings()->theme = ThemeChoice::Light;
    nothing.follow({100, {}, 0, WindowPlace{0, 0, 800, 600, false}});
    nothing.quit({200, {}, 0, WindowPlace{0, 0, 800, 600, false}});
    CHECK(nothing.take_notice() == "");
    CHECK(nothing.wait_s(0) > 1e9);
  }
  Living program(folder);
  program.user_state.set("theme", "light");
  program.user_state.set("thme", "light");
  CHECK(program.user_state.take_notice().find("did you mean \"theme\"?") != std::string::npos);
  program.live();
  CHECK_FALSE(fs::exists(folder.path("config/settings.toml")));
  program.desk.ws.apply(command::ScaleInterface{1.5f});
  program.live();
  CHECK(read_settings(test::read_file(folder.path("config/settings.toml")))->settings.text_size == 1.5f);
}

TEST_CASE("user_state: edited settings apply at once, broken ones are reported with their line, and no change is lost") {
  const test::TempDir folder;
  Living program(folder);
  UserState& user_state = program.user_state;
  user_state.set("reduced_motion", "true");  // of the command line
  folder.write("config/settings.toml", "theme = \"light\"\n");
  user_state.look_again();
  CHECK(user_state.settings()->theme == ThemeChoice::Light);
  CHECK(user_state.settings()->reduced_motion);
  const std::string broken = "theme = \"dark\"\ntext_size = = 3\n";
  folder.write("config/settings.toml", broken);
  user_state.look_again();
  CHECK(user_state.settings()->theme == ThemeChoice::Light);
  const std::string said = user_state.take_notice();
  CHECK(said.find("settings.toml, line 2") != std::string::npos);
  CHECK(test::read_file(folder.path("config/settings.toml")) == broken);
  user_state.look_again();
  CHECK(user_state.take_notice().empty());  // reported only once
  folder.write("config/settings.toml", "theme = \"drak\"\ntext_size = 1.5\n");
  user_state.look_again();
  CHECK(user_state.settings()->text_size == 1.5f);
  CHECK(user_state.take_notice().find("did you mean \"dark\"?") != std::string::npos);
  // A change made in the window a moment ago is not lost.
  program.desk.ws.apply(command::SetAppearance{PaletteKind::ColorBlind, {}});
  folder.write("config/settings.toml", "text_size = 2.0\n");
  user_state.look_again();
  CHECK(user_state.settings()->text_size == 2.0f);
  CHECK(user_state.settings()->palette == PaletteKind::ColorBlind);
  CHECK(test::read_file(folder.path("config/settings.toml")).find("colour-blind") != std::string::npos);
}

TEST_CASE("user_state: recent commands and the folders of opened files are remembered") {
  const test::TempDir folder;
  {
    Living first(folder);
    first.desk.ws.apply(command::NoteCommand{"view.fit_all"});
    first.desk.ws.apply(command::NoteCommand{"theme.light"});
    first.desk.open({small_trace(folder, "some/where/one.json")});
    first.live();
    CHECK(first.desk.ws.state().desk.recent_folders == std::vector<std::string>{folder.path("some/where")});
    first.quit();
  }
  Living second(folder);
  second.live();
  CHECK(second.desk.ws.state().desk.recent_commands == std::vector<std::string>{"theme.light", "view.fit_all"});
  CHECK(second.desk.ws.state().desk.recent_folders == std::vector<std::string>{folder.path("some/where")});
  CHECK(second.desk.ws.state().desk.kept == KeptFacts{true, false, true});
  CHECK(recent_folders({{{"/a/b/c", "/a/b/d"}}, {{"/x/y"}}, {{"relative"}}}) == std::vector<std::string>{"/a/b", "/x"});
}

TEST_CASE("start page: entries are described in words, pinned ones come first, and missing ones say so") {
  constexpr std::int64_t kNoon = 1'763'900'000;
  const std::vector<RecentFile> recent = {{{"/home/me/logs/exp_1000/"}, kNoon - 60, 2'670'000'000, false},
                                          {{"/data/a.json", "/data/b.json"}, kNoon - 40 * 86'400, 900, true}};
  const auto entries = recent_entries(recent, {true, false}, "/home/me", kNoon);
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].name == "a.json and 1 more");
  CHECK(entries[0].folder == "/data");
  CHECK(entries[0].facts.starts_with("900 B, 2025-"));
  CHECK(entries[1].name == "exp_1000");
  CHECK(entries[1].folder == "~/logs");
  CHECK(entries[1].missing);
  CHECK(entries[1].facts.starts_with("not there now, 2.7 GB, "));
  CHECK(when_text(kNoon, kNoon).starts_with("today "));
  CHECK(when_text(0, kNoon).empty());
  CHECK(file_size_text(999'600'000) == "1.0 GB");
  CHECK(first_keys().size() == 5);
  for (const KeyLine& key : first_keys()) CHECK(!key.keys.empty());
}

TEST_CASE("desktop theme: the portal takes precedence over GTK_THEME, gsettings comes last, else it is unknown") {
  CHECK(theme_of_portal("(<<uint32 1>>,)") == ThemeKind::Dark);
  CHECK(theme_of_portal("v v u 2") == ThemeKind::Light);
  CHECK(theme_of_portal("(<<uint32 0>>,)") == std::nullopt);
  CHECK(theme_of_portal("") == std::nullopt);
  CHECK(theme_of_gtk("Adwaita:dark") == ThemeKind::Dark);
  CHECK(theme_of_gtk("Adwaita") == ThemeKind::Light);
  std::vector<std::string> asked;
  const auto desktop = [&](const std::string& program, const std::string& answer) {
    return [&asked, program, answer](const std::vector<std::string>& command) {
      asked.push_back(command.front());
      return command.front() == program ? answer : std::string();
    };
  };
  CHECK(desktop_theme(desktop("gdbus", "(<<uint32 2>>,)"), "x:dark", true) == ThemeKind::Light);
  CHECK(asked == std::vector<std::string>{"gdbus"});
  CHECK(desktop_theme(desktop("busctl", "v v u 1"), "", true) == ThemeKind::Dark);
  CHECK(desktop_theme(desktop("gsettings", "'prefer-light'"), "", true) == ThemeKind::Light);
  CHECK(desktop_theme(desktop("gsettings", "'default'"), "", true) == std::nullopt);
  asked.clear();
  CHECK(desktop_theme(desktop("gdbus", "(<<uint32 1>>,)"), "", false) == std::nullopt);
  CHECK(asked.empty());
}

}  // namespace tv
