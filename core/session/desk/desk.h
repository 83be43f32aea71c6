// Several views, open as tabs: each is a Workspace with its own state, and one is current. A closed tab is freed on another
// thread, so that the user never waits for it. All tabs share the thread pool and the settings.
//
//   frame:  the interface draws current() and applies commands to it  ->  desk.take_requests()
//
// Tab commands (NewTab, CloseTab, ReopenTab, NextTab, GoToTab, MoveTab, OpenPaths in a new tab) reach the desk through
// take_requests(), between frames: a workspace does not know the other tabs, and no tab is freed while it is drawn.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/session/workspace/workspace.h"

namespace tv {

/// For the tab bar.
struct TabLabel {
  std::uint64_t id = 0;
  std::string title, tooltip;
  std::optional<float> loading;  ///< 0..1, progress of the running load
  bool current = false;
  bool operator==(const TabLabel&) const = default;
};

class Desk {
 public:
  /// All tabs share `settings`.
  Desk(ThreadPool& pool, std::function<void()> wake, LoadOptions options = {},
       std::shared_ptr<Settings> settings = std::make_shared<Settings>());

  std::size_t size() const { return tabs_.size(); }  ///< never 0
  std::size_t current_index() const { return current_; }
  Workspace& current() { return *tabs_[current_].workspace; }
  const Workspace& current() const { return *tabs_[current_].workspace; }
  std::uint64_t current_id() const { return tabs_[current_].id; }
  Workspace& at(std::size_t index) { return *tabs_[index].workspace; }
  const Workspace& at(std::size_t index) const { return *tabs_[index].workspace; }
  /// From 1; ids are never reused.
  std::uint64_t id(std::size_t index) const { return tabs_[index].id; }
  std::optional<std::size_t> index_of(std::uint64_t id) const;
  std::vector<TabLabel> tabs() const;
  /// Some tab is reading files.
  bool loading() const;

  /// Call between frames, with a tab command or one for the current workspace.
  void apply(const Command& command);
  /// The requests of the current workspace, after executing its tab commands.
  WindowRequests take_requests();
  /// Tells all tabs whether the desktop has a file dialog (DeskFacts::native_dialogs).
  void set_native_dialogs(bool on);

 private:
  struct Tab {
    std::uint64_t id = 0;
    std::unique_ptr<Workspace> workspace;
  };
  /// The data needed to open a closed tab again.
  struct ClosedTab {
    std::vector<std::string> paths;
    ShownState state;
    std::size_t place = 0;  ///< its index among the tabs
  };
  std::size_t add_tab();
  void remember_closed(std::size_t index);
  void reopen();
  void close(std::size_t index);
  void discard(std::size_t index);
  void move_tab(std::uint64_t tab, std::size_t place);
  void open_in_new_tab(const command::OpenPaths& asked);
  void retire(std::unique_ptr<Workspace> workspace);

  ThreadPool& pool_;
  std::function<void()> wake_;
  const LoadOptions options_;
  const std::shared_ptr<Settings> settings_;
  std::vector<Tab> tabs_;
  std::vector<ClosedTab> closed_;  // in the order in which they were closed
  std::size_t current_ = 0;
  std::uint64_t last_id_ = 0;
  bool native_dialogs_ = false;
  struct Retiring {
    std::shared_ptr<std::atomic<bool>> ended;
    std::jthread thread;
  };
  std::vector<Retiring> retiring_;
};

}  // namespace tv
