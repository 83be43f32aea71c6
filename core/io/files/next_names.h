// The names that would come next in a folder of numbered names: step_13 after step_1 ... step_12, worker_1.jsonl after
// worker_0.jsonl. A network file system lists a folder as it was some seconds ago, but asks its server about a name that is not
// in the list (file_state.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tv {

/// The name with its last number increased by one, at least as wide. Empty if it has no number.
std::string next_name(std::string_view name);

/// For each set of names that differ only in their last number: the name after the highest one. At most `most` names.
std::vector<std::string> next_names(const std::vector<std::string>& names, std::size_t most);

}  // namespace tv
