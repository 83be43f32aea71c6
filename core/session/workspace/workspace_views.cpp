// View files: saved with the list of open files, and opened like any other file.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/text/count_text.h"
#include "core/base/text/path_parts.h"
#include "core/io/files/given_path.h"
#include "core/session/persistence/view_file.h"
#include "core/session/workspace/workspace.h"

namespace tv {
namespace {

// A path that does not exist yet.
std::string free_view_path(const std::string& wanted) {
  std::error_code code;
  if (!std::filesystem::exists(wanted, code)) return wanted;
  const std::string stem = wanted.substr(0, wanted.size() - kViewEnding.size());
  for (int n = 2; n < 1000; ++n) {
    std::string path = stem + " " + std::to_string(n) + std::string(kViewEnding);
    if (!std::filesystem::exists(path, code)) return path;
  }
  return wanted;
}

// Limits the list, because the text must fit on one line.
std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  std::string out;
  for (std::size_t n = 0; n < std::min(names.size(), kMost); ++n) out += (n > 0 ? ", " : "") + names[n];
  return names.size() > kMost ? out + fmt::format(" and {} more", format_count(names.size() - kMost)) : out;
}

}  // namespace

void Workspace::on(const command::SaveView& asked) {
  if (!session_.anything_open()) {
    notice_ = "nothing is open, so there is no view to save";
    return;
  }
  if (asked.ask || (asked.path.empty() && state_.views.file.empty())) {
    // Propose an unused name, so that another user's file is only replaced on explicit request.
    const std::string suggested = state_.views.file.empty() ? free_view_path(default_view_file(session_.paths().front())) : state_.views.file;
    on(command::ChooseFile{{FilePurpose::SaveView, suggested}});
    return;
  }
  const std::string path = with_ending(FilePurpose::SaveView, asked.path.empty() ? state_.views.file : asked.path);
  const auto saved = write_view_file(path, session_.paths(), to_json(shown_state()));
  if (!saved) {
    notice_ = "the view was not saved: " + saved.error().text();
    return;
  }
  state_.views.file = path;
  state_.notes.saved_version = state_.notes.list.version();
  notice_ = "view and notes are saved in " + path;
}

// Dialogs ask before a file is replaced, but some of them only know the name without its suffix.
void Workspace::view_chosen(std::string path) {
  if (auto local = named_path(path)) path = std::move(local.value());
  const std::string whole = with_ending(FilePurpose::SaveView, path);
  std::error_code code;
  if (whole != path && whole != state_.views.file && std::filesystem::exists(whole, code)) {
    notice_ = whole + " already exists: choose it by its whole name to replace it";
    on(command::ChooseFile{{FilePurpose::SaveView, whole}});
    return;
  }
  on(command::SaveView{whole});
}

// Replaces view files among the opened paths by the files they name; the first one's state is used.
TakenView Workspace::take_view_files(std::vector<std::string>& paths) {
  TakenView view;
  std::vector<std::string> others, found;
  for (const std::string& path : session_.paths()) others.emplace_back(folder_of(path));
  others.insert(others.end(), state_.desk.recent_folders.begin(), state_.desk.recent_folders.end());
  state_.views.missing.clear();
  for (const std::string& path : paths) {
    if (!is_view_file(path)) {
      found.push_back(path);
      continue;
    }
    const auto say = [&](const std::string& what) { notice_ += (notice_.empty() ? "" : "; ") + what; };
    auto given = given_path(path);
    const std::string where = given ? *given : path;
    auto file = given ? read_view_file(where) : Result<ViewFile>(given.error());
    auto shown = file ? parse_shown_state(file->state) : Result<ShownState>(file.error());
    if (!shown) {
      Error wrong = shown.error();
      if (wrong.file.empty()) wrong.file = where;
      say(wrong.text());
      continue;
    }
    FoundSources sources = find_sources(file->sources, where, others);
    found.insert(found.end(), sources.paths.begin(), sources.paths.end());
    std::vector<std::string> gone;
    for (ViewSource& source : sources.missing) {
      gone.emplace_back(last_part(source.path()));
      state_.views.missing.push_back({std::move(source), where});
    }
    if (!gone.empty()) say("not found: " + first_of(gone));
    if (!sources.changed.empty()) say("not the same as when the view was saved: " + first_of(sources.changed));
    if (view.state) continue;
    view.state = std::move(shown.value());
    view.file = where;
  }
  paths = std::move(found);
  return view;
}

// Opens the missing files found in the folder, and applies the view again.
void Workspace::on(const command::LocateSources& c) {
  const std::vector<MissingSource> asked = std::exchange(state_.views.missing, {});
  if (c.folder.empty() || asked.empty()) return;
  const auto local = named_path(c.folder);
  const std::string folder = local ? local.value() : c.folder;
  std::vector<std::string> found;
  std::vector<MissingSource> missing;
  for (const MissingSource& each : asked) {
    const FoundSources sources = find_sources({each.source}, each.view_file, {folder});
    found.insert(found.end(), sources.paths.begin(), sources.paths.end());
    if (sources.paths.empty()) missing.push_back(each);
  }
  if (found.empty()) {
    notice_ = "not found there either: " + std::string(last_part(missing.front().source.path()));
    state_.views.missing = std::move(missing);
    return;
  }
  const std::string file = state_.views.show_when_found;
  open(command::OpenPaths{std::move(found), session_.anything_open()});
  state_.views.missing = std::move(missing);
  state_.views.show_when_found = file;
  if (file.empty()) return;
  auto view = read_view_file(file);
  auto state = view ? parse_shown_state(view->state) : Result<ShownState>(view.error());
  if (!state) return;
  state.value().read = given_or_saved(asked_, std::move(state.value().read));
  show(std::move(state.value()));
  state_.views.wanted_file = file;
}

}  // namespace tv
