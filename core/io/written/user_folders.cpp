#include "core/io/written/user_folders.h"

#include <cstdlib>
#include <filesystem>

namespace tv {
namespace {

struct UserFolder {
  const char *variable, *xdg_variable, *in_home;
};

std::string find_folder(const UserFolder& kind) {
  namespace fs = std::filesystem;
  if (const char* const folder = std::getenv(kind.variable); folder && *folder) return folder;
  const char* const xdg = std::getenv(kind.xdg_variable);
  if (xdg && fs::path(xdg).is_absolute()) return (fs::path(xdg) / "traceview").string();
  const char* const home = std::getenv("HOME");
  return home && *home ? (fs::path(home) / kind.in_home / "traceview").string() : std::string();
}

}  // namespace

std::string config_folder() { return find_folder({"TRACEVIEW_CONFIG_DIR", "XDG_CONFIG_HOME", ".config"}); }
std::string state_folder() { return find_folder({"TRACEVIEW_STATE_DIR", "XDG_STATE_HOME", ".local/state"}); }
std::string cache_folder() { return find_folder({"TRACEVIEW_CACHE_DIR", "XDG_CACHE_HOME", ".cache"}); }

}  // namespace tv
