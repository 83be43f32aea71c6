// The state of the window's own file dialog: a folder, its shown entries and their order, the line with the keyboard focus, and
// the selection. Folders come before files; numbers in names count as numbers (step_9 before step_10).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/files/folder_listing.h"
#include "core/view/keys/file_choice.h"

namespace tv {

enum class FileColumn : std::uint8_t { Name, Kind, Size, Modified, kCount };

/// The kind of a file, by its name alone: "Trace (JSON, gzip)", "Nsight Systems report". Empty for names of unknown kinds.
std::string_view kind_by_name(std::string_view name);

/// The completions of a typed path, in order; folders end with a slash. `listing`: of the folder in the typed path.
std::vector<std::string> path_completions(std::string_view typed, const FolderListing& listing);
/// The longest common prefix, without cutting a UTF-8 character.
std::string common_beginning(const std::vector<std::string>& texts);

class FileBrowser {
 public:
  /// The folder that is shown, or will be once show() has its entries. An absolute path without a trailing slash, except for "/".
  const std::string& folder() const { return folder_; }
  void go(std::string folder);
  void go_up();
  /// Sets the folder's contents. The focus stays on the same name; after go_up() it is on the folder that was left.
  void show(FolderListing listing);
  const std::string& error() const { return listing_.error; }

  void set_kind(const FileKind* kind);  ///< show only folders and files of this kind; null: all files
  const FileKind* kind() const { return kind_; }
  void set_hidden(bool shown);
  bool hidden() const { return hidden_; }  ///< hidden files are shown
  void sort_by(FileColumn column);  ///< a second call with the same column reverses the order
  FileColumn column() const { return column_; }
  bool descending() const { return descending_; }

  std::size_t size() const { return order_.size(); }
  const FolderEntry& entry(std::size_t line) const { return listing_.entries[order_[line]]; }
  std::string path(std::size_t line) const;
  std::size_t left_out() const { return left_out_; }  ///< entries that kind() and hidden() exclude

  /// The line with the keyboard focus; there is none in an empty folder.
  std::size_t line() const { return line_; }
  /// Moves the focus by this many lines. `extend` selects all lines from where the selection began to the new line.
  void move(std::ptrdiff_t lines, bool extend = false);
  void move_to(std::size_t line, bool extend = false);
  void toggle(std::size_t line);  ///< adds it to the selection, or removes it
  bool chosen(std::size_t line) const { return line < chosen_.size() && chosen_[line]; }
  void choose_all();
  void choose_nothing();
  /// Paths of the selection, or of line() if nothing is selected. `with_folders` false: files only.
  std::vector<std::string> chosen_paths(bool with_folders = true) const;
  /// Goes to the next line whose name begins with the typed letters; after a pause of a second, typing starts anew. A repeated
  /// letter goes to the next such line.
  void type(std::string_view letters, double now_s);

 private:
  void arrange();
  void keep_line_on(const std::string& name);

  std::string folder_ = "/";
  std::string left_folder_;  // name of the folder that go_up() left
  FolderListing listing_;
  std::vector<std::uint32_t> order_;  // indices into listing_.entries, in the order shown
  std::vector<bool> chosen_;          // per line
  std::size_t line_ = 0, anchor_ = 0, left_out_ = 0;
  const FileKind* kind_ = nullptr;
  bool hidden_ = false, descending_ = false;
  FileColumn column_ = FileColumn::Name;
  std::string typed_;
  double typed_at_s_ = 0;
};

}  // namespace tv
