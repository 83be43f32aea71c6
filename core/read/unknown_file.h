// The message for a file that no reader takes, as helpful as its first bytes allow. Cost: O(head).
#pragma once

#include <string>
#include <string_view>

namespace tv {

bool looks_like_text(std::string_view head);

/// Why it is not shown: "JSON, but there are no trace events in it (its keys: nodes, schema)". `head`: the file's own first bytes,
/// not those of an archive that contains it.
std::string why_unknown(std::string_view head);

}  // namespace tv
