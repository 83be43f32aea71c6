// Visits the records of a trace's slices, one window of text at a time. Records hold all data beyond names and times. They are
// visited in file order, so that one pass over the files is enough.
//
// In a random-access text (a plain file, a packed trace), stretches without a chosen record are skipped. Cost: a RecordIndex for
// the order, 8 bytes per slice of the source that is read, reading or inflating the texts, and a few windows of memory.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/io/streams/text_feed.h"
#include "core/read/reader.h"
#include "core/session/records/record_index.h"
#include "core/session/records/source_records.h"
#include "core/store/trace/trace.h"

namespace tv {

/// Slices and instants whose records are complete in a window of text.
struct RecordBlock {
  SourceId source{};
  const Reader* reader = nullptr;  ///< null: the source cannot be read again
  std::shared_ptr<SourceRecords> records;  ///< for a source that is not text; then there is no window
  std::vector<SliceId> slices;     ///< in the order of the text
  TextWindow window;

  /// From the record's first byte to the end of the window; empty if it cannot be read.
  std::string_view from(const Trace& trace, SliceId id) const {
    const std::uint64_t offset = trace.ref_of(id).offset();
    return !reader || records || offset < window.offset || offset >= window.end()
               ? std::string_view()
               : window.text.substr(static_cast<std::size_t>(offset - window.offset));
  }
};

class RecordBlocks {
 public:
  /// An empty function chooses all slices.
  using Chosen = std::function<bool(SliceId)>;
  RecordBlocks(const Trace& trace, Chosen chosen, ThreadPool& pool)
      : trace_(trace), chosen_(std::move(chosen)), index_(trace, pool) {}

  /// Nullopt at the end.
  std::optional<RecordBlock> next();
  /// Sources that could not be read again, with the reason; their slices have no records.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  void open_source();
  /// Moves the window until it holds the complete record at `offset`, or gives up the source.
  void move_window(std::uint64_t offset);
  void give_up(const std::string& why);
  std::size_t first_not_whole(std::size_t from, std::size_t to) const;
  std::uint64_t offset_of(std::size_t i) const { return trace_.ref_of(ids_[i]).offset(); }

  const Trace& trace_;
  Chosen chosen_;
  RecordIndex index_;
  std::size_t source_ = SIZE_MAX;
  std::vector<SliceId> ids_;  // the chosen slices of the source, by offset
  std::size_t at_ = 0;        // in ids_
  const Reader* reader_ = nullptr;
  std::shared_ptr<SourceRecords> records_;
  std::unique_ptr<ByteStream> stream_;
  std::optional<TextFeed> feed_;
  TextWindow window_;
  std::vector<std::string> problems_;
};

}  // namespace tv
