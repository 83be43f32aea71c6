// Says why no reader takes a file, judging by the file's first bytes. Cost: O(head).
#pragma once

#include <string>
#include <string_view>

namespace tv {

bool looks_like_text(std::string_view head);

/// Why the file is not shown: "JSON, but there are no trace events in it (its keys: nodes, schema)". `head`: the file's first
/// bytes; for a file in an archive, not those of the archive.
std::string why_unknown(std::string_view head);

}  // namespace tv
