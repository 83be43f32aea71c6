// Opening files instead of the open ones, or in addition; files with nothing to show do not replace the open ones.
#include "core/session/workspace/workspace.h"

#include <algorithm>
#include <set>

#include "core/io/files/given_path.h"
#include "core/session/packed/packed_trace.h"
#include "core/store/draft/unread_sources.h"

namespace tv {

// Reports missing paths. They do not replace open files, and the dialog stays, so that the path can be corrected.
void Workspace::open(const command::OpenPaths& asked) {
  const bool add = asked.add, into_view = !add || !session_.anything_open();
  std::vector<std::string> given = asked.paths, paths;
  TakenView view = take_view_files(given);
  state_.views.show_when_found = into_view ? view.file : std::string();
  bool any = false;
  for (const std::string& path : given) {
    const auto found = given_path(path);
    any |= found.ok();
    paths.push_back(found ? found.value() : path);  // the import report names missing paths
    if (!found) notice_ += (notice_.empty() ? "" : "; ") + found.error().text();
  }
  if (!any) return;
  state_.boxes.dialog = false;
  if (!add && !before_ && !trace().lanes.empty()) before_ = session_.opened();
  if (add || !before_) begin_anew();
  if (!add) state_.views.wanted.reset();
  if (!add && !before_) {
    run_.select_everything();
    forget_lane_choice();
    forget_notes();
  }
  std::string packed;
  if (into_view && !view.state && paths.size() == 1) {
    const auto told = is_packed_trace(paths.front());
    if (told.ok() && told.value()) packed = packed_view(paths.front(), pool_);
  }
  session_.open(std::move(paths), add, asked.part);
  aligning_ = asked_.align_by_barriers;
  if (view.state && into_view) {
    view.state->read = given_or_saved(asked_, std::move(view.state->read));
    show(std::move(*view.state));
  }
  if (view.state && into_view) state_.views.wanted_file = view.file;
  if (packed.empty()) return;
  // A packed trace keeps the clocks with which it was packed, so the state does not cause another read.
  if (auto state = parse_shown_state(packed)) show(std::move(state.value()), false);
}

// If no file with anything to show would remain, closes everything. Closing one file of a packed trace closes all of it.
void Workspace::on(const command::CloseFiles& c) {
  std::set<std::string> closing(c.paths.begin(), c.paths.end()), packed;
  for (const SourceInfo& source : trace().sources) {
    if (source.packed && closing.contains(source.path)) packed.insert(source.packed->path);
  }
  for (const SourceInfo& source : trace().sources) {
    if (source.packed && packed.contains(source.packed->path)) closing.insert({source.path, source.packed->path});
  }
  const auto stays = [&](const SourceInfo& source) {
    return source.state != SourceState::Rejected && source.state != SourceState::LeftOut && !closing.contains(source.path);
  };
  if (std::ranges::none_of(trace().sources, stays)) return apply(command::CloseAll{});
  session_.close_files(closing);
}

void Workspace::on(const command::OpenDialog& asked) {
  if (state_.desk.native_dialogs && !asked.built_in && !state_.boxes.dialog) {
    requests_.open_dialog = asked;
    return;
  }
  state_.boxes.dialog = !state_.boxes.dialog;
  state_.boxes.dialog_asks = asked;
  state_.boxes.question.reset();
}

void Workspace::on(const command::ChooseFile& c) {
  if (state_.desk.native_dialogs) {
    requests_.choose_file = c.question;
    return;
  }
  state_.boxes.dialog = true;
  state_.boxes.question = c.question;
}

// An empty choice means that the dialog was cancelled.
void Workspace::on(const command::FilesChosen& chosen) {
  state_.boxes.dialog = false;
  state_.boxes.question.reset();
  if (chosen.paths.empty()) return;
  switch (chosen.purpose) {
    case FilePurpose::OpenTraces:
    case FilePurpose::OpenFolder: open(command::OpenPaths{chosen.paths}); break;
    case FilePurpose::LookInFolder: on(command::LocateSources{chosen.paths.front()}); break;
    case FilePurpose::SaveView: view_chosen(chosen.paths.front()); break;
    case FilePurpose::kCount: break;
  }
}

// The next files get a fresh view.
void Workspace::begin_anew() {
  state_.motion.fit_next = true;
  state_.lanes.untouched = true;
  state_.lanes.first_order_complete = false;
  news_.begin_anew();
  state_.motion.history.clear();
}

// Whether the files opened instead of others have nothing to show: then the previous state is restored. Otherwise the previous
// files are released.
bool Workspace::go_back_if_empty(const Snapshot& newest, bool running) {
  const bool published = &newest != before_->snapshot.get();
  if (published && !newest.trace->lanes.empty()) {
    before_.reset();
    begin_anew();
    run_.select_everything();
    forget_lane_choice();
    forget_notes();
    return false;
  }
  if (published ? !newest.complete : running) return false;
  if (published) {
    const auto too_large = session_.too_large();
    const std::string why = nothing_read(newest.trace->sources, session_.paths());
    notice_ = too_large ? "this " + too_large->text() : why.empty() ? "there is nothing to show in it" : why;
  }
  state_.views.wanted.reset();  // its files could not be opened
  session_.go_back_to(std::move(*before_));
  before_.reset();
  aligning_ = false;
  return true;
}

void Workspace::on(const command::NewTab& c) { requests_.of_tabs.push_back(c); }
void Workspace::on(const command::CloseTab& c) { requests_.of_tabs.push_back(c); }
void Workspace::on(const command::ReopenTab& c) { requests_.of_tabs.push_back(c); }
void Workspace::on(const command::NextTab& c) { requests_.of_tabs.push_back(c); }
void Workspace::on(const command::GoToTab& c) { requests_.of_tabs.push_back(c); }
void Workspace::on(const command::MoveTab& c) { requests_.of_tabs.push_back(c); }
void Workspace::on(const command::OpenClosed&) { session_.read_with(&ReadSettings::closed, {}); }
void Workspace::on(const command::SetClocks& c) { session_.read_with(&ReadSettings::clocks, c.offsets); }
void Workspace::on(const command::PlaceClocks& c) { session_.read_with(&ReadSettings::place_by, c.by); }
void Workspace::on(const command::AlignClocks&) { aligning_ = true; }
void Workspace::on(const command::CancelLoading&) { session_.cancel(); }

void Workspace::on(const command::OpenPaths& c) {
  if (c.new_tab) return requests_.of_tabs.push_back(c);
  if (!c.paths.empty()) open(c);
}

void Workspace::on(const command::OpenPart& c) {
  if (!session_.anything_open()) return;
  state_.motion.fit_next = true;
  state_.motion.history.clear();
  session_.read_with(&ReadSettings::choice, c.choice);
}

void Workspace::on(const command::CloseAll&) {
  state_.selection.clear();
  state_.selected.forget();
  forget_notes();
  state_.views.wanted.reset();
  state_.views.missing.clear();
  run_.select_everything();
  state_.motion.fit_next = true;
  before_.reset();
  forget_lane_choice();
  session_.close();
}

void Workspace::on(const command::Reload&) {
  if (session_.anything_open()) session_.reload();
}

void Workspace::on(const command::AlignRuns& c) {
  const auto next = static_cast<Align>((static_cast<int>(trace().align) + 1) % static_cast<int>(Align::kCount));
  session_.read_with(&ReadSettings::align, c.align.value_or(next));
}

}  // namespace tv
