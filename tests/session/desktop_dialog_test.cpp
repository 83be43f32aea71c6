// The desktop's file dialogs, which are other programs: their arguments and how answers are parsed. Scripts stand in for them.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "core/session/desk/desktop_dialog.h"
#include "tests/session/trace_files.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string program_of(const TempDir& folder, const char* name, const std::string& body) {
  const std::string path = folder.write(name, "#!/bin/sh\n" + body);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

DesktopDialog::Answer answer_of(const DialogPrograms& programs, const FileQuestion& question, const std::string& folder = {}) {
  DesktopDialog dialog(programs, {});
  dialog.ask(question, folder, {});
  std::optional<DesktopDialog::Answer> answer;
  wait_until([&] { return (answer = dialog.take()).has_value(); });
  return *answer;
}

}  // namespace

TEST_CASE("desktop dialog: names with spaces, quotes, newlines and non-ASCII letters come back unchanged") {
  const TempDir folder;
  const std::string zenity = program_of(folder, "zenity", "echo noise >&2; printf '%s\\n' \"/a b/it's \\\"x\\\".json///tmp/one\ntwo.json///数据/跟踪.json\"\n");
  const std::vector<std::string> wanted = {"/a b/it's \"x\".json", "/tmp/one\ntwo.json", "/数据/跟踪.json"};
  CHECK(answer_of({false, zenity, {}}, {}).paths == wanted);
  const std::string kdialog = program_of(folder, "kdialog", "printf '%s\\n' \"/a b/it's \\\"x\\\".json\" '/tmp/one\ntwo.json' /数据/跟踪.json\n");
  CHECK(answer_of({false, {}, kdialog}, {}).paths == wanted);
}

TEST_CASE("desktop dialog: a folder or a file to save is one path, even with newlines in it") {
  const TempDir folder;
  const std::string kdialog = program_of(folder, "kdialog", "printf '/runs\\n/one\\n\\n'\n");
  const std::vector<std::string> wanted = {"/runs\n/one\n"};
  CHECK(answer_of({false, {}, kdialog}, {FilePurpose::OpenFolder, {}}).paths == wanted);
  CHECK(answer_of({false, {}, kdialog}, {FilePurpose::SaveView, "a.tvview"}).paths == wanted);
  CHECK(kdialog_answer("", FilePurpose::OpenFolder).empty());
}

TEST_CASE("desktop dialog: names are passed as arguments, not interpreted by a shell") {
  const TempDir folder;
  const std::string said = folder.path("said");
  const std::string zenity = program_of(folder, "zenity", "for word in \"$@\"; do printf '[%s]' \"$word\"; done > '" + said + "'; echo /x\n");
  answer_of({false, zenity, {}}, {FilePurpose::SaveView, "$(touch pwned) `x` 'a' \"b\".tvview"}, "/tmp/a b");
  const std::string words = read_file(said);
  CHECK(words.find("[--filename=/tmp/a b/$(touch pwned) `x` 'a' \"b\".tvview]") != std::string::npos);
  CHECK(words.find("[--save]") != std::string::npos);
  CHECK(words.find("[--file-filter=Views (.tvview) | *.tvview]") != std::string::npos);
}

TEST_CASE("desktop dialog: cancelling gives no path, and a broken program falls back to the next one or fails") {
  const TempDir folder;
  const std::string cancelled = program_of(folder, "zenity", "exit 1\n"), broken = program_of(folder, "broken", "exit 127\n");
  const std::string kdialog = program_of(folder, "kdialog", "echo /from/kdialog\n");
  auto answer = answer_of({false, cancelled, kdialog}, {});
  CHECK((answer.paths.empty() && !answer.failed));
  CHECK(answer_of({false, broken, kdialog}, {}).paths == std::vector<std::string>{"/from/kdialog"});
  answer = answer_of({false, broken, {}}, {FilePurpose::SaveView, "t.tvview"});
  CHECK((answer.failed && answer.question == FileQuestion{FilePurpose::SaveView, "t.tvview"}));
}

TEST_CASE("desktop dialog: an open dialog stays open when another is asked for, and its destruction does not wait") {
  const TempDir folder;
  DesktopDialog dialog({false, program_of(folder, "zenity", "sleep 100\n"), {}}, {});
  dialog.ask({}, {}, {});
  dialog.ask({FilePurpose::SaveView, "second"}, {}, {});
  CHECK(dialog.open());
  CHECK(!dialog.take());
}

TEST_CASE("desktop dialog: opening files, opening a folder and saving a file pass different options") {
  const auto has = [](const std::vector<std::string>& words, const char* word) { return std::ranges::find(words, word) != words.end(); };
  const auto files = zenity_command("z", {FilePurpose::OpenTraces, {}}, "/data"), of_folder = zenity_command("z", {FilePurpose::OpenFolder, {}}, "");
  CHECK((has(files, "--multiple") && has(files, "--filename=/data/") && !has(files, "--directory") && !has(files, "--save")));
  CHECK((has(of_folder, "--directory") && !has(of_folder, "--filename=")));
  const auto save = kdialog_command("k", {FilePurpose::SaveView, "a.tvview"}, "/p/");
  CHECK((has(save, "--getsavefilename") && has(save, "/p/a.tvview") && !has(save, "--multiple")));
  CHECK(has(kdialog_command("k", {FilePurpose::OpenFolder, {}}, "/data"), "--getexistingdirectory"));
  CHECK(zenity_answer("").empty());
  CHECK(kdialog_answer("/a\n", FilePurpose::OpenTraces) == std::vector<std::string>{"/a"});
}
