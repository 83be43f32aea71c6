#include "app/window/new_file_path.h"

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

#include "app/window/start_messages.h"

namespace tv {
namespace fs = std::filesystem;

fs::path new_file_path(const std::string& name, std::string_view ending) {
  const char* home = std::getenv("HOME");
  const fs::path pictures = home ? fs::path(home) / "Pictures" : fs::path();
  std::error_code code;
  const fs::path folder = fs::is_directory(pictures, code) ? pictures : fs::current_path(code);
  const std::time_t now = std::time(nullptr);
  char stamp[32];
  std::strftime(stamp, sizeof(stamp), "%Y-%m-%d_%H-%M-%S", std::localtime(&now));
  return free_path((folder / fmt::format("{}_{}{}", name, stamp, ending)).string());
}

}  // namespace tv
