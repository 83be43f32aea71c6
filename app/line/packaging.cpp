#include "app/line/packaging.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/line/completions.h"
#include "app/line/man_page.h"
#include "app/stage/png.h"
#include "app/window/window_icon.h"
#include "core/io/written/new_file.h"
#include "embedded_icon.h"
#include "tv_version.h"

namespace tv {

std::vector<PackagedFile> packaged_files(const CommandTable& table) {
  std::vector<PackagedFile> files = {
      {"man/traceview.1", man_page(table, TV_VERSION)},
      {"completions/traceview.bash", bash_completion(table)},
      {"completions/_traceview", zsh_completion(table)},
      {"completions/traceview.fish", fish_completion(table)},
      {"icons/hicolor/scalable/apps/traceview.svg", std::string(embedded::k_icon_svg)},
  };
  for (const int size : {16, 22, 24, 32, 48, 64, 96, 128, 256, 512}) {
    files.push_back({fmt::format("icons/hicolor/{0}x{0}/apps/traceview.png", size), png_bytes(icon_pixels(size))});
  }
  return files;
}

int run_packaging(const Options& options) {
  namespace fs = std::filesystem;
  for (const PackagedFile& file : packaged_files(options.commands)) {
    const fs::path path = fs::path(options.output) / file.path;
    std::error_code code;
    fs::create_directories(path.parent_path(), code);
    if (const auto written = write_whole(NewFile::create(path.string()), file.bytes); !written) {
      fmt::print(stderr, "traceview: {}\n", written.error().text());
      return exit_code::kFailed;
    }
  }
  return exit_code::kOk;
}

}  // namespace tv
