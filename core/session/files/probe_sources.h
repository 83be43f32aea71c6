// Looks at the beginning of each file, to find its format and whether the user chose it.
// Cost: the first bytes of each file; for a rollout that is not chosen, also its last ones.
#pragma once

#include <string>
#include <vector>

#include "core/session/files/load_source.h"
#include "core/store/draft/load_choice.h"

namespace tv {

/// Finds the file's reader, or notes in its draft why it will not be read. Any thread, one at a time for each file.
void probe(LoadSource& source, const LoadChoice& choice);

struct LeftOut {
  LoadSource* source;
  std::string reason;
};
/// Finds files whose contents other open files show: profiles that Paddle's tool made from open logs, and reports of Nsight
/// Systems whose export is open. All files must have been probed, or be in a reused segment.
std::vector<LeftOut> shown_by_others(const LoadSources& sources);

}  // namespace tv
