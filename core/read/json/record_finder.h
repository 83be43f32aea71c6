// Finds whole records in JSON that may be damaged: objects that are sound from '{' to '}' and have the keys of a
// record.
//
// It begins at a record and follows it token by token. A sound record is whole whatever it holds: an object inside it
// that looks like a record is a part of it. Where a token stands that cannot stand there, the record is broken. From
// then on every
// '{' may begin the next one, strings or not, and the first that proves to be a whole record is the answer.
//
// A record that was cut off may go on soundly with the records after it, as the elements of an array or the value of a
// key. Of these the first is remembered. It is the answer if the record breaks before what holds them is closed, if the
// text ends, if they become too many to be a part of anything, or if the record breaks and they have all that only
// records have.
//
// Bare words (N/A, nan), raw newlines in strings and doubled commas are what profilers write, and sound here.
// Cost: one pass; a string at which the text breaks is looked at twice. Resumable.
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

namespace tv {

/// What makes an object a record: bit i of the masks is key i, on the object's first level.
struct RecordKeys {
  std::span<const std::string_view> keys;  ///< at most 32
  std::uint32_t all;                       ///< these must be there,
  std::uint32_t any;                       ///< and one of these
  std::uint32_t sure;                      ///< with all of these it is no part of another record, if that is not sound

  /// 0: it is none of them.
  std::uint32_t bit(std::string_view key) const;
  bool complete(std::uint32_t seen) const { return (seen & all) == all && (seen & any) != 0; }
};

class RecordFinder {
 public:
  enum class Status {
    Whole,   ///< the record with which it began ends at record().end
    Broken,  ///< it is not sound; run() goes on to the next whole record
    Found,   ///< record() is a whole one
    Clear,   ///< no whole record begins before `until`
    More,    ///< the text ended first
  };
  struct Span {
    std::uint64_t begin = 0, end = 0;
  };
  static constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

  explicit RecordFinder(const RecordKeys& keys);

  /// A record, or an object or array in place of one, begins at `at` with its bracket. If it is no record, but sound
  /// and holds some, these are found. and holds some, these are found.
  void begin_record(std::uint64_t at) { begin(at, true); }
  /// What lies between two records of this file. With a newline in it, it tells records from what is a part of one.
  void set_separator(std::string_view between) {
    separator_ = between.find('\n') == between.npos ? std::string_view() : between;
  }
  /// Something that is no record, or the rest of one.
  void begin_lost(std::uint64_t at) { begin(at, false); }

  /// `offset`: where the text begins; it must hold keep_from(). `last`: no more text will come.
  Status run(std::string_view text, std::uint64_t offset, bool last, std::uint64_t until = kNoEnd);

  /// The text ended inside a string, and its last lines are nothing but brackets: a quote was lost.
  bool in_string_of_brackets() const;
  Span record() const { return record_; }
  std::uint32_t keys_seen() const { return seen_; }  ///< of a whole record
  /// Text from here on is needed again.
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
  void inside(Open done);
  bool step(char c);
  void pass_word();
  bool pass_string();
  void end_string();
  Status found_inside();
  Status broken();
  char peek() const { return text_[static_cast<std::size_t>(at_ - offset_)]; }
  bool in_text() const { return at_ < offset_ + text_.size(); }

  const RecordKeys* keys_;
  std::array<std::uint32_t, 128> by_letter_{};  // the keys that begin with it
  std::string_view text_;
  std::uint64_t offset_ = 0;
  bool last_ = false;

  std::uint64_t at_ = 0;
  std::vector<Open> open_;
  Expect expect_ = Expect::FirstKey;
  bool known_ = false;  // the outermost object is the record with which it began
  bool in_string_ = false, in_escape_ = false, in_word_ = false;
  bool after_string_ = false;  // the last token is a string,
  std::uint64_t string_ = 0;   // which begins here
  std::optional<Span> first_;  // the first whole record inside the outermost object
  std::optional<Span> sure_;   // the first with all that only records have
  std::optional<Span> apart_;  // likewise, which is also where the next one would be
  std::string separator_;
  std::uint64_t within_ = 0;  // how deep it lies there
  bool held_ = false;         // what it lies in is still open
  std::uint64_t count_ = 0;   // of such records
  bool found_ = false;
  Span record_;
  std::uint32_t seen_ = 0;
};

}  // namespace tv
