// The ways in which users name a file or folder: a path, typed or dropped, or an address from a file manager
// (file:///tmp/a%20b.json, RFC 8089). An address on another machine is refused with a reason, because its path could exist here too
// and mean another file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace tv {

/// The path on this machine that `text` names; "-" is standard input. An error if the path does not exist or cannot be reached.
Result<std::string> given_path(const std::string& text);

/// The path that `text` names on a machine called `this_host`. Does not check whether the path exists.
Result<std::string> local_path(const std::string& text, std::string_view this_host);

/// local_path() on this machine, for a file that may still have to be written.
Result<std::string> named_path(const std::string& text);

/// The addresses in a text/uri-list (RFC 2483), not decoded, without its comments.
std::vector<std::string> uri_list(std::string_view text);

}  // namespace tv
