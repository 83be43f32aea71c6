#include "core/session/held/segment_store.h"

#include <algorithm>

namespace tv {

void SegmentStore::add(const HeldSegments& segments) {
  std::set<const Trace*> added;
  for (const HeldSegment& segment : segments) added.insert(segment.segment.get());
  const std::lock_guard lock(mutex_);
  // A segment that is added again replaces its entry, because its cache file (`part`) may have been written since.
  std::erase_if(entries_, [&](const Entry& entry) { return entry.segment.expired() || added.contains(entry.address); });
  for (const HeldSegment& segment : segments) {
    entries_.push_back({segment.key, segment.part, segment.segment.get(), segment.segment, segment.index});
  }
}

HeldSegments SegmentStore::find(const std::set<std::string_view>& paths) const {
  HeldSegments found;
  std::vector<std::shared_ptr<const Trace>> without_index;  // perhaps last references: freed after the lock is released
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (!std::ranges::all_of(entry->key.files, [&](const CacheKey::File& file) { return paths.contains(file.path); })) continue;
    auto segment = entry->segment.lock();
    auto index = entry->index.lock();
    if (segment && index) found.push_back({entry->key, std::move(segment), std::move(index), entry->part});
    else without_index.push_back(std::move(segment));
  }
  return found;
}

SegmentStore::Reading SegmentStore::read(const std::set<std::string_view>& paths, std::string_view choice, std::stop_token stop) {
  std::set<std::string> mine;
  for (const std::string_view path : paths) mine.insert(std::string(choice) + '\n' + std::string(path));
  std::unique_lock lock(mutex_);
  const std::uint64_t number = ++last_number_;
  const auto& files = reading_.emplace(number, std::move(mine)).first->second;
  const auto is_mine = [&](const std::string& file) { return files.contains(file); };
  reading_ended_.wait(lock, stop, [&] {
    return std::none_of(reading_.begin(), reading_.find(number), [&](const auto& earlier) { return std::ranges::any_of(earlier.second, is_mine); });
  });
  return {*this, number};
}

void SegmentStore::ended(std::uint64_t number) {
  {
    const std::lock_guard lock(mutex_);
    reading_.erase(number);
  }
  reading_ended_.notify_all();
}

}  // namespace tv
