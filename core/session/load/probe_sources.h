// Looks at the beginning of each file: its format, and whether it is one of those that the user chose. Nothing is read beyond that.
// Cost: the first bytes of each file; for a rollout that is not chosen, also its last ones.
#pragma once

#include <string>
#include <vector>

#include "core/session/load/load_source.h"
#include "core/store/draft/load_choice.h"

namespace tv {

/// Finds the file's reader, or notes in its draft why it will not be read. Called from any thread, but once for each file.
void probe(LoadSource& source, const LoadChoice& choice);

struct LeftOut {
  LoadSource* source;
  std::string reason;
};
/// Finds files that show what other open files show, too: profiles that Paddle's tool made from open logs, and reports of Nsight
/// Systems whose export is open. All must have been probed, or be in a reused segment.
std::vector<LeftOut> shown_by_others(const LoadSources& sources);

}  // namespace tv
