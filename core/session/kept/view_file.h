// A view file, NAME.tvview: which files were open, and what was shown of them (shown_state.h). One JSON object: "sources", and beside
// it the state. It is only data: the paths it names are opened as traces and nothing else is done with them.
// A source is known again by its name and, of a file, by the beginning it had: at other places, and when it has grown.
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
  std::string relative;     ///< to the folder of the view file
  std::string absolute;
  bool folder = false;
  std::uint64_t size = 0;   ///< of a file
  std::uint64_t head = 0;   ///< XXH3 of its first kKnownHead bytes
};
inline constexpr std::uint64_t kKnownHead = 64 << 10;

struct ViewFile {
  std::vector<ViewSource> sources;
  std::string state;  ///< the text, for parse_shown_state()
};

/// By its ending, as people see it.
bool is_view_file(std::string_view path);

Result<ViewFile> read_view_file(const std::string& path);
/// `state`: to_json() of a ShownState. Replaces what is there.
Result<void> write_view_file(const std::string& path, const std::vector<std::string>& sources, std::string_view state);

struct FoundSources {
  std::vector<std::string> paths;
  std::vector<ViewSource> missing;
  std::vector<std::string> changed;  ///< of those found, whose beginning is another one than it was
};
/// Beside the view file as it was, where it was, and by name in that folder and in `others`. What is the same as it was comes before what
/// only has the name.
FoundSources find_sources(const std::vector<ViewSource>& sources, const std::string& view_file, const std::vector<std::string>& others);

/// What it is called where nobody says: "/a/b.json.gz" -> "/a/b.tvview".
std::string view_file_beside(const std::string& source);

}  // namespace tv
