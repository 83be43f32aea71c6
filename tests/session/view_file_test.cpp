// View files: saved in one place, opened in another; the files they name are found, or asked for.
#include <doctest/doctest.h>

#include <filesystem>

#include "core/session/desk/view_state.h"
#include "core/session/desk/window_title.h"
#include "core/session/packed/packed_trace.h"
#include "core/session/persistence/view_file.h"
#include "tests/session/desk.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;
namespace fs = std::filesystem;

namespace {

// Opens a file and waits until its view is shown, too.
void open_whole(test::TestDesk& desk, const std::string& path) {
  desk.ws.apply(OpenPaths{{path}});
  desk.wait_for_all();
}

// Saves the view as a user who accepts the proposed name.
void save_where_proposed(test::TestDesk& desk) {
  desk.apply(SaveView{});
  REQUIRE(desk.ws.state().boxes.dialog);
  REQUIRE(desk.ws.state().boxes.question.has_value());
  const FileQuestion question = *desk.ws.state().boxes.question;
  CHECK(question.purpose == FilePurpose::SaveView);
  desk.apply(FilesChosen{question.purpose, {question.name}});
  CHECK(!desk.ws.state().boxes.dialog);
}

std::string two_traces(const TempDir& folder, const std::string& under) {
  fs::create_directories(folder.path(under));
  folder.write((under + "/a.json").c_str(), "[" + event("first", 0, 1000) + "]");
  folder.write((under + "/b.json").c_str(), "[" + event("second", 500, 1000, 7) + "]");
  return folder.path(under);
}

}  // namespace

TEST_CASE("view file: it is saved next to the open files, and opens from a copy of their folder") {
  const TempDir folder;
  const std::string here = two_traces(folder, "here");
  test::TestDesk desk, other;
  desk.open({here + "/a.json", here + "/b.json"});
  CHECK(window_title(desk.ws) == "a.json and 1 more - traceview");
  desk.apply(AddMark{300'000});
  desk.apply(EditNote{EditNote::What::Rename, 0, "开始"});
  desk.apply(ZoomTo{{200'000, 600'000}});
  CHECK(desk.ws.state().notes.unsaved());
  CHECK(window_title(desk.ws) == "a.json and 1 more* - traceview");
  save_where_proposed(desk);
  const std::string view = here + "/a.tvview";
  CHECK(desk.ws.take_notice() == "view and notes are saved in " + view);
  CHECK(desk.ws.state().views.file == view);
  CHECK(!desk.ws.state().notes.unsaved());
  CHECK(window_title(desk.ws) == "a.tvview - traceview");

  fs::copy(here, folder.path("there"), fs::copy_options::recursive);
  fs::remove_all(here);
  open_whole(other, folder.path("there") + "/a.tvview");
  CHECK(other.ws.session().paths() == std::vector<std::string>{folder.path("there") + "/a.json", folder.path("there") + "/b.json"});
  CHECK(other.ws.take_notice().empty());
  CHECK(other.ws.state().view() == desk.ws.state().view());
  REQUIRE(other.ws.state().notes.all().size() == 1);
  CHECK(other.ws.state().notes.all()[0].name == "开始");
  CHECK(other.ws.state().views.file == folder.path("there") + "/a.tvview");
  CHECK(view_state_json(other.ws) == view_state_json(desk.ws));
  // Saving again writes to the same file.
  other.apply(EditNote{EditNote::What::Rename, 0, "renamed"});
  CHECK(other.ws.state().notes.unsaved());
  other.apply(SaveView{});
  CHECK(other.ws.state().views.file == folder.path("there") + "/a.tvview");
  CHECK(!fs::exists(folder.path("there") + "/a 2.tvview"));
}

TEST_CASE("view file: what the command line says about reading counts more than the view") {
  const TempDir folder;
  const std::string here = two_traces(folder, "here");
  test::TestDesk desk;
  desk.open({here + "/a.json", here + "/b.json"});
  save_where_proposed(desk);
  LoadOptions options;
  options.clocks = {{"b.json", kMillisecond}};
  options.place_by = PlaceBy::Recorded;
  options.align = Align::Zero;
  options.align_given = true;
  test::TestDesk other(std::make_shared<Settings>(), options);
  open_whole(other, here + "/a.tvview");
  CHECK(other.ws.session().read().clocks == options.clocks);
  CHECK(other.ws.session().read().place_by == PlaceBy::Recorded);
  CHECK(other.ws.session().read().align == options.align);
  options.choice.ranks = {{3, 3}};
  test::TestDesk third(std::make_shared<Settings>(), options);
  open_whole(third, here + "/a.tvview");
  CHECK(third.ws.session().read().choice == options.choice);
}

TEST_CASE("view file: saving does not overwrite a file without asking") {
  const TempDir folder;
  const std::string trace = steps(folder);
  folder.write("steps.tvview", "mine");
  test::TestDesk desk;
  desk.open({trace});
  save_where_proposed(desk);
  CHECK(desk.ws.state().views.file == folder.path("steps 2.tvview"));
  CHECK(read_file(folder.path("steps.tvview")) == "mine");
  // A dialog that knew the name without its extension has not asked whether the file may be replaced.
  desk.apply(SaveView{{}, true});
  CHECK(desk.ws.state().boxes.question->name == folder.path("steps 2.tvview"));
  desk.apply(FilesChosen{FilePurpose::SaveView, {folder.path("steps")}});
  CHECK(desk.ws.take_notice().find("already exists") != std::string::npos);
  CHECK(desk.ws.state().boxes.question->name == folder.path("steps.tvview"));
  CHECK(read_file(folder.path("steps.tvview")) == "mine");
  desk.apply(FilesChosen{FilePurpose::SaveView, {}});
  CHECK(desk.ws.state().views.file == folder.path("steps 2.tvview"));
  desk.apply(SaveView{{}, true});
  desk.apply(FilesChosen{FilePurpose::SaveView, {"file://" + folder.path("other%20name")}});
  CHECK(desk.ws.state().views.file == folder.path("other name.tvview"));
  desk.apply(SaveView{folder.path("named")});
  CHECK(desk.ws.state().views.file == folder.path("named.tvview"));
  desk.apply(SaveView{folder.path("no/such/folder/x.tvview")});
  CHECK(desk.ws.take_notice().find("the view was not saved: ") != std::string::npos);
  CHECK(desk.ws.state().views.file == folder.path("named.tvview"));
}

TEST_CASE("view file: missing files are named and can be located, and the rest opens") {
  const TempDir folder;
  const std::string here = two_traces(folder, "here");
  test::TestDesk desk, other;
  desk.open({here + "/a.json", here + "/b.json"});
  desk.apply(AddMark{300'000});
  save_where_proposed(desk);
  fs::create_directories(folder.path("moved"));
  fs::rename(here + "/b.json", folder.path("moved") + "/b.json");
  open_whole(other, here + "/a.tvview");
  CHECK(other.ws.session().paths().size() == 1);
  CHECK(other.ws.take_notice().find("not found: b.json") != std::string::npos);
  REQUIRE(other.ws.state().views.missing.size() == 1);
  CHECK(other.ws.state().notes.marks() == std::vector<Ns>{300'000});
  other.apply(LocateSources{folder.path()});
  CHECK(other.ws.take_notice() == "not found there either: b.json");
  CHECK(other.ws.state().views.missing.size() == 1);
  other.ws.apply(LocateSources{folder.path("moved")});
  other.wait_for_all();
  CHECK(other.ws.session().paths().size() == 2);
  CHECK(other.ws.state().views.missing.empty());
  CHECK(other.ws.state().notes.marks() == std::vector<Ns>{300'000});
  CHECK(other.ws.state().views.file == here + "/a.tvview");
  // If nothing is found at all, the open files stay.
  fs::remove_all(folder.path("moved"));
  fs::remove(here + "/a.json");
  test::TestDesk third;
  third.open({steps(folder)});
  third.open({here + "/a.tvview"});
  CHECK(third.ws.session().paths() == std::vector<std::string>{folder.path("steps.json")});
  CHECK(third.ws.state().views.missing.size() == 2);
}

TEST_CASE("view file: missing files are looked for in recent folders, and in a chosen one") {
  const TempDir folder;
  const std::string here = two_traces(folder, "here");
  test::TestDesk desk, other;
  desk.open({here + "/a.json", here + "/b.json"});
  save_where_proposed(desk);
  for (const char* const place : {"one", "two"}) fs::create_directories(folder.path(place));
  fs::rename(here + "/a.json", folder.path("one") + "/a.json");
  fs::rename(here + "/b.json", folder.path("two") + "/b.json");
  other.ws.desk_facts().recent_folders = {folder.path("one")};
  open_whole(other, here + "/a.tvview");
  CHECK(other.ws.session().paths() == std::vector<std::string>{folder.path("one") + "/a.json"});
  REQUIRE(other.ws.state().views.missing.size() == 1);
  other.apply(ChooseFile{{FilePurpose::LookInFolder, {}}});
  CHECK(words_of(other.ws.state().boxes.question->purpose).folders);
  other.ws.apply(FilesChosen{FilePurpose::LookInFolder, {folder.path("two")}});
  other.wait_for_all();
  CHECK(other.ws.state().views.missing.empty());
  CHECK(other.ws.session().paths().size() == 2);
}

TEST_CASE("view file: missing files of two views are looked for as each view names them, and the first view is shown again") {
  const TempDir folder;
  const auto saved = [&](const std::string& under, const char* name, Ns mark) {
    test::TestDesk desk;
    desk.open({folder.write(under + "/" + name, "[" + event(name, 0, 1000) + "]")});
    desk.apply(AddMark{mark});
    desk.apply(SaveView{folder.path(under + "/v")});
    return folder.path(under + "/v.tvview");
  };
  const std::string first = saved("one", "a.json", 300'000), second = saved("two", "b.json", 100'000);
  for (const char* const place : {"with_a", "with_b"}) fs::create_directories(folder.path(place));
  fs::rename(folder.path("one/a.json"), folder.path("with_a/a.json"));
  fs::rename(folder.path("two/b.json"), folder.path("with_b/b.json"));
  folder.write("two/a.json", "[" + event("another", 0, 1000) + "]");
  test::TestDesk desk;
  desk.ws.apply(OpenPaths{{first, second, steps(folder)}});
  desk.wait_for_all();
  CHECK(desk.ws.state().views.missing.size() == 2);
  CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{300'000});
  const auto locate = [&](const char* place) {
    desk.ws.apply(LocateSources{folder.path(place)});
    desk.wait_for_all();
    CHECK(desk.ws.state().notes.marks() == std::vector<Ns>{300'000});
    CHECK(desk.ws.state().views.file == first);
  };
  locate("with_b");
  CHECK(desk.ws.session().paths() == std::vector<std::string>{folder.path("steps.json"), folder.path("with_b/b.json")});
  REQUIRE(desk.ws.state().views.missing.size() == 1);
  CHECK(desk.ws.state().views.missing[0].source.relative == "a.json");
  locate("with_a");
  CHECK(desk.ws.session().paths().back() == folder.path("with_a/a.json"));
  CHECK(desk.ws.state().views.missing.empty());
}

TEST_CASE("view file: a view that was added to open files is not shown when its missing files are found either") {
  const TempDir folder;
  const std::string here = two_traces(folder, "here");
  test::TestDesk desk, other;
  desk.open({here + "/a.json", here + "/b.json"});
  desk.apply(AddMark{300'000});
  save_where_proposed(desk);
  fs::create_directories(folder.path("moved"));
  fs::rename(here + "/b.json", folder.path("moved") + "/b.json");
  other.open({steps(folder)});
  other.ws.apply(OpenPaths{{here + "/a.tvview"}, true});
  other.wait_for_all();
  CHECK(other.ws.state().notes.empty());
  other.ws.apply(LocateSources{folder.path("moved")});
  other.wait_for_all();
  CHECK(other.ws.session().paths().size() == 3);
  CHECK(other.ws.state().notes.empty());
}

TEST_CASE("view file: a missing file without an absolute path is named by its relative one") {
  const TempDir folder;
  test::TestDesk desk;
  desk.open({folder.write("v.tvview", R"({"traceview_view":1,"sources":[{"relative":"logs/gone.json"}]})")});
  CHECK(desk.ws.take_notice() == "not found: gone.json");
  desk.apply(LocateSources{folder.path()});
  CHECK(desk.ws.take_notice() == "not found there either: gone.json");
}

TEST_CASE("view file: a file that has grown counts as the same, another one of its name is reported") {
  const TempDir folder;
  const std::string here = two_traces(folder, "here");
  test::TestDesk desk;
  desk.open({here + "/a.json"});
  save_where_proposed(desk);
  const auto sources = [&] { return find_sources(read_view_file(here + "/a.tvview").value().sources, here + "/a.tvview", {}); };
  CHECK(sources().changed.empty());
  folder.write("here/a.json", "[" + event("first", 0, 1000) + "]\n\n");
  CHECK(sources().changed.empty());
  folder.write("here/a.json", "[" + event("other", 0, 1000) + "]");
  CHECK(sources().changed == std::vector<std::string>{here + "/a.json"});
  CHECK(sources().paths == sources().changed);
}

TEST_CASE("view file: devices and other views that it names are not opened, and an invalid one is refused") {
  const TempDir folder;
  folder.write("loop.tvview", R"({"traceview_view":1,"sources":[{"relative":"loop.tvview"},{"absolute":"/dev/zero"},{"absolute":"/dev","folder":false},
                                  {"relative":"","absolute":""},{"relative":"x","size":-1,"head":"zz"},{"relative":7}]})");
  const auto file = read_view_file(folder.path("loop.tvview"));
  REQUIRE(file.ok());
  const FoundSources found = find_sources(file.value().sources, folder.path("loop.tvview"), {});
  CHECK(found.paths.empty());
  CHECK(found.missing.size() == 4);
  for (const char* text : {"", "[]", "7", "{}", R"({"sources":7})", R"({"sources":[7]})"}) {
    folder.write("broken.tvview", text);
    CHECK(!read_view_file(folder.path("broken.tvview")).ok());
  }
  test::TestDesk desk;
  desk.open({folder.path("broken.tvview")});
  CHECK(!desk.ws.session().anything_open());
  CHECK(desk.ws.take_notice().find("this is not a view file") != std::string::npos);
}

TEST_CASE("view file: its name has an extension of its own, and is derived from that of the open file") {
  CHECK(is_view_file("/a/b.tvview"));
  CHECK(!is_view_file("/a/b.json"));
  CHECK(default_view_file("/no/such/rank0.json.gz") == "/no/such/rank0.tvview");
  CHECK(default_view_file("/no/such/run_1.5") == "/no/such/run_1.5.tvview");
  CHECK(default_view_file("/no/such/.json") == "/no/such/.json.tvview");
  const TempDir folder;
  fs::create_directories(folder.path("run.log"));
  CHECK(default_view_file(folder.path("run.log") + "/") == folder.path("run.log") + ".tvview");
}

TEST_CASE("view file: a packed trace carries its view and notes") {
  const TempDir folder;
  test::TestDesk desk, other, plain;
  desk.open({steps(folder)});
  desk.apply(AddMark{300'000});
  desk.apply(EditNote{EditNote::What::Rename, 0, "here"});
  desk.apply(ZoomTo{{200'000, 600'000}});
  std::atomic<std::uint64_t> done = 0;
  REQUIRE(pack_trace(desk.ws.trace(), folder.path("with.tvx"), test_pool(), done, {.view = view_state_json(desk.ws)}).ok());
  REQUIRE(pack_trace(desk.ws.trace(), folder.path("without.tvx"), test_pool(), done).ok());
  open_whole(other, folder.path("with.tvx"));
  REQUIRE(other.ws.state().notes.all().size() == 1);
  CHECK(other.ws.state().notes.all()[0].name == "here");
  CHECK(other.ws.state().view() == desk.ws.state().view());
  plain.open({folder.path("without.tvx")});
  CHECK(plain.ws.state().notes.empty());
  CHECK(plain.shows_everything());
  CHECK(packed_view(folder.path("without.tvx"), test_pool()).empty());
}
