// A question for a file: the words of a dialog, and the receiver of its answer. One asks with command::ChooseFile; the desktop's
// dialog or the one in the window answers with command::FilesChosen of the same purpose, in a later frame or never.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

enum class FilePurpose : std::uint8_t { OpenTraces, OpenFolder, LookInFolder, SaveView, kCount };

/// Files that the dialog offers: "Traces and logs", {"*.json", "*.json.gz", ...}.
struct FileKind {
  std::string_view title;
  std::span<const std::string_view> patterns;  ///< patterns of names: only '*' is special
};

struct FileWords {
  std::string_view title, button;
  bool saves = false;
  bool folders = false;  ///< instead of files, where a dialog can only do one of them
  FileKind kind;
  std::string_view ending;  ///< ending that a file to be written gets if the user typed none
};
const FileWords& words_of(FilePurpose purpose);

/// Whether a file name is of the kind. Case does not matter.
bool is_of(const FileKind& kind, std::string_view name);

/// With the ending that a file for that has.
std::string with_ending(FilePurpose purpose, std::string path);

struct FileQuestion {
  FilePurpose purpose = FilePurpose::OpenTraces;
  std::string name;  ///< that is proposed for a file to be written; may be a path
  bool operator==(const FileQuestion&) const = default;
};

}  // namespace tv
