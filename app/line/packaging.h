// What a package holds besides the program and what people wrote: manual page, completions, icons. The program makes all of it
// out of itself, so that none can be older than it.
#pragma once

#include <string>
#include <vector>

#include "app/line/options.h"

namespace tv {

struct PackagedFile {
  std::string path;  ///< below the folder: "icons/hicolor/48x48/apps/traceview.png"
  std::string bytes;
};
std::vector<PackagedFile> packaged_files(const CommandTable& table);

int run_packaging(const Options& options);  ///< traceview packaging DIR: writes them

}  // namespace tv
