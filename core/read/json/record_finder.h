// Finds whole records in JSON that may be damaged. A record is an object that is sound from '{' to '}' and has the keys of a
// record.
//
// The search begins at a record and follows it token by token. A sound record is whole whatever it contains: an object inside it
// that looks like a record is part of it. At an unexpected token, the record is broken. From then on every '{' may begin the next
// record, even inside a string; the first one that proves to be a whole record is the answer.
//
// A record that was cut off can seem to continue with the records after it, as elements of an array or as the value of a key.
// The first of these inner records is remembered. It is the answer if the outer record breaks while the array or object around
// the inner one is still open, if the text ends, or if more inner records follow than one record can hold. If the outer record
// breaks later, the answer is the first inner record that has all the keys that only records have.
//
// Profilers write bare words (N/A, nan), raw newlines in strings and doubled commas, so these count as sound here.
// Cost: one pass; a string at which the record breaks is read twice. Resumable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/read/json/json_scan.h"

namespace tv {

/// What makes an object a record. Bit i of a mask stands for key i, on the object's first level.
struct RecordKeys {
  std::span<const std::string_view> keys;  ///< at most 32
  std::uint32_t all;                       ///< a record has all of these,
  std::uint32_t any;                       ///< and at least one of these
  std::uint32_t sure;                      ///< an object with all of these is part of another record only if that record is sound

  /// 0: the key is not in the list.
  std::uint32_t bit(std::string_view key) const;
  bool complete(std::uint32_t seen) const { return (seen & all) == all && (seen & any) != 0; }
};

class RecordFinder {
 public:
  enum class Status {
    Whole,   ///< the record at which the search began is sound and ends at record().end
    Broken,  ///< the record at which the search began is not sound; run() goes on to the next whole record
    Found,   ///< record() is a whole record
    Clear,   ///< no whole record begins before `until`
    More,    ///< the text ended first
  };
  struct Span {
    std::uint64_t begin = 0, end = 0;
  };
  static constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

  explicit RecordFinder(const RecordKeys& keys);

  /// Begins at a record, or at an object or array in place of one, whose bracket is at `at`. If that is sound but not a record,
  /// the search finds the first record inside it that has all `sure` keys.
  void begin_record(std::uint64_t at) { begin(at, true); }
  /// Sets the text between two records of this file. If it has a newline, it helps to tell records from parts of a record.
  void set_separator(std::string_view between) {
    separator_ = between.find('\n') == between.npos ? std::string_view() : between;
  }
  /// Begins in text that is not a record, or in the rest of a record.
  void begin_lost(std::uint64_t at) { begin(at, false); }

  /// `offset`: where the text begins. The text must reach back to keep_from(). `last`: no more text will come.
  Status run(std::string_view text, std::uint64_t offset, bool last, std::uint64_t until = kNoEnd);
  /// As run(), which it calls again past a broken record. A finder that was Found or Whole before is not continued.
  Status run_on(Status before, std::string_view text, std::uint64_t offset, bool last, std::uint64_t until = kNoEnd);

  /// Whether the text ended inside a string whose last lines have only brackets: then a quote was lost.
  bool in_string_of_brackets() const;
  Span record() const { return record_; }
  std::uint32_t keys_seen() const { return seen_; }  ///< keys of the whole record
  /// Text from here on will be needed again.
  std::uint64_t keep_from() const;

 private:
  enum class Expect : std::uint8_t { Value, FirstValue, Key, FirstKey, Colon, Comma };
  struct Open {
    std::uint64_t begin;
    std::uint32_t keys;
    bool object;
  };

  void begin(std::uint64_t at, bool known);
  void pass_sound();
  std::uint32_t bit_of(std::string_view key) const;
  void open(char bracket);
  bool close(char bracket);
  void close_outermost(Open done);
  void note_inner_record(Open done);
  bool step(char c);
  void pass_word();
  bool pass_string();
  void end_string();
  Status found_inside();
  Status broken();
  char peek() const { return text_[static_cast<std::size_t>(at_ - offset_)]; }
  bool in_text() const { return at_ < offset_ + text_.size(); }

  const RecordKeys* keys_;
  std::array<std::uint32_t, 128> by_letter_{};  // by first letter: the keys that begin with it
  std::string_view text_;
  std::uint64_t offset_ = 0;
  bool last_ = false;

  std::uint64_t at_ = 0;
  std::vector<Open> open_;
  Expect expect_ = Expect::FirstKey;
  bool known_ = false;  // the outermost object is the record at which the search began
  bool in_string_ = false, in_escape_ = false, in_word_ = false;
  bool after_string_ = false;  // the last token is a string
  std::uint64_t string_ = 0;   // where the last string begins
  std::optional<Span> first_;      // the first whole record inside the outermost object
  std::optional<Span> sure_;       // the first that has all the keys that only records have
  std::optional<Span> separated_;  // the first of those that comes after a separator, as the next record would
  std::string separator_;
  std::uint64_t first_depth_ = 0;  // number of objects and arrays around first_
  bool inside_open_ = false;       // the object or array around first_ is still open
  std::uint64_t count_ = 0;        // number of whole records from first_ on
  bool found_ = false;
  Span record_;
  std::uint32_t seen_ = 0;
};

enum class ScanTo { Bracket, Separator };  ///< JsonScan::run() or run_value()

/// Looks for the end of a value that may be damaged and for the next whole record at the same time: continues the scan at `at`, up to
/// the end of the value or of the text, or until the finder has found a record. `found` is the finder's status before and after; a
/// finder that is Found or Whole is not continued.
///
/// A scan alone can run far beyond the next record. If every record were damaged, that would cost a pass over the rest of the
/// file for each. So both take turns, in blocks that double. The finder sees only what the scan has passed, so it finds the
/// same records as if the end had been known before. Cost: a few passes over the text up to the value's end or the end of the
/// record found.
JsonScan::Step scan_with_finder(JsonScan& scan, ScanTo to, RecordFinder& finder, RecordFinder::Status& found, std::string_view text,
                                std::uint64_t offset, std::size_t at, bool last);

}  // namespace tv
