// What is remembered from one start to the next (core/session/desk/remembered.h), as this call of the program has it: the folders of the
// user, or those that --settings names, or none with --safe-mode and wherever nobody works at a window.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/line/options.h"
#include "core/session/desk/desk.h"
#include "core/session/desk/remembered.h"
#include "core/session/load/load_job.h"

namespace tv {

std::unique_ptr<Remembered> remembered_by(const Options& options, std::function<void()> wake);

/// All tabs, in their order.
std::vector<Workspace*> views_of(Desk& desk);
/// ReopenSession: every view in a tab of its own; OpenSample, ChangeRecent.
void apply_remembered(Remembered& remembered, Desk& desk, const Command& asked);

/// How loading is done: what the command line says, and what is set where it says nothing.
LoadOptions load_options(const Options& options, const Settings& settings);

}  // namespace tv
