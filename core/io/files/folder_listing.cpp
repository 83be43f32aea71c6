#include "core/io/files/folder_listing.h"

#include <chrono>
#include <filesystem>

namespace tv {
namespace fs = std::filesystem;

FolderListing list_folder(const std::string& folder) {
  FolderListing out;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    FolderEntry entry{at->path().filename().string()};
    std::error_code of_entry;
    const fs::file_time_type written = at->last_write_time(of_entry);
    if (!of_entry) {
      entry.folder = at->is_directory(of_entry);
      entry.bytes = at->is_regular_file(of_entry) ? at->file_size(of_entry) : 0;
      const auto since_1970 = fs::file_time_type::clock::to_sys(written).time_since_epoch();
      entry.modified_s = std::chrono::floor<std::chrono::seconds>(since_1970).count();
    }
    out.entries.push_back(std::move(entry));
  }
  if (code) out.error = code.message();
  return out;
}

}  // namespace tv
