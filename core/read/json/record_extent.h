// Finds where a record, or the text in its place, ends in text that may be damaged.
//
// A sound record ends with its brace. So does a record with minor faults (unescaped quotes, raw newlines), whose end JsonScan
// finds. But no record ends after the beginning of the next whole record (record_finder.h): a record that lost a bracket, or was
// cut off, ends before it.
//
// A sound record may have been closed too early. Members with new keys that follow it then belong to it.
// Cost: one pass over a sound record; a damaged record, and the text up to the next sound one, take a few passes
// (scan_with_finder()). Resumable.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/read/json/json_scan.h"
#include "core/read/json/record_finder.h"

namespace tv {

class RecordExtent {
 public:
  enum class Status {
    Whole,    ///< a sound record ends at end()
    Damaged,  ///< the record, or the text in its place, ends at end() and is not sound
    Unended,  ///< the text ends before the record does
    More,     ///< more text is needed
  };

  explicit RecordExtent(const RecordKeys& keys) : finder_(keys), keys_(&keys) {}

  /// A record begins at `at`, with '{'.
  void begin_record(std::uint64_t at);
  /// No record begins here. The text here is either the rest of a record, with more members, or something else that ends at the
  /// next comma or bracket. `outside`: no array is open; other text then ends at the next opening bracket.
  void begin_junk(std::uint64_t at, bool outside);

  void set_separator(std::string_view between) { finder_.set_separator(between); }

  /// `offset`: where the text begins, which must not be after the record's begin. `last`: no more text will come.
  Status run(std::string_view text, std::uint64_t offset, bool last);

  std::uint64_t end() const { return end_; }
  /// With More: the record itself is whole; only the text after it is still needed.
  bool ended() const { return stage_ == Stage::Follow; }

 private:
  enum class Stage { Sound, Follow, Junk, Damaged };

  std::optional<Status> sound();
  std::optional<Status> follow();
  std::optional<Status> junk();
  Status damaged();
  std::optional<bool> is_plausible_end(std::uint64_t end) const;
  void look_for_end(std::uint64_t from);
  Status end_before(std::uint64_t next, bool plausible);
  Status end_of_file(bool plausible);
  char at(std::uint64_t place) const { return text_[static_cast<std::size_t>(place - offset_)]; }
  std::string_view from(std::uint64_t place) const { return text_.substr(static_cast<std::size_t>(place - offset_)); }

  RecordFinder finder_;
  const RecordKeys* keys_;
  JsonScan scan_;
  std::string_view text_;
  std::uint64_t offset_ = 0;
  bool last_ = false;

  Stage stage_ = Stage::Sound;
  std::uint64_t begin_ = 0, end_ = 0;
  std::uint64_t scanned_ = 0;  // how far scan_ has come
  bool outside_array_ = false;
  bool stop_at_comma_ = false;           // scan_ stops at a comma as well
  std::optional<std::uint64_t> likely_;  // the end that scan_ found
};

/// Length of the record that begins the text. Nullopt if the text may end before the record does.
std::optional<std::size_t> record_length_in(std::string_view text, const RecordKeys& keys);

}  // namespace tv
