#include "core/session/desk/desk.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/session/desk/open_title.h"

namespace tv {
namespace {

constexpr std::size_t kMostPathsNamed = 12;
constexpr std::size_t kMostClosedTabs = 20;

std::string paths_text(const std::vector<std::string>& paths) {
  std::string out;
  for (std::size_t i = 0; i < std::min(paths.size(), kMostPathsNamed); ++i) out += (i ? "\n" : "") + paths[i];
  if (paths.size() > kMostPathsNamed) out += "\n... " + std::to_string(paths.size() - kMostPathsNamed) + " more";
  return out;
}

LoadOptions with_store(LoadOptions options) {
  options.store = std::make_shared<SegmentStore>();
  return options;
}

}  // namespace

Desk::Desk(ThreadPool& pool, std::function<void()> wake, LoadOptions options, std::shared_ptr<Settings> settings)
    : pool_(pool), wake_(std::move(wake)), options_(with_store(std::move(options))), settings_(std::move(settings)) {
  add_tab();
}

std::optional<std::size_t> Desk::index_of(std::uint64_t id) const {
  const auto found = std::ranges::find(tabs_, id, &Tab::id);
  return found == tabs_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - tabs_.begin()));
}

std::vector<TabLabel> Desk::tabs() const {
  std::vector<TabLabel> out;
  for (std::size_t i = 0; i < tabs_.size(); ++i) {
    const Session& session = tabs_[i].workspace->session();
    TabLabel label{tabs_[i].id, open_title(session.paths()), paths_text(session.paths()), {}, i == current_};
    if (label.title.empty()) label.title = "New tab";
    if (const LoadStatus status = session.status(); session.loading()) {
      const auto done = static_cast<double>(status.bytes_done), all = static_cast<double>(status.bytes_total);
      label.loading = all > 0 ? static_cast<float>(std::min(1.0, done / all)) : 0.0f;
    }
    out.push_back(std::move(label));
  }
  // Files with the same name are distinguished by their folders.
  std::unordered_map<std::string, std::size_t> tabs_of_title;
  for (const TabLabel& label : out) ++tabs_of_title[label.title];
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::vector<std::string>& paths = tabs_[i].workspace->session().paths();
    if (!paths.empty() && tabs_of_title.at(out[i].title) > 1) out[i].title = open_title_in_folder(paths);
  }
  return out;
}

bool Desk::loading() const {
  return std::ranges::any_of(tabs_, [](const Tab& tab) { return tab.workspace->session().loading(); });
}

// Inserts an empty tab to the right of the current one, which stays current. Returns its index.
std::size_t Desk::add_tab() {
  auto workspace = std::make_unique<Workspace>(pool_, wake_, options_, settings_);
  workspace->desk_facts().native_dialogs = native_dialogs_;
  const std::size_t place = tabs_.empty() ? 0 : current_ + 1;
  tabs_.insert(tabs_.begin() + static_cast<std::ptrdiff_t>(place), Tab{++last_id_, std::move(workspace)});
  return place;
}

// Remembers paths and view state, but no data: reopening reads the files again.
void Desk::remember_closed(std::size_t index) {
  const Workspace& workspace = *tabs_[index].workspace;
  if (!workspace.session().anything_open()) return;
  closed_.push_back({workspace.session().paths(), workspace.shown_state(), index});
  if (closed_.size() > kMostClosedTabs) closed_.erase(closed_.begin());
}

// Reopens the last closed tab with its view: in the current tab if this is empty, otherwise at the old position. A tab whose
// files are gone is forgotten, so that the tabs closed earlier can still be reopened.
void Desk::reopen() {
  if (closed_.empty()) return current().say("there is no closed tab to reopen");
  ClosedTab again = std::move(closed_.back());
  closed_.pop_back();
  const bool into_current = !current().session().anything_open();
  const std::size_t added = into_current ? current_ : add_tab();
  Workspace& opened = *tabs_[added].workspace;
  opened.apply(command::OpenPaths{std::move(again.paths), false});
  if (opened.session().anything_open()) opened.show(std::move(again.state));
  else if (!into_current) return discard(added);
  if (into_current) return;
  const std::uint64_t id = tabs_[added].id;
  move_tab(id, again.place);
  current_ = *index_of(id);
}

// Closes a tab in which nothing could be opened; the current tab says why.
void Desk::discard(std::size_t index) {
  current().say(tabs_[index].workspace->take_notice());
  retire(std::move(tabs_[index].workspace));
  tabs_.erase(tabs_.begin() + static_cast<std::ptrdiff_t>(index));
}

void Desk::close(std::size_t index) {
  remember_closed(index);
  if (tabs_.size() == 1) {
    current().apply(command::CloseAll{});
    return;
  }
  if (index == current_) current_ = index + 1 < tabs_.size() ? index + 1 : index - 1;
  std::unique_ptr<Workspace> closed = std::move(tabs_[index].workspace);
  tabs_.erase(tabs_.begin() + static_cast<std::ptrdiff_t>(index));
  if (current_ > index) --current_;
  retire(std::move(closed));
}

// Destroys the workspace on another thread, because ending its load can take some milliseconds.
void Desk::retire(std::unique_ptr<Workspace> workspace) {
  std::erase_if(retiring_, [](const Retiring& old) { return old.ended->load(); });
  workspace->session().cancel();
  auto ended = std::make_shared<std::atomic<bool>>(false);
  retiring_.push_back({ended, std::jthread([old = std::move(workspace), ended]() mutable {
                         old.reset();
                         *ended = true;
                       })});
}

// The current tab stays current.
void Desk::move_tab(std::uint64_t tab, std::size_t place) {
  const auto from = index_of(tab);
  if (!from) return;
  const std::uint64_t shown = current_id();
  const std::size_t to = std::min(place, tabs_.size() - 1);
  const auto at = [&](std::size_t i) { return tabs_.begin() + static_cast<std::ptrdiff_t>(i); };
  if (*from < to) std::rotate(at(*from), at(*from + 1), at(to + 1));
  if (*from > to) std::rotate(at(to), at(*from), at(*from + 1));
  current_ = *index_of(shown);
}

// A missing path opens no tab: the current tab reports it.
void Desk::open_in_new_tab(const command::OpenPaths& asked) {
  command::OpenPaths opens = asked;
  opens.new_tab = false;
  if (!current().session().anything_open()) {
    current().apply(opens);
    return;
  }
  Workspace& before = current();
  const std::size_t place = add_tab();
  Workspace& opened = *tabs_[place].workspace;
  opened.apply(opens);
  if (!opened.session().anything_open()) return discard(place);
  before.apply(command::FilesChosen{});  // closes its dialog, in which the paths were chosen
  current_ = place;
}

void Desk::apply(const Command& any) {
  using namespace command;
  if (const auto* opens = any.get_if<OpenPaths>(); opens && opens->new_tab) {
    if (!opens->paths.empty()) open_in_new_tab(*opens);
  } else if (any.is<NewTab>()) {
    current_ = add_tab();
  } else if (const auto* close_tab = any.get_if<CloseTab>()) {
    if (const auto index = close_tab->tab ? index_of(*close_tab->tab) : current_) close(*index);
  } else if (any.is<ReopenTab>()) {
    reopen();
  } else if (const auto* next = any.get_if<NextTab>()) {
    if (tabs_.size() > 1) current_ = (current_ + (next->forward ? 1 : tabs_.size() - 1)) % tabs_.size();
  } else if (const auto* go_to = any.get_if<GoToTab>()) {
    if (const auto index = index_of(go_to->tab)) current_ = *index;
  } else if (const auto* move = any.get_if<MoveTab>()) {
    move_tab(move->tab, move->place);
  } else {
    current().apply(any);
  }
}

WindowRequests Desk::take_requests() {
  WindowRequests requests = current().take_requests();
  for (const Command& command : std::exchange(requests.of_tabs, {})) apply(command);
  current().desk_facts().closed_tab = !closed_.empty();
  return requests;
}

void Desk::set_native_dialogs(bool on) {
  native_dialogs_ = on;
  for (Tab& tab : tabs_) tab.workspace->desk_facts().native_dialogs = on;
}

}  // namespace tv
