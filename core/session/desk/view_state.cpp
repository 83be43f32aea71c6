#include "core/session/desk/view_state.h"

#include "core/session/workspace/workspace.h"

namespace tv {

std::string view_state_json(const Workspace& workspace) { return to_json(workspace.shown_state()); }

Result<void> apply_view_state(Workspace& workspace, std::string_view json, ReadAs read) {
  auto state = parse_shown_state(json);
  if (!state) return state.error();
  if (!workspace.session().anything_open()) return Error{"nothing is open that this view could show", {}, {}, "open the trace first"};
  workspace.show(std::move(state.value()), read == ReadAs::ReadAgain);
  return {};
}

}  // namespace tv
