// What people give as the name of a file or folder: a path, typed or dropped, or an address as file managers hand over
// (file:///tmp/a%20b.json, RFC 8089). An address of another machine is refused with the reason: its path could well exist
// here too, and be something else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace tv {

/// The path on this machine, which exists; else why there is none, with the text as given as the error's file.
Result<std::string> given_path(const std::string& text);

/// Likewise, of a machine with that name; what exists is not asked.
Result<std::string> local_path(const std::string& text, std::string_view this_host);

/// Likewise, of this machine: of a file that may only be written.
Result<std::string> named_path(const std::string& text);

/// The lines of a text/uri-list (RFC 2483) as they stand there.
std::vector<std::string> uri_list(std::string_view text);

}  // namespace tv
