#include "core/session/desk/user_state.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>
#include <mutex>
#include <thread>

#include "core/base/process.h"
#include "core/io/written/user_file.h"
#include "core/io/written/user_folders.h"
#include "core/session/persistence/recent_commands.h"
#include "core/session/persistence/state_files.h"

namespace tv {
namespace {

constexpr double kNever_s = std::numeric_limits<double>::infinity();
constexpr double kSettingsDelay_s = 0.5;  // so that dragging a width counts as one change
constexpr double kWriteEvery_s = 3;       // other state: a kill loses at most this much

// Whether the program that wrote a session is still running, so that it has not crashed.
bool still_runs(std::int64_t process) {
  if (!process_exists(process)) return false;
  // Another program may have this process id by now.
  const std::string name = process_name(process);
  return name.empty() || name.starts_with("traceview");
}

}  // namespace

struct UserState::Missing {
  std::mutex mutex;
  std::vector<RecentFile> files;
  std::vector<bool> missing;
  std::atomic<std::uint64_t> version = 0;
};

UserStateFolders user_remembered_folders() { return {config_folder(), state_folder()}; }

UserState::UserState(UserStateFolders folders, ViewTexts view_texts, std::function<void()> wake)
    : folders_(std::move(folders)),
      view_texts_(std::move(view_texts)),
      wake_(std::move(wake)),
      missing_(std::make_shared<Missing>()),
      settings_due_s_(kNever_s),
      next_write_s_(kNever_s),
      last_write_s_(-kNever_s) {
  read_settings_file();
  read_state();
}

UserState::~UserState() = default;

std::string UserState::settings_path() const { return folders_.config.empty() ? std::string() : folders_.config + "/settings.toml"; }
std::string UserState::state_path(const char* name) const {
  return folders_.state.empty() ? std::string() : folders_.state + "/" + name;
}

std::string UserState::take_notice() { return std::exchange(notice_, {}); }
void UserState::say(const std::string& sentence) { notice_ += (notice_.empty() ? "" : "; ") + sentence; }

// ---- reading

std::optional<std::string> UserState::read(const std::string& path) {
  if (path.empty()) return std::nullopt;
  auto text = read_user_file(path);
  if (text) {
    unread_.erase(path);
    return std::move(text.value());
  }
  if (unread_.insert(path).second) say(text.error().text());
  return std::nullopt;
}

void UserState::put_aside_broken(const std::string& path, const std::string& why) {
  const auto aside = put_aside(path, today());
  say(path + " cannot be read (" + why + "): " +
      (aside ? "it was renamed to " + std::filesystem::path(aside.value()).filename().string() : aside.error().text()));
}

void UserState::read_settings_file() {
  if (const auto text = read(settings_path())) {
    auto read = read_settings(*text);
    if (!read) {
      put_aside_broken(settings_path(), read.error().message);
    } else {
      *settings_ = std::move(read->settings);
      for (const std::string& complaint : read->complaints) say("settings.toml, " + complaint);
      settings_text_ = *text;
    }
  }
  saved_settings_ = *settings_;
}

void UserState::take_environment() {
  for (const SettingLine& line : setting_lines(*settings_)) {
    const std::string variable = setting_variable(line.key);
    const char* const value = std::getenv(variable.c_str());
    if (!value || !*value) continue;
    if (const std::string why = take_setting(*settings_, line.key, value); !why.empty()) say(variable + ": \"" + value + "\" " + why);
    overrides_.emplace_back(line.key, value);
  }
  saved_settings_ = *settings_;
}

void UserState::set(std::string_view key, const std::string& value) {
  if (const std::string why = take_setting(*settings_, key, value); !why.empty()) say(std::string(key) + ": \"" + value + "\" " + why);
  overrides_.emplace_back(key, value);
  saved_settings_ = *settings_;
}

void UserState::apply_overrides(Settings& settings) const {
  for (const auto& [key, value] : overrides_) static_cast<void>(take_setting(settings, key, value));
}

void UserState::look_again() {
  if (folders_.config.empty()) return;
  write_settings();  // changes made in the window a moment ago
  const auto text = read(settings_path());
  if (!text || *text == settings_text_) return;
  settings_text_ = *text;
  auto read = read_settings(*text);
  if (!read) return say(settings_path() + ", " + read.error().message + ": the file is ignored until this is fixed");
  for (const std::string& complaint : read->complaints) say("settings.toml, " + complaint);
  apply_overrides(read->settings);
  read->settings.desktop_theme = settings_->desktop_theme;
  *settings_ = std::move(read->settings);
  saved_settings_ = *settings_;
  page_changed_ = true;
}

// Does nothing if there is no such file.
template <class Parse, class Take>
void UserState::read_file(const char* name, Parse parse, Take take) {
  const std::string path = state_path(name);
  const auto text = read(path);
  if (!text) return;
  if (auto value = parse(*text)) take(std::move(value.value()));
  else put_aside_broken(path, value.error().message);
}

void UserState::read_recent() {
  read_file("recent.json", recent_from, [&](std::vector<RecentFile> recent) { recent_ = std::move(recent); });
}

// If the tables of several views differ, those of the current view win.
void UserState::write_tables(const Seen& seen) {
  std::map<std::string, TableState> all(tables_.begin(), tables_.end());
  const auto take = [&](const Workspace& workspace) {
    for (auto& [id, state] : workspace.state().tables.defaults()) all[id] = state;
  };
  for (const Workspace* const workspace : seen.views) take(*workspace);
  if (seen.current < seen.views.size()) take(*seen.views[seen.current]);
  KeptTables now(all.begin(), all.end());
  if (now == tables_) return;
  tables_ = std::move(now);
  write(state_path("tables.json"), tables_text(tables_));
}

void UserState::read_state() {
  read_recent();
  read_file("commands.json", recent_commands_from, [&](std::vector<std::string> ids) {
    commands_ = saved_commands_ = std::move(ids);
    if (commands_.size() > DeskFacts::kMostCommands) commands_.resize(DeskFacts::kMostCommands);
  });
  read_file("tables.json", tables_from, [&](KeptTables tables) { tables_ = std::move(tables); });
  read_file("window.json", window_place_from, [&](const WindowPlace& place) { last_place_ = place_ = place; });
  read_file("session.json", session_from, [&](SavedSession session) {
    if (!session.views.empty()) last_session_ = std::move(session);
  });
  crashed_ = last_session_ && !last_session_->ended && !still_runs(last_session_->process);
  look_for_recent();
}

// Looks on another thread, because a remote folder may take seconds to answer.
void UserState::look_for_recent() {
  page_changed_ = folders_changed_ = true;
  if (recent_.empty()) return;
  std::thread([shared = missing_, recent = recent_, wake = wake_] {
    std::vector<bool> missing;
    for (const RecentFile& file : recent) {
      std::error_code code;
      missing.push_back(!std::ranges::all_of(file.paths, [&](const std::string& path) { return std::filesystem::exists(path, code); }));
    }
    {
      const std::lock_guard lock(shared->mutex);
      shared->files = recent;
      shared->missing = std::move(missing);
      ++shared->version;
    }
    if (wake) wake();
  }).detach();
}

const StartPage& UserState::start_page() {
  const std::uint64_t version = missing_->version;
  if (!page_changed_ && version == shown_version_) return page_;
  page_changed_ = false;
  shown_version_ = version;
  std::vector<bool> missing;
  {
    const std::lock_guard lock(missing_->mutex);
    for (const RecentFile& file : recent_) {
      const auto found = std::ranges::find(missing_->files, file.paths, &RecentFile::paths);
      missing.push_back(found != missing_->files.end() && missing_->missing[static_cast<std::size_t>(found - missing_->files.begin())]);
    }
  }
  const char* const home = std::getenv("HOME");
  const std::int64_t now = std::time(nullptr);
  page_.recent = recent_entries(recent_, missing, home ? home : "", now);
  page_.session.reset();
  if (last_session_ && settings_->reopen != ReopenChoice::Never) page_.session = session_offer(*last_session_, crashed_, now);
  return page_;
}

// ---- noticing changes

void UserState::follow_view(Workspace& workspace) {
  Kept& kept = kept_[&workspace];
  const Session& session = workspace.session();
  if (session.paths().empty()) kept.settled = {};
  if (session.paths().empty() || kept.settled.is_of(session) || session.status().running()) return;
  if (!workspace.snapshot().complete || workspace.trace().lanes.empty()) return;
  kept.settled = {session.paths(), session.read().choice};
  settle(workspace, kept);
}

bool UserState::Opened::is_of(const Session& session) const { return paths == session.paths() && choice == session.read().choice; }

// The load is complete: restores the last view, unless the user has already moved around.
void UserState::settle(Workspace& workspace, Kept& kept) {
  RecentFile opened{whole_paths(kept.settled.paths), std::time(nullptr), 0, false};
  for (const SourceInfo& source : workspace.trace().sources) opened.bytes += source.bytes;
  const std::string part = kept.settled.choice.text();
  kept.file = state_path(("views/" + view_file_name(opened.paths, part)).c_str());
  if (!folders_.state.empty()) {
    read_recent();
    add_recent(recent_, std::move(opened));
    write(state_path("recent.json"), recent_text(recent_));
    look_for_recent();
  }
  forget_old_views(state_path("views"), kept.file);
  const std::vector<std::string> wanted_for = std::exchange(kept.wanted_for, {});
  std::string wanted = std::exchange(kept.wanted, {});
  if (!wanted_for.empty() && wanted_for != kept.settled.paths) wanted.clear();  // other files have been opened meanwhile
  const bool from_file = wanted.empty() && !folders_.state.empty();
  if (from_file) wanted = read(kept.file).value_or(std::string());
  kept.written = from_file ? wanted : std::string();
  if (wanted.empty() || !workspace.state().lanes.untouched || !view_texts_.take) return;
  if (const auto taken = view_texts_.take(workspace, wanted); !taken) say("the last view is not restored: " + taken.error().text());
  if (workspace.session().read().choice.text() == part || !wanted_for.empty()) return;
  // The view is of another part, which is being read now. Earlier versions wrote such views to the files of other parts.
  std::error_code ignored;
  if (from_file) std::filesystem::remove(kept.file, ignored);
  kept.wanted = std::move(wanted);
  kept.wanted_for = kept.settled.paths;
}

// Recently chosen commands are shared by all views.
void UserState::follow_commands(const Seen& seen) {
  for (Workspace* const workspace : seen.views) {
    const std::vector<std::string>& here = workspace->state().desk.recent_commands;
    if (!here.empty() && here != commands_) commands_ = here;
  }
  for (Workspace* const workspace : seen.views) {
    if (workspace->state().desk.recent_commands != commands_) workspace->desk_facts().recent_commands = commands_;
  }
}

void UserState::update_facts(Workspace& workspace) const {
  const bool unpinned = std::ranges::any_of(recent_, [](const RecentFile& file) { return !file.pinned; });
  workspace.desk_facts().kept = {last_session_.has_value(), !page_.sample.empty(), unpinned};
}

void UserState::follow(const Seen& seen) {
  std::erase_if(kept_, [&](const auto& kept) { return std::ranges::find(seen.views, kept.first) == seen.views.end(); });
  for (Workspace* const workspace : seen.views) {
    if (!kept_.contains(workspace)) {
      std::vector<std::string> ids = workspace->state().desk.recent_commands;
      for (const std::string& id : commands_) {
        if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
      }
      workspace->desk_facts().recent_commands = std::move(ids);
      workspace->desk_facts().recent_folders = recent_folders(recent_);
      workspace->begin_tables(tables_);
    }
    follow_view(*workspace);
    update_facts(*workspace);
  }
  if (std::exchange(folders_changed_, false)) {
    for (Workspace* const workspace : seen.views) workspace->desk_facts().recent_folders = recent_folders(recent_);
  }
  follow_commands(seen);
  if (seen.place) place_ = seen.place;
  if (!(*settings_ == saved_settings_) && settings_due_s_ == kNever_s) settings_due_s_ = seen.now_s + kSettingsDelay_s;
  if (seen.now_s >= settings_due_s_) write_settings();
  // Comparing the state takes too long for every frame, so it is compared only when a write is due.
  if (seen.drawn && next_write_s_ == kNever_s) next_write_s_ = std::max(seen.now_s, last_write_s_ + kWriteEvery_s);
  if (seen.now_s >= next_write_s_) write_all(seen, false);
}

double UserState::wait_s(double now_s) const {
  if (folders_.state.empty() && folders_.config.empty()) return kNever_s;
  return std::max(0.0, std::min(settings_due_s_, next_write_s_) - now_s);
}

void UserState::save(const Seen& seen) {
  if (seen.place) place_ = seen.place;
  write_settings();
  write_all(seen, false);
}

void UserState::quit(const Seen& seen) {
  if (seen.place) place_ = seen.place;
  write_settings();
  write_all(seen, true);
}

void UserState::apply(const Command& command, Workspace& current) {
  if (const auto* const changed = command.get_if<command::ChangeRecent>()) change(*changed);
  if (command.is<command::OpenSample>()) {
    if (page_.sample.empty()) return say("the sample is not installed: it is in assets/samples of the source code");
    current.apply(command::OpenPaths{{page_.sample}, false});
  }
  if (command.is<command::ReopenSession>()) {
    if (!last_session_) return say("there is no last session");
    reopen(current, last_session_->views[last_session_->current]);
  }
}

void UserState::change(const command::ChangeRecent& change) {
  read_recent();  // another program may have changed the list
  change_recent(recent_, change);
  write(state_path("recent.json"), recent_text(recent_));
  look_for_recent();
}

void UserState::reopen(Workspace& workspace, const SavedView& view) {
  workspace.apply(command::OpenPaths{view.paths, false});
  Kept& kept = kept_[&workspace];
  kept.wanted = view.state;
  kept.wanted_for.clear();
  kept.settled = {};
}

// ---- writing

void UserState::write(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  // A file that cannot be read may have values that this program does not know, so it is not replaced.
  const Result<void> written =
      unread_.contains(path) ? Error{"cannot be read, so it is not replaced", path, {}, {}} : write_user_file(path, text);
  if (written) {
    unwritten_.erase(path);
  } else if (unwritten_.insert(path).second) {
    say("not saved: " + written.error().text());
  }
}

// Writes only the values that were changed here, because another program or the user may have changed others in the file.
void UserState::write_settings() {
  settings_due_s_ = kNever_s;
  if (folders_.config.empty() || *settings_ == saved_settings_) return;
  const auto now_there = read(settings_path());
  auto text = edited_settings(now_there.value_or(std::string()), saved_settings_, *settings_);
  if (!text) {
    put_aside_broken(settings_path(), text.error().message);
    text = edited_settings({}, saved_settings_, *settings_);
  }
  // The desktop's theme is not stored, so a change of the theme alone needs no write.
  Settings saved = saved_settings_;
  saved.desktop_theme = settings_->desktop_theme;
  if (text && !(saved == *settings_)) {
    write(settings_path(), text.value());
    // If others changed the file meanwhile, settings_text_ stays old, so that their changes are still read.
    if (now_there.value_or(std::string()) == settings_text_) settings_text_ = std::move(text.value());
  }
  saved_settings_ = *settings_;
}

void UserState::write_views(const Seen& seen) {
  if (!view_texts_.text) return;
  for (const Workspace* const workspace : seen.views) {
    Kept& kept = kept_[workspace];
    if (kept.file.empty() || !kept.settled.is_of(workspace->session())) continue;
    std::string text = view_texts_.text(*workspace);
    if (text == kept.written) continue;
    write(kept.file, text);
    kept.written = std::move(text);
  }
}

void UserState::write_session(const Seen& seen, bool ended) {
  if (settings_->reopen == ReopenChoice::Never) return;
  SavedSession now;
  for (std::size_t i = 0; i < seen.views.size(); ++i) {
    const Workspace& workspace = *seen.views[i];
    const Kept& kept = kept_[&workspace];
    if (workspace.session().paths().empty()) continue;
    if (i == seen.current) now.current = now.views.size();
    now.views.push_back({whole_paths(workspace.session().paths()), kept.wanted.empty() ? kept.written : kept.wanted});
  }
  // If everything is closed, or nothing was opened, the last session stays, because the user may still want to reopen it.
  if (now.views.empty()) now = session_;
  if (now.views.empty()) return;
  now.process = process_id();
  now.ended = ended;
  now.saved_s = session_.saved_s;
  if (now == session_) return;
  now.saved_s = std::time(nullptr);
  session_ = std::move(now);
  write(state_path("session.json"), session_text(session_));
}

void UserState::write_all(const Seen& seen, bool ended) {
  last_write_s_ = seen.now_s;
  next_write_s_ = kNever_s;
  if (folders_.state.empty()) return;
  write_views(seen);
  write_tables(seen);
  write_session(seen, ended);
  if (commands_ != saved_commands_) {
    saved_commands_ = commands_;
    write(state_path("commands.json"), recent_commands_text(commands_));
  }
  if (place_ && place_ != last_place_ && place_->width > 0) {
    last_place_ = place_;
    write(state_path("window.json"), window_place_text(*place_));
  }
}

}  // namespace tv
