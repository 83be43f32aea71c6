#include "core/store/draft/input_files.h"

#include "core/io/written/new_file.h"

namespace tv {

std::vector<std::string> input_files(std::span<const SourceInfo> sources) {
  std::vector<std::string> files;
  for (const SourceInfo& source : sources) {
    files.push_back(source.path);
    if (source.packed) files.push_back(source.packed->path);
    for (const std::string& database : {source.path, source.database}) {
      if (database.empty() || (!source.by_row && source.database.empty())) continue;
      files.push_back(database);
      files.push_back(database + "-wal");  // SQLite keeps these two next to the database
      files.push_back(database + "-shm");
    }
  }
  return files;
}

Result<void> check_output(const std::string& output, std::span<const SourceInfo> sources) {
  return check_not_input(output, input_files(sources));
}

}  // namespace tv
