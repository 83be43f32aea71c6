// A view file, NAME.tvview: which files were open, and how they were shown (shown_state.h). One JSON object: "sources", and the
// state. The paths in a view file are only opened as traces, and used for nothing else. A source is recognised by its name and,
// for a file, by its first bytes, even if it has moved or grown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/io/files/find_files.h"

namespace tv {

inline constexpr std::uint64_t kLargestView = 64ull << 20;  ///< bytes of the file

struct ViewSource {
  std::string relative;     ///< to the view file's folder
  std::string absolute;
  bool folder = false;
  std::uint64_t size = 0;   ///< of a file
  std::uint64_t head = 0;   ///< XXH3 of its first kKnownHead bytes

  /// The path to call it by. Files of other programs can lack either path.
  const std::string& path() const { return absolute.empty() ? relative : absolute; }
};
inline constexpr std::uint64_t kKnownHead = 64 << 10;

struct ViewFile {
  std::vector<ViewSource> sources;
  std::string state;  ///< the text, for parse_shown_state()
};

/// Looks only at the suffix.
bool is_view_file(std::string_view path);

Result<ViewFile> read_view_file(const std::string& path);
/// `state`: to_json() of a ShownState. Replaces an existing file.
Result<void> write_view_file(const std::string& path, const std::vector<std::string>& sources, std::string_view state);

struct FoundSources {
  std::vector<std::string> paths;
  std::vector<ViewSource> missing;
  std::vector<std::string> changed;  ///< found, but with other first bytes
};
/// Tries the relative path, the absolute path, and the name in the view file's folder and in the folders `others`. One of `others`
/// can itself be the folder that is sought. Prefers a file with unchanged first bytes to one that only has the right name.
FoundSources find_sources(const std::vector<ViewSource>& sources, const std::string& view_file, const std::vector<std::string>& others);

/// The default name of a view file: "/a/b.json.gz" -> "/a/b.tvview".
std::string default_view_file(const std::string& source);

}  // namespace tv
