// The files of a load. Finds their formats, then reads a few files at once, each into its draft; the pool parses their chunks. A
// failure of one file affects only that file. Reading stops early if the data will not fit into memory (memory_watch.h).
//
// Only the job's thread calls it, except for the counts.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/threads/thread_pool.h"
#include "core/session/files/load_options.h"
#include "core/session/files/load_source.h"
#include "core/session/files/memory_watch.h"
#include "core/session/files/probe_sources.h"

namespace tv {

class LoadFiles {
 public:
  LoadFiles(ThreadPool& pool, const LoadOptions& options, MemoryWatch& memory) : pool_(pool), options_(options), memory_(memory) {}

  /// Files may be added and removed until probe().
  LoadSources& sources() { return sources_; }
  const LoadSources& sources() const { return sources_; }

  /// Finds the formats of files that are not reused. Leaves out files whose contents other files show, and returns their paths.
  std::set<std::string_view> probe(std::stop_token stop);
  /// Sums up the bytes to read. Call when the list of files to be read has changed.
  void count_bytes();
  bool any_to_read() const;
  /// Whether files are selected by rank or role, which in some formats only the contents name.
  bool by_contents() const { return !options_.choice.ranks.empty() || !options_.choice.roles.empty(); }

  enum class Pass : std::uint8_t { Outline, All };  ///< Outline: only what is needed to find the position of a time window
  /// Calls `meanwhile` with the number of threads that are still reading. The function may publish what was read so far.
  void read(Pass pass, std::stop_token stop, const std::function<void(const std::atomic<std::size_t>& readers_left)>& meanwhile);
  /// Drops what was read, so that files with a reader can be read again.
  void restart();
  /// The files of reused segments were read alone, so the next read() does not expect their bytes.
  void note_read_alone();
  bool any_read_alone() const { return bytes_read_alone_ > 0; }
  /// Releases the beginnings of files that were kept for their readers.
  void drop_heads();
  /// Paths of files of unknown format that are too long for growth to reveal it.
  std::set<std::string, std::less<>> never_known() const;

  void note_done() { ++files_done_; }
  void count_again() { files_done_ = 0; }  ///< from 0
  /// Bytes on disk, as all bytes here.
  std::uint64_t bytes_read() const { return sum_of(&ReadProgress::bytes); }
  std::uint64_t bytes_handed_over() const { return sum_of(&ReadProgress::handed_over); }

  // ---- counts, for any thread
  std::size_t files_done() const { return files_done_; }
  std::uint64_t bytes() const { return bytes_total_; }
  /// 0 until the formats are known.
  std::uint64_t bytes_done() const { return probed_ ? bytes_read() : 0; }

 private:
  void set_filters(Pass pass);
  void read(LoadSource& source, Pass pass, std::stop_token stop);
  bool wanted(const SourceInfo& info) const;
  std::uint64_t bytes_expected() const;
  void count_begun(LoadSource& source, std::uint64_t bytes);
  std::size_t chunk_bytes(const LoadSource& source) const;
  std::uint64_t sum_of(std::atomic<std::uint64_t> ReadProgress::* measure) const;

  ThreadPool& pool_;
  const LoadOptions& options_;
  MemoryWatch& memory_;
  LoadSources sources_;
  std::atomic<std::uint64_t> bytes_total_ = 0;
  std::atomic<std::uint64_t> bytes_begun_ = 0;  ///< LoadSource::counted, of all sources
  std::atomic<std::size_t> files_done_ = 0;
  std::atomic<bool> probed_ = false;
  std::uint64_t bytes_read_alone_ = 0;
};

}  // namespace tv
