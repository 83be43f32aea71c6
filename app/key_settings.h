// The user's key file on disk (core/view/keys/key_file.h). The program reads the file at the start and whenever it changes, and
// creates it when the user wants to edit keys.
#pragma once

#include <optional>
#include <string>

#include "app/line/options.h"
#include "core/base/result.h"
#include "core/view/keys/mouse_map.h"

namespace tv {

/// The path of the key file, whether or not the file exists; empty if there is no folder for settings.
std::string key_file_path();
/// Uses the keys of a file, by default the user's. Returns the errors in the file, one per line. Only the user's file may be
/// missing.
std::string use_key_file(const std::string& path = {});
/// Like use_key_file(), if the user's file has changed since it was last read or written here; none if it has not. If the file is
/// gone, the built-in keys are used. If it cannot be read, the current keys stay.
std::optional<std::string> use_changed_key_file();
/// Returns the path of the user's file. Creates a missing file, with all defaults in comments. Error: the file can be neither read
/// nor created.
Result<std::string> key_file_to_edit();
/// Writes the preset into the user's file. Error: the file cannot be read or written, and is unchanged.
Result<void> save_mouse_preset(MousePreset preset);

/// traceview keys
int run_keys(const Options& options);

}  // namespace tv
