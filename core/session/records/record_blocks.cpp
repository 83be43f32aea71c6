#include "core/session/records/record_blocks.h"

#include <algorithm>

#include "core/read/registry.h"
#include "core/session/packed/source_text.h"

namespace tv {
namespace {

constexpr std::size_t kStep = 1 << 20;        // bytes by which a window of text grows
constexpr std::size_t kMostSlices = 1 << 14;  // in a block: limits blocks of a dense text, or of a source without text
constexpr std::size_t kLongestRecord = 64 << 20;

}  // namespace

std::optional<RecordBlock> RecordBlocks::next() {
  while (at_ == ids_.size()) {
    source_ = source_ == SIZE_MAX ? 0 : source_ + 1;
    if (source_ >= trace_.sources.size()) return std::nullopt;
    open_source();
  }
  RecordBlock block;
  block.source = id_at<SourceId>(source_);
  std::size_t end = std::min(ids_.size(), at_ + kMostSlices);
  if (records_) {
    block.reader = reader_;
    block.records = records_;
  }
  if (reader_ && !records_) move_window(offset_of(at_));
  if (reader_ && !records_) {
    const auto beyond = std::partition_point(
        ids_.begin() + static_cast<std::ptrdiff_t>(at_), ids_.begin() + static_cast<std::ptrdiff_t>(end),
        [&](SliceId id) { return trace_.ref_of(id).offset() < window_.end(); });
    end = first_not_whole(at_, static_cast<std::size_t>(beyond - ids_.begin()));
    block.reader = reader_;
    block.window = window_;
  }
  block.slices.assign(ids_.begin() + static_cast<std::ptrdiff_t>(at_), ids_.begin() + static_cast<std::ptrdiff_t>(end));
  at_ = end;
  return block;
}

void RecordBlocks::open_source() {
  ids_ = index_.slices_of(id_at<SourceId>(source_));
  at_ = 0;
  if (chosen_) std::erase_if(ids_, [&](SliceId id) { return !chosen_(id); });
  feed_.reset();
  window_ = {};
  reader_ = nullptr;
  records_ = nullptr;
  if (ids_.empty()) return;
  const SourceInfo& source = trace_.sources[source_];
  const Reader* const reader = find_reader(source.format);
  if (reader && reader->open_table) {
    auto records = SourceRecords::open(*reader, source, SourceRecords::Many::Yes);
    if (!records) return give_up(records.error().text());
    reader_ = reader;
    records_ = std::move(*records);
    return;
  }
  auto stream = open_source_text(source);
  if (!stream) return give_up(stream.error().text());
  stream_ = std::move(*stream);
  feed_.emplace(*stream_, kStep);
  reader_ = reader;
}

void RecordBlocks::move_window(std::uint64_t offset) {
  const auto holds_it = [&] {
    if (offset < window_.offset || offset >= window_.end()) return false;
    const std::string_view there = window_.text.substr(static_cast<std::size_t>(offset - window_.offset));
    return window_.last || there.size() >= kLongestRecord || reader_->record_length(there).has_value();
  };
  while (!holds_it()) {
    if (window_.last) return give_up(trace_.sources[source_].path + ": the file has become shorter");
    const bool far = feed_->reach() > 0 && offset > window_.end() + kStep;
    if (far) {
      auto window = feed_->at(offset, kStep);
      if (!window) return give_up(window.error().text());
      window_ = *window;
      feed_->replace(window_);
      if (window_.text.empty()) return give_up(trace_.sources[source_].path + ": the file has become shorter");
    } else {
      auto window = feed_->more(std::clamp(offset, window_.offset, window_.end()));
      if (!window) return give_up(window.error().text());
      window_ = *window;
    }
  }
}

// The first slice in [from, to) whose record may end after the window; `to` if there is none. All these records begin in the
// window, and the one at `from` is complete.
std::size_t RecordBlocks::first_not_whole(std::size_t from, std::size_t to) const {
  const std::uint64_t last = offset_of(to - 1);
  if (window_.last || last == offset_of(from)) return to;
  const std::string_view there = window_.text.substr(static_cast<std::size_t>(last - window_.offset));
  if (reader_->record_length(there)) return to;
  while (to > from + 1 && offset_of(to - 1) == last) --to;
  return to;
}

void RecordBlocks::give_up(const std::string& why) {
  problems_.push_back(why);
  reader_ = nullptr;
  feed_.reset();
  window_ = {};
}

}  // namespace tv
