// The program's own file dialog, for desktops without one and for what the desktop's dialog cannot do: choose files and folders at
// once, load only a part of them, and replace the open files, add to them or open a new tab. It draws a FileBrowser and reads
// folders in the background. It also asks the question in `boxes.question` of the state, such as where to save.
//
// Keys: Up, Down, Page Up and Down, Home, End, with Shift for a range. Enter opens a file or enters a folder, Right only enters;
// Backspace, Left and Alt+Up go up. Space adds a line to the choice or removes it, Ctrl+A chooses all lines. Ctrl+H shows hidden
// files. Letters jump to a name; / and ~ edit the path, where Tab completes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/threads/async_memo.h"
#include "core/session/desk/file_browser.h"
#include "core/view/lanes/drop_targets.h"
#include "ui/panels/panel.h"

namespace tv {

class OpenDialog {
 public:
  OpenDialog(ThreadPool& pool, std::function<void()> wake);
  void draw(const PanelContext& context, const Area& window);
  /// Closes the dialog.
  void close() { shown_ = false; }

  const FileBrowser& browser() const { return browser_; }
  bool waiting() const { return shown_ && waiting_; }
  OpenHow how() const { return how_; }
  /// File names with letters that the fonts may lack. The next call does not return them again.
  std::string take_letters() { return std::exchange(letters_, {}); }
  const std::string& complaint() const { return complaint_; }
  /// For scripts: the centre of a file's line, of a header ("Size"), or of "replace", "add", "new_tab", "ranks", "steps", "time",
  /// "name", "open", "cancel", "hidden", "all".
  std::optional<ImVec2> place_of(std::string_view what) const;

 private:
  struct Folder {
    std::string path;
    std::uint64_t asked = 0;  ///< incremented to read the folder again
    bool operator==(const Folder&) const = default;
  };
  void begin(const PanelContext& context);
  void go(std::string folder);
  void read();
  std::string whole_path(const std::string& typed) const;
  void draw_path(const PanelContext& context);
  void draw_places(const PanelContext& context);
  void draw_list(const PanelContext& context);
  void draw_headers(const PanelContext& context, const std::array<float, 5>& columns);
  void draw_line(const PanelContext& context, std::size_t line, const std::array<float, 5>& columns);
  void draw_filter(const PanelContext& context);
  void draw_keys(const PanelContext& context) const;
  void draw_part();
  void draw_ways(const PanelContext& context);
  void draw_name(const PanelContext& context);
  void draw_buttons(const PanelContext& context);
  void take_keys(const PanelContext& context);
  void enter(const PanelContext& context, std::size_t line);
  void open(const PanelContext& context, std::vector<std::string> paths);
  void save(const PanelContext& context);
  void cancel(const PanelContext& context);
  void note_place(std::string_view what);
  bool asks_to_save() const { return question_ && words_of(question_->purpose).saves; }
  bool asks_for_folder() const { return question_ && words_of(question_->purpose).folders; }

  AsyncMemo<Folder, FolderListing> listings_, completions_;
  FileBrowser browser_;
  Folder asked_;
  bool shown_ = false, waiting_ = false, focus_path_ = false, scroll_to_line_ = false, focus_name_ = false;
  bool path_begun_ = false;  ///< a key that begins a path was typed, and the box for it gets the keyboard
  std::optional<FileQuestion> question_;
  std::string letters_, typed_, name_, complaint_, overwrite_;
  std::array<std::string, 3> part_;  // ranks, steps, time
  OpenHow how_ = OpenHow::Replace;
  std::vector<std::string> drives_;
  int page_ = 10;
  std::vector<std::pair<std::string, ImVec2>> places_;  // in the last frame
};

}  // namespace tv
