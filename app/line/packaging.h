// The files that a package generates: manual page, completions, icons. The program itself generates them, so they are never out
// of date.
#pragma once

#include <string>
#include <vector>

#include "app/line/options.h"

namespace tv {

struct PackagedFile {
  std::string path;  ///< relative to the output folder: "icons/hicolor/48x48/apps/traceview.png"
  std::string bytes;
};
std::vector<PackagedFile> packaged_files(const CommandTable& table);

int run_packaging(const Options& options);  ///< traceview packaging DIR: writes these files.

}  // namespace tv
