// What a LoadJob notes for whoever follows the files that it reads.
#include "core/session/load/load_job.h"
#include "core/session/load/load_source.h"

namespace tv {

// Before any of it is looked at: what changes from now on may have been read or not, and will be read again.
void LoadJob::note_states() {
  FileStates states(paths_);
  states.look_at_all();
  read_states_.files = states.files();
  read_states_.closed.insert(options_.closed.begin(), options_.closed.end());
}

// Only the beginning of a file tells its format (given_sources.h).
void LoadJob::note_unknown() {
  constexpr std::uint64_t kLongestBeginning = 1 << 20;
  for (const auto& source : sources_) {
    const SourceInfo info = source->draft.info();
    const bool unread = info.state == SourceState::Rejected || info.state == SourceState::NotReadYet;
    if (unread && !info.refused && info.bytes >= kLongestBeginning) read_states_.unknown.insert(source->path);
  }
}

}  // namespace tv
