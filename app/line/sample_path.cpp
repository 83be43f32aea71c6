#include "app/line/sample_path.h"

#include <filesystem>

#include "core/base/process.h"
#include "tv_version.h"

namespace tv {

std::string sample_path() {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path program = fs::read_symlink(program_link(), code);
  const fs::path program_folder = program.parent_path();
  // The second path is for systems with an older libc: there, the tarball's own dynamic loader is the running program (app/package).
  for (const fs::path& folder :
       {program_folder / "../share/traceview/samples", program_folder / "../../../share/traceview/samples", fs::path(TV_SAMPLES)}) {
    const fs::path run = folder / "rl_run";
    if (fs::is_directory(run, code)) return run.lexically_normal().string();
  }
  return {};
}

}  // namespace tv
