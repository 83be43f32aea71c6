#include "app/sample_path.h"

#include <filesystem>

#include "tv_version.h"

namespace tv {

std::string sample_path() {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  for (const fs::path& folder : {program.parent_path() / "../share/traceview/samples", fs::path(TV_SAMPLES)}) {
    const fs::path run = folder / "rl_run";
    if (fs::is_directory(run, code)) return run.lexically_normal().string();
  }
  return {};
}

}  // namespace tv
