// Cuts a trace file into chunks of whole JSON records, in one pass, however it is written and wherever it ends:
//
//   {"schemaVersion": 1, "traceEvents": [ {record}, {record}, ... ], "traceName": "x"}     object form
//   [ {record}, {record}, ...                                                              array form, often unclosed
//   {record}\n{record}\n                                                                   one record per line
//
// Within the array of records most of the text is not even looked at, of a plain file not even read: near the end of each
// chunk the cutter searches backwards for what looks like the beginning of a record, and leaves it to the parser to prove
// that it is one (see text_chunk.h). Wherever that does not work, text is scanned character by character.
//
// The members of the top-level object besides the records are collected: they change how records are read. Several
// documents in one file follow each other. Sources: formats.md 2.2, 2.7, 3.1.
// Cost: a few kilobytes per window where guesses are right, else one scan of the text (0.5 GB/s) on the calling thread; no
// allocation per record.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/io/streams/text_feed.h"
#include "core/read/json/json_scan.h"
#include "core/read/json/text_chunk.h"
#include "core/store/draft/problem.h"

namespace tv {

class JsonRecords {
 public:
  /// Called for each member of the top-level object other than the records, with the value's text; values beyond 4 MiB
  /// are passed over.
  using OnMember = std::function<void(std::string_view key, std::string_view value)>;

  JsonRecords(TextFeed& feed, std::size_t chunk_bytes, OnMember on_member);

  /// The next chunk; nullopt at the end. A chunk's text begins with '{' and ends with '}' (a guessed one with a comma and
  /// blanks after it); between its records there are commas and blanks, as a rule.
  Result<std::optional<TextChunk>> next();
  /// Takes back the guessed chunks from the first wrong one to the last that was handed out: they are cut again, with care.
  void take_back(const std::vector<TextChunk>& chunks);

  ProblemLog take_problems() { return std::move(problems_); }

 private:
  enum class Mode { Root, RootJunk, Members, Value, Records, Record, BareRecord, Junk, End };

  // Each looks at the text from at_ on and returns true when it got stuck at the end of the window.
  bool in_root();
  bool in_root_junk();
  bool in_members();
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
  void begin_record(Mode mode);
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
  bool in_object_ = false;        // the records' array is a member of an object
  bool separator_seen_ = true;    // the last thing before here was '[' or ','
  bool any_record_ = false;       // in the present array
  std::uint32_t documents_ = 0;
  std::string key_;               // of the member being scanned
  std::optional<std::uint64_t> keep_;         // text from here on is still needed
  std::uint64_t record_begin_ = 0;
  std::optional<std::uint64_t> chunk_begin_;  // the first record not handed out yet
  std::uint64_t chunk_end_ = 0;
  std::string opening_;                // how the array's first record begins, its first key included
  std::uint64_t guess_from_ = 0;       // no guesses before
  std::uint64_t distrust_bytes_ = 0;   // how long after a wrong guess; doubles with each
  bool guessed_ = false;               // the chunk being handed out
  bool unproven_ = false;              // guesses were made since the last settling
  bool settle_ = false;
  std::optional<TextChunk> unread_;    // a chunk whose text was not needed here
  bool flush_ = false;  // what follows is no record: the chunk must not grow over it
};

}  // namespace tv
