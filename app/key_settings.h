// The user's file of keys on disk (core/view/keys/key_file.h): read at the start and whenever it changes, created when the user
// wants to edit keys.
#pragma once

#include <optional>
#include <string>

#include "app/line/options.h"
#include "core/base/result.h"
#include "core/view/keys/mouse_map.h"

namespace tv {

/// Its path, also before it exists; empty if there is no folder for settings.
std::string key_file_path();
/// Uses the keys of a file, by default the user's. Returns its errors, one per line. Only the user's file may be missing.
std::string use_key_file(const std::string& path = {});
/// Reads the user's file again if it has changed since it was last read or written here, like use_key_file(); if it is gone, uses
/// the built-in keys; if it cannot be read, those in use. None: it has not changed.
std::optional<std::string> use_changed_key_file();
/// Returns the file's path; creates the file if necessary, with all defaults in comments. Error: it cannot be read.
Result<std::string> key_file_to_edit();
/// Writes the preset into it. Error: it cannot be read; then it is left as it is.
Result<void> keep_mouse_in_file(MousePreset preset);

/// traceview keys
int run_keys(const Options& options);

}  // namespace tv
