// Chooses the folders of settings and state (core/session/desk/user_state.h): the folder of --settings; without it, the user's
// folders for the window and the verb `settings`, and none for other verbs. With --safe-mode there is none.
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

/// The views of all tabs, in the order of the tabs.
std::vector<Workspace*> views_of(Desk& desk);
/// Executes ReopenSession (each view in its own tab), OpenSample and ChangeRecent.
void apply_user_state(UserState& user_state, Desk& desk, const Command& asked);

/// The options of a load. Memory limit, nsys and cache come from the settings, where load_user_state() has put what the command
/// line gave; everything else comes from the command line directly.
LoadOptions load_options(const Options& options, const Settings& settings);

}  // namespace tv
