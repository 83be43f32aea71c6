// Chooses where state is persisted across starts (core/session/desk/user_state.h): in the folder of --settings, else in the
// user's folders for the window and the verb settings, else nowhere; with --safe-mode always nowhere.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/line/options.h"
#include "core/session/desk/desk.h"
#include "core/session/desk/user_state.h"
#include "core/session/load/load_job.h"

namespace tv {

std::unique_ptr<UserState> load_user_state(const Options& options, std::function<void()> wake);

/// The views of all tabs, in order.
std::vector<Workspace*> views_of(Desk& desk);
/// Executes ReopenSession (each view in its own tab), OpenSample and ChangeRecent.
void apply_user_state(UserState& user_state, Desk& desk, const Command& asked);

/// The options for loading: from the command line, with the settings as defaults.
LoadOptions load_options(const Options& options, const Settings& settings);

}  // namespace tv
