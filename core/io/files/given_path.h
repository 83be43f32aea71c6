// The ways people name a file or folder: a path, typed or dropped, or an address as file managers hand it over
// (file:///tmp/a%20b.json, RFC 8089). An address on another machine is refused with a reason, because its path could also exist
// here and mean something else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace tv {

/// The path on this machine, if it exists; "-" is standard input. Otherwise an error that says why not.
Result<std::string> given_path(const std::string& text);

/// The same for a machine with that name. Does not check whether the file exists.
Result<std::string> local_path(const std::string& text, std::string_view this_host);

/// The same for this machine, for a file that may still have to be written.
Result<std::string> named_path(const std::string& text);

/// The addresses in a text/uri-list (RFC 2483), not decoded, without its comments.
std::vector<std::string> uri_list(std::string_view text);

}  // namespace tv
