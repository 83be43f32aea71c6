// The desktop's dialogs as other programs: their arguments, and the meaning of their answers. The programs are small scripts.
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

TEST_CASE("desktop dialog: names with blanks, quotes, newlines and other letters come back as they are") {
  const TempDir folder;
  const std::string zenity = program_of(folder, "zenity", "echo noise >&2; printf '%s\\n' \"/a b/it's \\\"x\\\".json///tmp/one\ntwo.json///数据/跟踪.json\"\n");
  const std::vector<std::string> wanted = {"/a b/it's \"x\".json", "/tmp/one\ntwo.json", "/数据/跟踪.json"};
  CHECK(answer_of({false, zenity, {}}, {}).paths == wanted);
  const std::string kdialog = program_of(folder, "kdialog", "printf '%s\\n' \"/a b/it's \\\"x\\\".json\" '/tmp/one\ntwo.json' /数据/跟踪.json\n");
  CHECK(answer_of({false, {}, kdialog}, {}).paths == wanted);
}

TEST_CASE("desktop dialog: a folder, or a file to be written, is one path, whatever newlines are in it") {
  const TempDir folder;
  const std::string kdialog = program_of(folder, "kdialog", "printf '/runs\\n/one\\n\\n'\n");
  const std::vector<std::string> wanted = {"/runs\n/one\n"};
  CHECK(answer_of({false, {}, kdialog}, {FilePurpose::OpenFolder, {}}).paths == wanted);
  CHECK(answer_of({false, {}, kdialog}, {FilePurpose::SaveView, "a.tvview"}).paths == wanted);
  CHECK(kdialog_answer("", FilePurpose::OpenFolder).empty());
}

TEST_CASE("desktop dialog: names are arguments, not words of a shell") {
  const TempDir folder;
  const std::string said = folder.path("said");
  const std::string zenity = program_of(folder, "zenity", "for word in \"$@\"; do printf '[%s]' \"$word\"; done > '" + said + "'; echo /x\n");
  answer_of({false, zenity, {}}, {FilePurpose::SaveView, "$(touch pwned) `x` 'a' \"b\".tvview"}, "/tmp/a b");
  const std::string words = read_file(said);
  CHECK(words.find("[--filename=/tmp/a b/$(touch pwned) `x` 'a' \"b\".tvview]") != std::string::npos);
  CHECK(words.find("[--save]") != std::string::npos);
  CHECK(words.find("[--file-filter=Views (.tvview) | *.tvview]") != std::string::npos);
}

TEST_CASE("desktop dialog: nobody wants any, or nobody can ask") {
  const TempDir folder;
  const std::string cancelled = program_of(folder, "zenity", "exit 1\n"), broken = program_of(folder, "broken", "exit 127\n");
  const std::string kdialog = program_of(folder, "kdialog", "echo /from/kdialog\n");
  auto answer = answer_of({false, cancelled, kdialog}, {});
  CHECK((answer.paths.empty() && !answer.failed));
  CHECK(answer_of({false, broken, kdialog}, {}).paths == std::vector<std::string>{"/from/kdialog"});
  answer = answer_of({false, broken, {}}, {FilePurpose::SaveView, "t.tvview"});
  CHECK((answer.failed && answer.question == FileQuestion{FilePurpose::SaveView, "t.tvview"}));
}

TEST_CASE("desktop dialog: one is open at a time, and closing the program ends it") {
  const TempDir folder;
  DesktopDialog dialog({false, program_of(folder, "zenity", "sleep 100\n"), {}}, {});
  dialog.ask({}, {}, {});
  dialog.ask({FilePurpose::SaveView, "second"}, {}, {});
  CHECK(dialog.open());
  CHECK(!dialog.take());
}

TEST_CASE("desktop dialog: files, folders and files to be written are asked for differently") {
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
