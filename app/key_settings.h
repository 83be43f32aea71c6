// The user's file of keys on the disk (core/view/keys/key_file.h): read when the program starts and when it is changed, made when somebody wants to change keys.
#pragma once

#include <optional>
#include <string>

#include "app/line/options.h"
#include "core/base/result.h"
#include "core/view/keys/mouse_map.h"

namespace tv {

/// Where it is, or would be; empty: there is no folder for settings.
std::string key_file_path();
/// Takes the keys of a file; none given: the user's. What is wrong in it, a line each; a file that is not there is not wrong.
std::string use_key_file(const std::string& path = {});
/// Takes the user's file again if it was changed since it was read or written here, as use_key_file() does; without the file, what
/// the program has by itself. None: it was not changed.
std::optional<std::string> use_changed_key_file();
/// Its path; with all defaults in comments where there was none.
Result<std::string> key_file_to_edit();
/// Writes the preset into it.
Result<void> keep_mouse_in_file(MousePreset preset);

/// traceview keys
int run_keys(const Options& options);

}  // namespace tv
