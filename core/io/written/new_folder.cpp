#include "core/io/written/new_folder.h"

#include <filesystem>
#include <system_error>

namespace tv {
namespace fs = std::filesystem;

Result<NewFolder> NewFolder::create(const std::string& path) {
  NewFolder folder;
  fs::path at;
  for (const fs::path& name : fs::path(path)) {
    at /= name;
    std::error_code code;
    if (name.empty() || fs::is_directory(at, code)) continue;
    Unfinished unfinished(at.string(), Unfinished::Kind::Folder);
    const bool made = fs::create_directory(at, code);
    if (code) return Error{"cannot make the folder: " + code.message(), path, {}, "choose another with -o"};
    if (made) folder.made_.push_back({at.string(), std::move(unfinished)});
  }
  return folder;
}

NewFolder::~NewFolder() {
  for (; !made_.empty(); made_.pop_back()) {
    std::error_code none;
    fs::remove(made_.back().path, none);
  }
}

void NewFolder::keep() { made_.clear(); }

}  // namespace tv
