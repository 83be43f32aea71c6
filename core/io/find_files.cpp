#include "core/io/find_files.h"

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "core/base/natural_less.h"
#include "core/io/given_path.h"

namespace tv {
namespace fs = std::filesystem;
namespace {

bool hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

void walk(const fs::path& folder, FoundFiles& out) {
  std::error_code code;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code);
  for (; !code && at != fs::recursive_directory_iterator(); at.increment(code)) {
    std::error_code ignored;
    if (hidden(at->path())) {
      if (at->is_directory(ignored)) at.disable_recursion_pending();
    } else if (at->is_regular_file(ignored) && !at->path().string().ends_with(kViewEnding)) {
      out.files.push_back(at->path().string());
    }
  }
  if (code) out.problems.push_back({"cannot list the folder: " + code.message(), folder.string(), {}, {}});
}

}  // namespace

FoundFiles find_files(const std::vector<std::string>& paths) {
  FoundFiles out;
  for (const std::string& given : paths) {
    const auto found = given_path(given);
    if (!found) {
      out.problems.push_back(found.error());
      continue;
    }
    const std::string& path = found.value();
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (fs::is_directory(status)) {
      const auto first = static_cast<std::ptrdiff_t>(out.files.size());
      walk(path, out);
      std::sort(out.files.begin() + first, out.files.end(), natural_less);
    } else {
      out.files.push_back(path);
    }
  }
  // The same file named twice (a folder and a file in it) is opened once.
  std::unordered_set<std::string> seen;
  std::erase_if(out.files, [&](const std::string& file) { return !seen.insert(file).second; });
  return out;
}

}  // namespace tv
