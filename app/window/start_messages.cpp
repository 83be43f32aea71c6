#include "app/window/start_messages.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/text/nearest_word.h"
#include "core/io/files/given_path.h"

namespace tv {
namespace fs = std::filesystem;

StartMessages start_messages(const Options& options) {
  StartMessages out;
  std::size_t missing = 0;
  for (const std::string& path : options.paths) {
    const auto found = given_path(path);
    if (found) continue;
    ++missing;
    // A single word at the beginning may well be a mistyped verb.
    const bool like_verb = &path == &options.paths.front() && path.find_first_of("/.") == std::string::npos;
    if (!like_verb) {
      out.text += "traceview: " + found.error().text() + "\n";
      continue;
    }
    const std::string meant = nearest_word(path, options.verbs);
    out.fatal = true;
    out.text += fmt::format("traceview: {}: no such file or folder, and not a verb{}\n", path,
                            meant.empty() ? fmt::format(" (the verbs are {})", fmt::join(options.verbs, ", "))
                                          : fmt::format("; did you mean \"{}\"?", meant));
  }
  out.fatal |= missing > 0 && missing == options.paths.size();
  return out;
}

std::string free_path(const std::string& path) {
  std::error_code code;
  const fs::path first = path;
  fs::path free = first;
  for (int n = 2; fs::exists(fs::symlink_status(free, code)); ++n) {
    free = first.parent_path() / fmt::format("{}-{}{}", first.stem().string(), n, first.extension().string());
  }
  return free.string();
}

}  // namespace tv
