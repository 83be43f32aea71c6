// Expected texts, next to the tests' inputs. TV_UPDATE_GOLDEN=1 rewrites them: read the difference before committing it.
#pragma once

#include <string>
#include <string_view>

namespace tv::test {

/// Empty when the file holds this text (or was written just now), else the first line that differs.
std::string golden_difference(const std::string& path, std::string_view text);

/// A text of more than 200 lines as its head, its tail and a hash of all of it, so that goldens stay readable.
std::string shortened(const std::string& text);

/// The first line in which two texts differ, empty for equal ones.
std::string first_difference(std::string_view expected, std::string_view found);

}  // namespace tv::test
