#include "core/session/desk/window_title.h"

#include <fmt/format.h>

#include "core/base/text/path_parts.h"
#include "core/session/workspace/workspace.h"

namespace tv {

std::string window_title(const Workspace& workspace) {
  if (!workspace.anything_open()) return "traceview";
  const std::vector<std::string>& paths = workspace.session().paths();
  std::string_view first = workspace.view_file().empty() ? paths.front() : workspace.view_file();
  while (first.size() > 1 && first.back() == '/') first.remove_suffix(1);
  std::string title(last_part(first));
  if (paths.size() > 1 && workspace.view_file().empty()) title += fmt::format(" and {} more", paths.size() - 1);
  return title + (workspace.notes_unsaved() ? "* - traceview" : " - traceview");
}

}  // namespace tv
