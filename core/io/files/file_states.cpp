#include "core/io/files/file_states.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <utility>

#include "core/base/text/path_parts.h"
#include "core/io/files/find_files.h"
#include "core/io/files/given_path.h"
#include "core/io/files/next_names.h"
#include "core/io/written/new_file.h"

namespace tv {
namespace {

// Some file systems store timestamps in units of one or two seconds. If a folder was listed less than this after a change, it may
// have changed again with the same timestamp.
constexpr std::int64_t kSameMoment_ns = 3'000'000'000;

bool is_visible_name(std::string_view name) { return !name.starts_with('.') && !name.ends_with(kViewEnding) && !is_part_name(name); }

// The next keys of a map, at most `most`, from `next` on and wrapping around. Sets `next` to the key after them.
template <class Map>
std::vector<std::string> in_turn(const Map& map, std::string& next, std::size_t most) {
  std::vector<std::string> keys;
  auto at = map.lower_bound(next);
  while (keys.size() < std::min(most, map.size())) {
    if (at == map.end()) at = map.begin();
    keys.push_back((at++)->first);
  }
  next = at == map.end() ? std::string() : at->first;
  return keys;
}

}  // namespace

FileStates::FileStates(const std::vector<std::string>& paths) {
  std::set<std::string, std::less<>> seen;
  for (const std::string& path : paths) {
    const auto given = given_path(path);
    std::string plain = given ? given.value() : path;
    while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
    if (!seen.insert(plain).second) continue;
    asks_server_ = asks_server_ || is_on_network(plain);
    given_.push_back(std::move(plain));
  }
}

bool FileStates::look_at_all() {
  const bool first = files_.empty() && folders_.empty();
  bool changed = false;
  all_is_new_ = first;
  for (const std::string& path : given_) changed |= look_at_path(path);
  all_is_new_ = false;
  if (first) note_latest();
  if (first) return changed;
  std::vector<std::string> known;
  for (const auto& [path, folder] : folders_) known.push_back(path);
  for (const std::string& path : known) changed |= look_at_folder(path, true);
  known.clear();
  for (const auto& [path, state] : files_) known.push_back(path);
  for (const std::string& path : known) changed |= look_at_file(path);
  return changed;
}

bool FileStates::refresh() {
  bool changed = false;
  for (const std::string& path : given_) changed |= look_at_path(path);
  if (asks_server_) changed |= look_at_latest_on_server();
  for (const std::string& path : latest(asks_server_ ? kMostAsked : kMostLately)) changed |= look_at_path(path);
  const std::size_t most_in_turn = asks_server_ ? kMostAsked : kMostInTurn;
  for (const std::string& path : in_turn(folders_, next_folder_, most_in_turn)) changed |= look_at_folder(path, false);
  for (const std::string& path : in_turn(files_, next_file_, most_in_turn)) changed |= look_at_file(path);
  return changed;
}

bool FileStates::look_at(const std::vector<std::string>& touched) {
  bool changed = false;
  for (const std::string& path : touched) {
    const bool known = files_.contains(path) || folders_.contains(path) || std::ranges::find(given_, path) != given_.end();
    const std::string folder(folder_of(path));
    if (known) changed |= look_at_path(path);
    if (!known && folders_.contains(folder)) changed |= look_at_folder(folder, true);
  }
  return changed;
}

std::vector<std::string> FileStates::places() const {
  std::vector<std::string> places;
  for (const auto& [path, folder] : folders_) places.push_back(path);
  for (const std::string& path : given_) {
    if (files_.contains(path)) places.push_back(path);
  }
  return places;
}

bool FileStates::look_at_path(const std::string& path) {
  if (folders_.contains(path)) return look_at_folder(path, false);
  if (files_.contains(path)) return look_at_file(path);
  const auto state = state_of(path);
  if (!state) return false;
  if (state->folder) return look_at_folder(path, true);
  files_[path] = *state;
  note_change(path);
  return true;
}

// After the first look, which found all files at once: takes those that were written last.
void FileStates::note_latest() {
  std::vector<Files::const_pointer> all;
  for (const auto& file : files_) all.push_back(&file);
  const std::size_t most = std::min(kMostLately, all.size());
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(most), std::greater<>(),
                            [](const auto* file) { return file->second.modified_ns; });
  for (std::size_t f = 0; f < most; ++f) lately_.push_back(all[f]->first);
}

// Returns a copy, because looking at these files changes the list.
std::vector<std::string> FileStates::latest(std::size_t most) const {
  return {lately_.begin(), lately_.begin() + static_cast<std::ptrdiff_t>(std::min(most, lately_.size()))};
}

bool FileStates::look_at_latest_on_server() {
  bool changed = false;
  std::set<std::string> folders;
  for (const std::string& path : latest(kMostAsked)) {
    if (files_.contains(path)) changed |= look_at_file(path, state_on_server(path));
    folders.insert(files_.contains(path) ? std::string(folder_of(path)) : path);
  }
  folders.insert(given_.begin(), given_.end());
  for (const std::string& folder : folders) changed |= folders_.contains(folder) && look_for_next(folder);
  return changed;
}

bool FileStates::look_for_next(const std::string& folder) {
  const std::string below = folder + "/";
  std::vector<std::string> names;
  const auto add_names = [&](const auto& map) {
    for (auto inner = map.lower_bound(below); inner != map.end() && inner->first.starts_with(below); ++inner) {
      if (folder_of(inner->first) == folder) names.push_back(inner->first.substr(below.size()));
    }
  };
  add_names(files_);
  add_names(folders_);
  bool changed = false;
  for (std::string name : next_names(names, kMostAsked)) {
    for (; is_visible_name(name) && state_of(below + name); name = next_name(name)) changed |= look_at_path(below + name);
  }
  return changed;
}

bool FileStates::look_at_file(const std::string& path) { return files_.contains(path) && look_at_file(path, state_of(path)); }

bool FileStates::look_at_file(const std::string& path, const std::optional<FileState>& state) {
  const auto found = files_.find(path);
  if (state && *state == found->second) return false;
  if (!state || state->folder) {
    files_.erase(found);
    std::erase(lately_, path);
    if (state) look_at_folder(path, true);
    return true;
  }
  found->second = *state;
  note_change(path);
  return true;
}

bool FileStates::look_at_folder(const std::string& path, bool list_anyway) {
  auto state = state_of(path);
  if (state && asks_server_) state->changed_ns = 0;  // reported no sooner than changed names, so it tells nothing more
  const auto found = folders_.find(path);
  if (!state || !state->folder) return found != folders_.end() && forget_below(path);
  const bool known = found != folders_.end();
  const bool same = known && found->second.state == *state;
  const bool settled = known && found->second.listed_ns - state->modified_ns > kSameMoment_ns;
  if (same && settled && !list_anyway) return false;
  folders_[path] = {*state, file_clock_ns()};
  if (!same) note_change(path);
  return list(path);
}

// Skips known entries: refresh() and look_at_all() check them.
bool FileStates::list(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code code;
  std::set<std::string, std::less<>> present;
  bool changed = false;
  fs::directory_iterator at(path, code);
  for (; !code && at != fs::directory_iterator(); at.increment(code)) {
    const std::string name = at->path().filename().string(), inner = at->path().string();
    if (!is_visible_name(name)) continue;
    present.insert(inner);
    if (files_.contains(inner) || folders_.contains(inner)) continue;
    std::error_code unknown;
    const auto state = state_of(inner);
    if (!state || (state->folder && at->is_symlink(unknown))) continue;  // as find_files() does
    changed = true;
    if (state->folder) {
      look_at_folder(inner, true);
    } else {
      files_[inner] = *state;
      note_change(inner);
    }
  }
  if (code) return changed;  // the listing is incomplete, so no entry is known to be missing
  std::vector<std::string> gone;
  const std::string below = path + "/";
  for (auto file = files_.lower_bound(below); file != files_.end() && file->first.starts_with(below); ++file) {
    const bool listed = folder_of(file->first) != path || present.contains(file->first);
    if (!listed && !(asks_server_ && state_on_server(file->first))) gone.push_back(file->first);
  }
  for (const std::string& file : gone) files_.erase(file), std::erase(lately_, file);
  std::vector<std::string> folders;
  for (auto folder = folders_.lower_bound(below); folder != folders_.end() && folder->first.starts_with(below); ++folder) {
    const bool listed = folder_of(folder->first) != path || present.contains(folder->first);
    if (!listed && !(asks_server_ && state_of(folder->first))) folders.push_back(folder->first);
  }
  for (const std::string& folder : folders) forget_below(folder);
  return changed || !gone.empty() || !folders.empty();
}

bool FileStates::forget_below(const std::string& folder) {
  const std::string below = folder + "/";
  erase_below(files_, folder);  // many folders may go at once, so these visit no entries of other folders
  erase_below(folders_, folder);
  folders_.erase(folder);
  std::erase_if(lately_, [&](const std::string& path) { return path == folder || path.starts_with(below); });
  return true;
}

void FileStates::note_change(const std::string& path) {
  if (all_is_new_) return;
  std::erase(lately_, path);
  lately_.push_front(path);
  if (lately_.size() > kMostLately) lately_.pop_back();
}

}  // namespace tv
