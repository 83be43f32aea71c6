#include "core/read/json/json_records.h"

#include <algorithm>

#include "core/read/json/json_scan.h"
#include "core/read/json/likely_record.h"
#include "core/read/json/record_keys.h"

namespace tv {
namespace {

constexpr std::size_t kGuessBytes = 256 << 10;  // how far back a likely record is searched for
constexpr std::size_t kNearBytes = 16 << 10;    // how far back it nearly always is
constexpr std::size_t kLeastGuess = 512 << 10;  // smaller chunks are cut as fast by a full scan
constexpr std::size_t kUnreadChunk = 4;         // a chunk without its text may be this many times larger
constexpr std::size_t kFirstDistrust = 4;       // chunks that are scanned in full after the first wrong guess
constexpr std::size_t kPartsOfRest = 4;         // a chunk is at most this fraction of the remaining text

constexpr std::size_t kStrayBytes = 1;  // junk up to this size counts as a separator, not as a record
constexpr std::uint64_t kLongestSeparator = 4096;  // between two records

}  // namespace

JsonRecords::JsonRecords(TextFeed& feed, std::size_t chunk_bytes, OnMember on_member)
    : feed_(feed), chunk_bytes_(chunk_bytes), on_member_(std::move(on_member)) {}

Result<std::optional<TextChunk>> JsonRecords::next() {
  for (;;) {
    bool stuck = false;
    switch (mode_) {
      case Mode::Root:
        stuck = in_root();
        break;
      case Mode::RootJunk:
      case Mode::Junk:
        stuck = in_junk();
        break;
      case Mode::Members:
        stuck = in_members();
        break;
      case Mode::LostMembers:
        stuck = in_lost_members();
        break;
      case Mode::Value:
        stuck = in_value();
        break;
      case Mode::Records:
        stuck = in_records();
        break;
      case Mode::Record:
      case Mode::BareRecord:
        stuck = in_record();
        break;
      case Mode::End:
        return take_chunk();
    }
    if (settle_) {
      settle_ = unproven_ = false;
      return std::optional(TextChunk{here(), {}, nullptr});
    }
    if (unread_) return std::exchange(unread_, std::nullopt);
    if (chunk_begin_ && (chunk_end_ - *chunk_begin_ >= chunk_bytes_ || stuck || flush_)) return take_chunk();
    flush_ = false;
    if (!stuck) continue;
    if (window_.last) {
      at_end_of_text();
      mode_ = Mode::End;
      continue;
    }
    const std::uint64_t keep_from = std::min(keep_.value_or(here()), separator_in_sight() ? *sound_end_ : here());
    const std::uint64_t at = here();
    auto window = feed_.more(keep_from);
    if (!window) return window.error();
    window_ = std::move(*window);
    at_ = static_cast<std::size_t>(at - window_.offset);
  }
}

std::optional<TextChunk> JsonRecords::take_chunk() {
  flush_ = false;
  if (!chunk_begin_) return std::nullopt;
  const std::size_t from = static_cast<std::size_t>(*chunk_begin_ - window_.offset);
  TextChunk chunk{*chunk_begin_, window_.text.substr(from, chunk_end_ - *chunk_begin_), window_.hold,
                  std::exchange(guessed_, false)};
  chunk.damaged = std::exchange(damaged_, {});
  while (!chunk.damaged.empty() && chunk.damaged.back().begin >= chunk_end_) chunk.damaged.pop_back();
  chunk_begin_.reset();
  keep_.reset();
  if (mode_ == Mode::Record || mode_ == Mode::BareRecord || mode_ == Mode::Junk || mode_ == Mode::RootJunk)
    keep_ = record_begin_;
  return chunk;
}

bool JsonRecords::skip_blanks() {
  while (at_ < window_.text.size() && is_blank(peek())) ++at_;
  return at_ == window_.text.size();
}

// Excerpts in reports must not depend on where the window happens to end.
bool JsonRecords::lacks_excerpt() const { return window_.text.size() - at_ < kExcerptBytes && !window_.last; }

bool JsonRecords::in_records() {
  if (skip_blanks()) return true;
  switch (peek()) {
    case '{':
      learn_separator();
      if (!chunk_begin_ && separator_seen_) {
        const Guess result = guess();
        if (result != Guess::Impossible) return result == Guess::NeedsText;
        if (settle_) return false;
      }
      // Without commas nothing can be guessed. Scan a whole chunk before the next guess, instead of trying after each record.
      if (!chunk_begin_ && !separator_seen_) guess_from_ = here() + chunk_bytes_;
      begin_record(Mode::Record);
      return false;
    case ',':
      if (separator_seen_) problems_.add(ProblemKind::extra_separators, here(), {});
      separator_seen_ = true;
      ++at_;
      return false;
    case '[':
      if (lacks_excerpt()) return true;
      if (const std::size_t inside = window_.text.find_first_not_of(" \t\r\n", at_ + 1);
          inside == std::string_view::npos || (window_.text[inside] != '{' && window_.text[inside] != ']')) {
        begin_junk(Mode::Junk);
        return false;
      }
      ++nested_;
      stray(1);
      return false;
    case ']':
    case '}':
      if (lacks_excerpt()) return true;
      if (peek() == ']' && nested_ > 0) {
        --nested_;
        separator_seen_ = false;
        damage(here(), here() + 1, false);
        ++at_;
        return false;
      }
      if (peek() == '}' && brace_is_stray()) {
        stray(1);
        return false;
      }
      // A brace here closes the object around an array that was never closed.
      if (peek() == '}') problems_.add(ProblemKind::missing_close, here(), {});
      if (separator_seen_ && any_record_) problems_.add(ProblemKind::extra_separators, here(), {});
      array_ended_ = !in_object_;
      separator_seen_ = false;
      mode_ = in_object_ && peek() == ']' ? Mode::Members : Mode::Root;
      flush_ = true;
      ++at_;
      return false;
    default:
      if (lacks_excerpt()) return true;
      if (in_object_ && member_follows()) {
        problems_.add(ProblemKind::missing_close, here(), {});
        flush_ = true;
        left_records_ = here();
        mode_ = Mode::Members;
        return false;
      }
      begin_junk(Mode::Junk);
      return false;
  }
}

// Whether the brace closed something too early or twice: the array continues, or ends, after it.
bool JsonRecords::brace_is_stray() const {
  const std::size_t next = window_.text.find_first_not_of(" \t\r\n", at_ + 1);
  if (next == std::string_view::npos) return false;
  const char c = window_.text[next];
  return c == ',' || (c == ']' && !separator_seen_) || (c == '{' && (separator_seen_ || in_object_));
}

// Whether a member of the object around the records follows. Then the array of records was not closed.
bool JsonRecords::member_follows() const {
  const NextKey next = next_key(window_.text.substr(at_, kExcerptBytes));
  return !next.wrong && next.value != std::string_view::npos && kTraceRecord.bit(next.key) == 0;
}

// Called at the beginning of a record after a separator. Hands out everything up to the last likely record in the window.
JsonRecords::Guess JsonRecords::guess() {
  if (may_guess() && feed_.reach() > 0) {
    if (guess_ahead() == Guess::Made) return Guess::Made;
    guess_from_ = here() + chunk_bytes_;
  } else if (may_guess()) {
    if (window_.text.size() - at_ < chunk_bytes_ / 2) {
      keep_ = here();
      return Guess::NeedsText;
    }
    const std::size_t least = std::max(at_ + 1, window_.text.size() - std::min(window_.text.size(), kGuessBytes));
    if (const std::size_t next = last_likely_record(window_.text, least, opening_); next != std::string_view::npos) {
      chunk_begin_ = here();
      chunk_end_ = window_.offset + next;
      at_ = next;
      any_record_ = guessed_ = unproven_ = flush_ = true;
      keep_ = chunk_begin_;
      return Guess::Made;
    }
    guess_from_ = window_.end();
  }
  settle_ = unproven_;
  return Guess::Impossible;
}

// The same for text that has not been read. Continues after the guessed end.
JsonRecords::Guess JsonRecords::guess_ahead() {
  // Chunks become smaller towards the end, so that all threads finish together; the rest is cut by a full scan on one thread.
  const std::uint64_t from = here(), left = feed_.reach() - std::min(from, feed_.reach());
  const std::size_t most =
      distrust_bytes_ == 0 ? kUnreadChunk * chunk_bytes_ : chunk_bytes_;  // limits the cost of a wrong guess
  const auto chunk_bytes = static_cast<std::size_t>(
      std::clamp<std::uint64_t>(left / kPartsOfRest, std::min(kLeastGuess, chunk_bytes_), most));
  if (left <= chunk_bytes) return Guess::Impossible;
  const std::uint64_t target = from + chunk_bytes;
  for (const std::size_t back : {kNearBytes, kGuessBytes}) {
    const std::size_t bytes = std::min(back, chunk_bytes - 1);
    auto window = feed_.at(target - bytes, bytes);
    if (!window) break;  // the full scan will meet the error again
    const std::size_t next = last_likely_record(window->text, 0, opening_);
    if (next == std::string_view::npos) continue;
    window_ = std::move(*window);
    feed_.replace(window_);
    at_ = next;
    unread_ = TextChunk{from, {}, nullptr, true, &feed_.stream(), static_cast<std::size_t>(here() - from)};
    any_record_ = unproven_ = true;
    return Guess::Made;
  }
  return Guess::Impossible;
}

void JsonRecords::take_back(const std::vector<TextChunk>& chunks) {
  const std::uint64_t from = chunks.front().offset;
  distrust_bytes_ = std::max<std::uint64_t>(2 * distrust_bytes_, kFirstDistrust * chunk_bytes_);
  guess_from_ = chunks.back().end() + distrust_bytes_;
  if (feed_.reach() > 0) {
    window_ = {from, {}, false, nullptr};
  } else {
    window_ = window_again(chunks);
  }
  feed_.replace(window_);
  at_ = 0;
  mode_ = Mode::Records;
  separator_seen_ = any_record_ = true;
  unproven_ = settle_ = flush_ = guessed_ = junk_counted_ = false;
  damaged_.clear();
  chunk_begin_.reset();
  keep_.reset();
}

// The chunks' text and the text after it, in one window.
TextWindow JsonRecords::window_again(const std::vector<TextChunk>& chunks) const {
  const std::uint64_t from = chunks.front().offset;
  std::string text;
  for (const TextChunk& chunk : chunks) text.append(chunk.text);
  text.append(window_.text.substr(static_cast<std::size_t>(from + text.size() - window_.offset)));
  std::shared_ptr<char[]> buffer(new char[text.size() + kTextPadding]{});
  std::copy(text.begin(), text.end(), buffer.get());
  return {from, {buffer.get(), text.size()}, window_.last, buffer};
}

void JsonRecords::begin_array() {
  flush_ = true;
  ++at_;
  nested_ = 0;
  begin_records();
  any_record_ = opening_known_ = separator_known_ = false;
  sound_end_.reset();
}

// Whether the text from the previous sound record to here may be the separator, and is in the window.
bool JsonRecords::separator_in_sight() const {
  // If the text is read again from before that record's end, the difference wraps to a large number.
  return !separator_known_ && sound_end_ && *sound_end_ >= window_.offset && here() - *sound_end_ <= kLongestSeparator;
}

// Called where a record begins.
void JsonRecords::learn_separator() {
  if (!separator_in_sight()) return;
  const auto begin = static_cast<std::size_t>(*sound_end_ - window_.offset);
  extent_.set_separator(window_.text.substr(begin, at_ - begin));
  separator_known_ = true;
}

// The next text is a record, or should be one.
void JsonRecords::begin_records() {
  separator_seen_ = true;
  array_ended_ = false;
  mode_ = Mode::Records;
}

void JsonRecords::begin_record(Mode mode) {
  record_begin_ = here();
  keep_ = chunk_begin_.value_or(record_begin_);
  extent_.begin_record(record_begin_);
  mode_ = mode;
}

void JsonRecords::begin_junk(Mode mode) {
  sound_end_.reset();
  record_begin_ = here();
  keep_ = chunk_begin_.value_or(record_begin_);
  extent_.begin_junk(record_begin_, mode == Mode::RootJunk);
  mode_ = mode;
}

// Skips bytes that belong neither to a record nor between two.
void JsonRecords::stray(std::size_t bytes) {
  problems_.add(ProblemKind::extra_separators, here(), window_.text.substr(at_, bytes));
  damage(here(), here() + bytes, false);
  at_ += bytes;
}

// Marks damage in the current chunk, if there is one.
void JsonRecords::damage(std::uint64_t begin, std::uint64_t end, bool record) {
  if (chunk_begin_) damaged_.push_back({begin, end, record});
}

bool JsonRecords::in_record() {
  const RecordExtent::Status status = extent_.run(window_.text, window_.offset, window_.last);
  if (status == RecordExtent::Status::More || status == RecordExtent::Status::Unended) {
    at_ = window_.text.size();
    // The finished records before this one are handed out first. Then only the text of this one is kept.
    if (!chunk_begin_) keep_ = record_begin_;
    return true;
  }
  at_ = static_cast<std::size_t>(extent_.end() - window_.offset);
  end_record(status == RecordExtent::Status::Damaged);
  return false;
}

void JsonRecords::end_record(bool damaged) {
  const std::string_view record =
      window_.text.substr(static_cast<std::size_t>(record_begin_ - window_.offset), here() - record_begin_);
  const Mode mode = std::exchange(mode_, mode_ == Mode::BareRecord ? Mode::Root : Mode::Records);
  junk_counted_ = damaged;
  separator_seen_ = false;
  if (damaged && record.find('"') == record.npos) {  // an extra bracket
    problems_.add(ProblemKind::extra_separators, record_begin_, record);
    damage(record_begin_, here(), false);
    if (!chunk_begin_) keep_.reset();
    return;
  }
  sound_end_ = damaged ? std::nullopt : std::optional(here());
  if (!damaged && !opening_known_) {
    opening_ = record_opening(record);
    opening_known_ = true;
  }
  // The first chunk, and others from a full scan, end with their first record if guessing can continue from there.
  if (!chunk_begin_) {
    chunk_begin_ = record_begin_;
    flush_ = mode == Mode::Record && may_guess();
  }
  if (damaged) damage(record_begin_, here(), true);
  // This damage explains the wrong guess. Guesses after it may be right, unless an earlier one was wrong as well.
  if (damaged && mode == Mode::Record && distrust_bytes_ == kFirstDistrust * chunk_bytes_ && guess_from_ > here()) {
    distrust_bytes_ *= 2;
    guess_from_ = here();
    flush_ = true;
  }
  chunk_end_ = here();
  any_record_ = true;
}

// Whether the text is a record without its opening brace, and not the rest of the previous record.
bool JsonRecords::begins_like_first(std::string_view text) const {
  const std::size_t key = std::min(opening_.find('"'), opening_.size());
  return key < opening_.size() && text.starts_with(std::string_view(opening_).substr(key));
}

bool JsonRecords::in_junk() {
  const RecordExtent::Status status = extent_.run(window_.text, window_.offset, window_.last);
  const bool ended = status == RecordExtent::Status::Damaged;
  if (!ended) {
    at_ = window_.text.size();
    if (!chunk_begin_) keep_ = record_begin_;
    if (!window_.last) return true;
  }
  const auto begin = static_cast<std::size_t>(record_begin_ - window_.offset);
  if (ended) at_ = static_cast<std::size_t>(std::max(extent_.end(), record_begin_ + 1) - window_.offset);
  const std::string_view junk = window_.text.substr(begin, here() - record_begin_);
  const bool rest_of_number = !separator_seen_ && junk.find_first_of("\":") == junk.npos && mode_ == Mode::Junk;
  const auto holds = [&](std::string_view key) { return junk.find(key) != junk.npos; };
  if (mode_ == Mode::RootJunk && !bare_records_ && junk.find("\":") != junk.npos &&
      std::ranges::none_of(kOnlyEventKeys, holds)) {
    problems_.add(ProblemKind::repaired_record, record_begin_,
                  junk.substr(0, kExcerptBytes));  // damage in the top-level object
  } else if (junk.find_last_not_of(" \t\r\n") < kStrayBytes || rest_of_number) {
    problems_.add(ProblemKind::extra_separators, record_begin_, junk);
  } else if (!std::exchange(junk_counted_, true) || begins_like_first(window_.text.substr(begin))) {
    problems_.add(ProblemKind::bad_record, record_begin_, window_.text.substr(begin, kExcerptBytes));
  }
  damage(record_begin_, here(), false);
  if (!chunk_begin_) keep_.reset();
  separator_seen_ = false;
  mode_ = mode_ == Mode::RootJunk ? Mode::Root : Mode::Records;
  return false;
}

void JsonRecords::at_end_of_text() {
  switch (mode_) {
    case Mode::Record:
    case Mode::BareRecord: {
      const auto begin = static_cast<std::size_t>(record_begin_ - window_.offset);
      problems_.add(ProblemKind::truncated_record, record_begin_, window_.text.substr(begin));
      if (mode_ == Mode::Record) problems_.add(ProblemKind::missing_close, here(), {});
      break;
    }
    case Mode::Members:
    case Mode::LostMembers:
    case Mode::Value:
    case Mode::Junk:
    case Mode::Records:
      problems_.add(ProblemKind::missing_close, here(), {});
      break;
    case Mode::Root:
    case Mode::RootJunk:
    case Mode::End:
      break;
  }
}

}  // namespace tv
