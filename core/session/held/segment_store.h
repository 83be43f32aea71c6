// The segments in use by any tab: a file that several tabs show is read once and held once.
//
// The store keeps nothing alive: an entry expires with the last view that shows its segment. A segment is found by the paths of
// its files; the caller compares sizes, modification times and the choice (HeldSegment::key). A load can wait for an earlier load
// of the same files, and reuse its segments.
// Cost: O(segments in use). Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/session/held/held_segments.h"

namespace tv {

class SegmentStore {
 public:
  void add(const HeldSegments& segments);
  /// Segments whose files are all in `paths`, the most recently added first.
  HeldSegments find(const std::set<std::string_view>& paths) const;

  /// Marks a load as reading files, from read() until this object is destroyed or end() is called.
  class Reading {
   public:
    Reading() = default;
    Reading(SegmentStore& store, std::uint64_t number) : store_(&store), number_(number) {}
    Reading(Reading&& other) noexcept : store_(std::exchange(other.store_, nullptr)), number_(other.number_) {}
    Reading& operator=(Reading&&) = delete;
    ~Reading() { end(); }
    void end() {
      if (store_) std::exchange(store_, nullptr)->ended(number_);
    }

   private:
    SegmentStore* store_ = nullptr;
    std::uint64_t number_ = 0;
  };
  /// Waits until no earlier load is reading any of these files with the same choice, or until `stop`.
  Reading read(const std::set<std::string_view>& paths, std::string_view choice, std::stop_token stop);

 private:
  struct Entry {
    CacheKey key;
    std::string part;
    const Trace* address = nullptr;  ///< of the segment, while it is in use
    std::weak_ptr<const Trace> segment;
    std::weak_ptr<const SegmentIndex> index;
  };
  void ended(std::uint64_t number);

  mutable std::mutex mutex_;
  std::condition_variable_any reading_ended_;
  std::vector<Entry> entries_;                               // the last added come last
  std::map<std::uint64_t, std::set<std::string>> reading_;  // by load, in order: choice and path of each file
  std::uint64_t last_number_ = 0;
};

}  // namespace tv
