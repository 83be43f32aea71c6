// Cuts a trace file into chunks of whole JSON records, in one pass, however it is written and wherever it ends:
//
//   {"schemaVersion": 1, "traceEvents": [ {record}, {record}, ... ], "traceName": "x"}     object form
//   [ {record}, {record}, ...                                                              array form, often unclosed
//   {record}\n{record}\n                                                                   one record per line
//
// The members of the top-level object besides the records are collected: they change how records are read. Several
// documents in one file follow each other. Sources: formats.md 2.2, 2.7, 3.1.
// Cost: one scan of the text on the calling thread; no allocation per record.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/io/text_feed.h"
#include "core/read/json_scan.h"
#include "core/read/text_chunk.h"
#include "core/store/problem.h"

namespace tv {

class JsonRecords {
 public:
  /// Called for each member of the top-level object other than the records, with the value's text; values beyond 4 MiB
  /// are passed over.
  using OnMember = std::function<void(std::string_view key, std::string_view value)>;

  JsonRecords(TextFeed& feed, std::size_t chunk_bytes, OnMember on_member);

  /// The next chunk; nullopt at the end. A chunk's text begins with '{' and ends with '}'; between its records there are
  /// commas and blanks, as a rule.
  Result<std::optional<TextChunk>> next();

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
  bool flush_ = false;  // what follows is no record: the chunk must not grow over it
};

}  // namespace tv
