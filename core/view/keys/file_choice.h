// A request for a file: the texts of the dialog, and the purpose of the answer. The caller pushes command::ChooseFile; the
// desktop's dialog or the one in the window answers with command::FilesChosen of the same purpose, in a later frame or never.
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
  bool folders = false;  ///< chooses folders instead of files, for dialogs that can only do one of them
  FileKind kind;
  std::string_view ending;  ///< appended to the name of a file to be written, unless the name has it already
};
const FileWords& words_of(FilePurpose purpose);

/// Whether a file name matches the kind. Case does not matter.
bool matches_kind(const FileKind& kind, std::string_view name);

/// Appends the ending for this purpose, unless the path has it already.
std::string with_ending(FilePurpose purpose, std::string path);

struct FileQuestion {
  FilePurpose purpose = FilePurpose::OpenTraces;
  std::string name;  ///< proposed name for a file to be written; may be a path
  bool operator==(const FileQuestion&) const = default;
};

}  // namespace tv
