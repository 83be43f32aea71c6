#include "core/session/desk/window_title.h"

#include <fmt/format.h>

#include "core/base/text/path_parts.h"
#include "core/session/workspace/workspace.h"

namespace tv {
namespace {

// True until the loaded data are shown: the workspace adopts the first snapshot one frame after the load has ended.
bool is_loading(const Workspace& workspace) {
  const bool nothing_yet = workspace.trace().lanes.empty() && workspace.session().snapshot() != workspace.shared_snapshot();
  return workspace.session().loading() || nothing_yet;
}

}  // namespace

std::string window_title(const Workspace& workspace) {
  if (!workspace.session().anything_open()) return "traceview";
  const std::vector<std::string>& paths = workspace.session().paths();
  std::string_view first = workspace.state().views.file.empty() ? paths.front() : workspace.state().views.file;
  while (first.size() > 1 && first.back() == '/') first.remove_suffix(1);
  std::string title(is_loading(workspace) ? "loading " : "");
  title += last_part(first);
  if (paths.size() > 1 && workspace.state().views.file.empty()) title += fmt::format(" and {} more", paths.size() - 1);
  return title + (workspace.state().notes.unsaved() ? "* - traceview" : " - traceview");
}

}  // namespace tv
