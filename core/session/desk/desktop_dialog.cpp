#include "core/session/desk/desktop_dialog.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/io/system/child_process.h"
#include "core/io/system/desktop_bus.h"

namespace tv {
namespace {

// GTK's paths are normalised: they never contain two slashes in a row.
constexpr std::string_view kZenitySeparator = "//";
constexpr const char* kAllFiles = "All files";

std::string patterns_text(const FileKind& kind) {
  std::string out;
  for (const std::string_view pattern : kind.patterns) out += (out.empty() ? "" : " ") + std::string(pattern);
  return out;
}

std::string begin_at(std::string_view folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

std::string_view without_last_newline(std::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return text;
}

PortalQuestion portal_question(const FileQuestion& question, const std::string& folder, const std::string& window) {
  const FileWords& words = words_of(question.purpose);
  PortalQuestion out;
  out.title = words.title;
  out.button = words.button;
  out.name = last_part(question.name);
  out.folder = question.name.starts_with('/') ? std::string(folder_of(question.name)) : folder;
  out.window = window;
  out.saves = words.saves;
  out.folders = words.folders;
  out.several = !words.saves;
  out.kinds.push_back({std::string(words.kind.title), {words.kind.patterns.begin(), words.kind.patterns.end()}});
  out.kinds.push_back({kAllFiles, {"*"}});
  return out;
}

// None: the program did not show a dialog.
std::optional<std::vector<std::string>> ask_program(const std::vector<std::string>& command,
                                                    const std::function<std::vector<std::string>(std::string_view)>& read,
                                                    const std::stop_token& stop) {
  const auto answer = ask_child(command, stop);
  if (!answer) return std::nullopt;
  if (answer.value().end.code == 1 || answer.value().end.stopped) return std::vector<std::string>();  // cancelled
  if (answer.value().end.code != 0) return std::nullopt;
  return read(answer.value().text);
}

// Asks one program after another until one shows a dialog.
DesktopDialog::Answer ask_in_turn(const DialogPrograms& programs, const FileQuestion& question, const std::string& folder,
                                  const std::string& window, const std::stop_token& stop) {
  if (programs.portal) {
    if (auto uris = ask_portal(portal_question(question, folder, window), stop)) return {question, std::move(uris.value())};
  }
  if (!programs.zenity.empty()) {
    if (auto paths = ask_program(zenity_command(programs.zenity, question, folder), zenity_answer, stop))
      return {question, std::move(*paths)};
  }
  if (!programs.kdialog.empty()) {
    const auto read = [&](std::string_view printed) { return kdialog_answer(printed, question.purpose); };
    if (auto paths = ask_program(kdialog_command(programs.kdialog, question, folder), read, stop))
      return {question, std::move(*paths)};
  }
  return {question, {}, true};
}

}  // namespace

DialogPrograms dialog_programs() {
  const char* const variable = std::getenv("TRACEVIEW_DIALOG");
  const std::string_view only = variable ? variable : "";
  const auto allowed = [&](std::string_view name) { return only.empty() || only == name; };
  return {allowed("portal") && may_ask_portal(), allowed("zenity") ? find_program("zenity") : std::string(),
          allowed("kdialog") ? find_program("kdialog") : std::string()};
}

std::vector<std::string> zenity_command(const std::string& program, const FileQuestion& question, std::string_view folder) {
  const FileWords& words = words_of(question.purpose);
  std::vector<std::string> out = {program, "--file-selection", "--title=" + std::string(words.title)};
  if (words.folders) out.push_back("--directory");
  if (words.saves) {
    out.push_back("--save");
    out.push_back("--confirm-overwrite");
  } else {
    out.push_back("--multiple");
    out.push_back("--separator=" + std::string(kZenitySeparator));
  }
  if (const std::string at = begin_at(folder, question.name); !at.empty()) out.push_back("--filename=" + at);
  if (words.folders) return out;
  out.push_back("--file-filter=" + std::string(words.kind.title) + " | " + patterns_text(words.kind));
  out.push_back(std::string("--file-filter=") + kAllFiles + " | *");
  return out;
}

std::vector<std::string> kdialog_command(const std::string& program, const FileQuestion& question, std::string_view folder) {
  const FileWords& words = words_of(question.purpose);
  std::vector<std::string> out = {program, "--title", std::string(words.title)};
  std::string at = begin_at(folder, question.name);
  if (at.empty()) at = ".";
  if (words.folders) {
    out.insert(out.end(), {"--getexistingdirectory", at});
    return out;
  }
  const std::string filter = patterns_text(words.kind) + "|" + std::string(words.kind.title) + "\n*|" + kAllFiles;
  if (!words.saves) out.insert(out.end(), {"--multiple", "--separate-output"});
  out.insert(out.end(), {words.saves ? "--getsavefilename" : "--getopenfilename", at, filter});
  return out;
}

std::vector<std::string> zenity_answer(std::string_view printed) {
  printed = without_last_newline(printed);
  std::vector<std::string> out;
  while (!printed.empty()) {
    const std::size_t end = printed.find(kZenitySeparator);
    if (end != 0) out.emplace_back(printed.substr(0, end));
    printed.remove_prefix(end == std::string_view::npos ? printed.size() : end + kZenitySeparator.size());
  }
  return out;
}

// A folder, or a file to be written, is one path with all its newlines. Files come one per line. A line that does not start with
// a slash continues the previous path, whose name contains a newline. After a folder whose name ends in a newline, the next line
// starts with a slash, too, and one path is taken for two.
std::vector<std::string> kdialog_answer(std::string_view printed, FilePurpose purpose) {
  printed = without_last_newline(printed);
  const FileWords& words = words_of(purpose);
  if ((words.folders || words.saves) && !printed.empty()) return {std::string(printed)};
  std::vector<std::string> out;
  while (!printed.empty()) {
    const std::size_t end = printed.find('\n');
    const std::string_view line = printed.substr(0, end);
    if (line.starts_with('/') || out.empty()) {
      out.emplace_back(line);
    } else {
      out.back() += "\n" + std::string(line);
    }
    printed.remove_prefix(end == std::string_view::npos ? printed.size() : end + 1);
  }
  return out;
}

DesktopDialog::DesktopDialog(DialogPrograms programs, std::function<void()> wake)
    : programs_(std::move(programs)), wake_(std::move(wake)) {}

bool DesktopDialog::open() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->open;
}

void DesktopDialog::ask(const FileQuestion& question, const std::string& folder, const std::string& window) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->open) return;
    shared_->open = true;
  }
  thread_ = std::jthread([shared = shared_, programs = programs_, wake = wake_, question, folder, window](const std::stop_token& stop) {
    Answer answer = ask_in_turn(programs, question, folder, window, stop);
    {
      const std::lock_guard lock(shared->mutex);
      shared->answer = std::move(answer);
      shared->open = false;
    }
    if (wake) wake();
  });
}

std::optional<DesktopDialog::Answer> DesktopDialog::take() {
  const std::lock_guard lock(shared_->mutex);
  return std::exchange(shared_->answer, std::nullopt);
}

}  // namespace tv
