// Cuts a trace file, which may be incomplete, into chunks of whole JSON records, in one pass. The file has one of these forms:
//
//   {"schemaVersion": 1, "traceEvents": [ {record}, {record}, ... ], "traceName": "x"}     object form
//   [ {record}, {record}, ...                                                              array form, often unclosed
//   {record}\n{record}\n                                                                   one record per line
//
// Within the array of records, most of the text is not scanned, and in an uncompressed file not even read: near the end of each
// chunk, the cutter searches backwards for a likely beginning of a record, and leaves it to the parser to prove the guess
// (text_chunk.h). If a guess proves wrong, the text is scanned character by character.
//
// Text may be damaged anywhere. A damaged record never takes an intact one with it (record_extent.h). A chunk lists its parts
// that are not sound records.
//
// Other members of the top-level object are passed to the caller, because they affect how records are read. A file may hold
// several documents, one after the other. Sources: kineto, Trace Event Format.
// Cost: a few kilobytes per chunk if guesses are right, else one scan of the text (0.5 GB/s) on the calling thread; no allocation
// per record.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/io/streams/text_feed.h"
#include "core/read/json/json_scan.h"
#include "core/read/json/record_extent.h"
#include "core/read/json/text_chunk.h"
#include "core/read/json/trace_records.h"
#include "core/store/draft/problem.h"

namespace tv {

class JsonRecords {
 public:
  /// Called for each member of the top-level object other than the records, with the value's text. Skips values beyond 4 MiB.
  using OnMember = std::function<void(std::string_view key, std::string_view value)>;

  JsonRecords(TextFeed& feed, std::size_t chunk_bytes, OnMember on_member);

  /// The next chunk, or nullopt at the end. A chunk's text begins with '{' and, unless its last record is damaged, ends with '}'
  /// (a guessed one has a comma and blanks after it). Between its records there are usually commas and blanks.
  Result<std::optional<TextChunk>> next();
  /// Takes back the chunks from the first wrongly guessed one to the last that was handed out. Their text is cut again, this time
  /// by a full scan.
  void take_back(const std::vector<TextChunk>& chunks);

  ProblemLog take_problems() { return std::move(problems_); }

 private:
  enum class Mode { Root, RootJunk, Members, LostMembers, Value, Records, Record, BareRecord, Junk, End };

  // Each function reads the text from at_ on and returns true if it needs text beyond the end of the window.
  bool in_root();
  bool in_members();
  bool in_lost_members();
  bool in_value();
  bool in_records();
  bool in_record();
  bool in_junk();

  enum class Guess { Made, NeedsText, Impossible };
  Guess guess();
  Guess guess_ahead();

  TextWindow window_again(const std::vector<TextChunk>& chunks) const;
  bool may_guess() const { return !opening_.empty() && here() >= guess_from_ && !window_.last; }
  bool skip_blanks();
  bool lacks_excerpt() const;
  char peek() const { return window_.text[at_]; }
  std::uint64_t here() const { return window_.offset + at_; }
  void begin_array();
  void begin_records();
  bool separator_in_sight() const;
  void learn_separator();
  void begin_record(Mode mode);
  void end_record(bool damaged);
  void begin_junk(Mode mode);
  void stray(std::size_t bytes);
  void damage(std::uint64_t begin, std::uint64_t end, bool record);
  void lose_members();
  void continue_with_found();
  bool begins_like_first(std::string_view text) const;
  bool brace_is_stray() const;
  bool member_follows() const;
  enum class Root { Record, Document, NeedsText };
  Root root_object() const;
  void at_end_of_text();
  std::optional<TextChunk> take_chunk();

  TextFeed& feed_;
  const std::size_t chunk_bytes_;
  OnMember on_member_;
  ProblemLog problems_;

  TextWindow window_;
  std::size_t at_ = 0;  // position in the window
  Mode mode_ = Mode::Root;
  JsonScan scan_;
  RecordExtent extent_{kTraceRecord};
  RecordFinder finder_{kTraceRecord};          // for records inside a damaged member of the top-level object
  bool in_object_ = false;                     // the array of records is a member of an object
  bool separator_seen_ = true;                 // the last thing before here was '[' or ','
  bool any_record_ = false;                    // the current array has a record
  bool bare_records_ = false;                  // some records were outside any array
  std::optional<std::uint64_t> left_records_;  // where a member of the object seemed to follow the unclosed array
  bool array_ended_ = false;                   // the text before here ended an array
  bool junk_counted_ = false;         // the next text that is not a record belongs to damage already counted
  std::uint32_t nested_ = 0;          // open arrays within the array of records
  std::vector<DamagedText> damaged_;  // in the current chunk
  std::uint32_t documents_ = 0;
  std::string key_;                    // key of the member being scanned
  std::optional<std::uint64_t> keep_;  // text from here on is still needed
  std::uint64_t value_begin_ = 0;      // also where lost members begin
  std::optional<std::uint64_t> value_end_;
  bool value_sound_ = false;  // the member's value was read to its end and is sound
  std::uint64_t record_begin_ = 0;
  std::optional<std::uint64_t> chunk_begin_;  // the first record not handed out yet
  std::uint64_t chunk_end_ = 0;
  std::string opening_;  // the first whole record of the array, up to and including its first key
  bool opening_known_ = false;
  bool separator_known_ = false;            // the text between the array's records is known
  std::optional<std::uint64_t> sound_end_;  // end of the previous record
  std::uint64_t guess_from_ = 0;            // no guesses before this offset
  std::uint64_t distrust_bytes_ = 0;        // no guesses for this long after a wrong one; doubles each time
  bool guessed_ = false;                    // the chunk being handed out was guessed
  bool unproven_ = false;                   // guesses were made since the last pause
  bool settle_ = false;                     // hand out a pause next, so that all guesses are proven (text_chunk.h)
  std::optional<TextChunk> unread_;  // a chunk whose text was not read here
  bool flush_ = false;               // the current chunk must end here
};

}  // namespace tv
