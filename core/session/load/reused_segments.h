// The segments that a load reuses instead of reading their files: those of the earlier load, of other tabs, and entries of the
// index cache. A segment is reused only if each of its files is open, is unchanged, and is to be read the same way. Cost: O(files).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/session/files/load_options.h"
#include "core/session/files/load_source.h"
#include "core/session/held/held_segments.h"

namespace tv {

/// Identifies the settings that the segments of these files depend on (`CacheKey::choice`). A segment is reused only with the
/// same settings.
std::string segment_choice(const LoadOptions& options, const LoadSources& sources);

/// Known segments could be reused; take() selects those that are.
class ReusedSegments {
 public:
  explicit ReusedSegments(HeldSegments known) : known_(std::move(known)) {}

  /// Makes this segment known.
  void add(HeldSegment segment) { known_.push_back(std::move(segment)); }
  /// Makes known the segments that other tabs show.
  void add_shown(HeldSegments shown);
  /// Makes known the cached segments of files that are not reused yet. If they are large compared with `memory` bytes, their
  /// columns are not checked before they are shown.
  void add_cached(const CacheOptions& cache, const std::string& choice, const LoadSources& sources, std::uint64_t memory,
                  ThreadPool& pool);
  const HeldSegments& known() const { return known_; }
  /// The known packed segments, by the path of their file.
  std::map<std::string_view, const HeldSegment*> packed() const;
  /// Memory that the known segments take, in bytes; mapped ones take none.
  std::uint64_t bytes() const;

  /// Reuses the known segments with this choice in their key that fit `sources`, and marks their files.
  void take(const std::string& choice, const LoadSources& sources);
  const std::vector<ReusedSegment>& taken() const { return taken_; }
  /// No longer reuses the segments from this index on.
  void give_up(std::size_t from, const LoadSources& sources);
  /// No longer reuses the segments of these files.
  void leave_out(const std::set<std::string_view>& paths);
  /// Releases the known segments.
  void forget_known() { known_.clear(); }

 private:
  HeldSegments known_;
  std::vector<ReusedSegment> taken_;
};

}  // namespace tv
