#include "core/read/json/record_finder.h"

#include <algorithm>
#include <bit>

namespace tv {
namespace {

// An open object with more records and bytes inside is not a record. Its first inner record is reported.
constexpr std::uint64_t kMostInside = 256;
constexpr std::uint64_t kMostBytesInside = 1 << 20;
constexpr std::size_t kFirstTurn = 256;  // bytes that are scanned before the finder's first turn

// Characters that cannot be part of a bare word. A control character is not part of any token.
bool ends_word(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == ',' || c == ':' || c == '"' || c == '{' || c == '}' || c == '[' ||
         c == ']';
}

enum class RecordToken : std::uint8_t { Word, Blank, Quote, Colon, Comma, Open, Close, Control };

constexpr std::array<RecordToken, 256> kKinds = [] {
  std::array<RecordToken, 256> kinds{};
  for (int c = 0; c < ' '; ++c) kinds[static_cast<std::size_t>(c)] = RecordToken::Control;
  for (const char c : {' ', '\t', '\r', '\n'}) kinds[static_cast<unsigned char>(c)] = RecordToken::Blank;
  kinds['"'] = RecordToken::Quote;
  kinds[':'] = RecordToken::Colon;
  kinds[','] = RecordToken::Comma;
  kinds['{'] = kinds['['] = RecordToken::Open;
  kinds['}'] = kinds[']'] = RecordToken::Close;
  return kinds;
}();

// Characters at which a plain string ends or needs a closer look.
constexpr std::array<bool, 256> kStops = [] {
  std::array<bool, 256> stops{};
  for (int c = 0; c < ' '; ++c) stops[static_cast<std::size_t>(c)] = true;
  stops['"'] = stops['\\'] = true;
  return stops;
}();

RecordToken kind_of(char c) { return kKinds[static_cast<unsigned char>(c)]; }

}  // namespace

std::uint32_t RecordKeys::bit(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return std::uint32_t{1} << i;
  }
  return 0;
}

RecordFinder::RecordFinder(const RecordKeys& keys) : keys_(&keys) {
  for (std::size_t i = 0; i < keys.keys.size(); ++i) {
    by_letter_[static_cast<unsigned char>(keys.keys[i].front()) % by_letter_.size()] |= std::uint32_t{1} << i;
  }
}

std::uint32_t RecordFinder::bit_of(std::string_view key) const {
  if (key.empty()) return 0;
  for (std::uint32_t left = by_letter_[static_cast<unsigned char>(key.front()) % by_letter_.size()]; left != 0;
       left &= left - 1) {
    if (keys_->keys[static_cast<std::size_t>(std::countr_zero(left))] == key) return left & (~left + 1);
  }
  return 0;
}

// Passes the plain part of an object or array. Stops at a closing bracket, an unusual token, or one that the text may cut off.
void RecordFinder::pass_sound() {
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  const char* p = begin + (at_ - offset_);
  Expect expect = expect_;
  bool after_string = after_string_, object = open_.back().object;
  while (p < end) {
    const bool value = expect == Expect::Value || expect == Expect::FirstValue;
    const RecordToken kind = kind_of(*p);
    if (kind == RecordToken::Blank) {
      while (++p < end && kind_of(*p) == RecordToken::Blank) {
      }
      continue;
    }
    if (kind == RecordToken::Quote) {
      const bool key = expect == Expect::Key || expect == Expect::FirstKey;
      if (!value && !key) break;
      const char* q = p + 1;
      while (q < end && !kStops[static_cast<unsigned char>(*q)]) ++q;
      if (q == end || *q != '"') break;
      if (key) open_.back().keys |= bit_of({p + 1, static_cast<std::size_t>(q - p - 1)});
      expect = key ? Expect::Colon : Expect::Comma;
      string_ = offset_ + static_cast<std::uint64_t>(p - begin);
      after_string = true;
      p = q + 1;
      continue;
    }
    if (kind == RecordToken::Colon) {
      if (expect != Expect::Colon) break;
      expect = Expect::Value;
    } else if (kind == RecordToken::Comma) {
      if (expect != Expect::Comma) break;
      expect = object ? Expect::Key : Expect::Value;
    } else if (kind == RecordToken::Word) {
      const char* q = p + 1;
      while (q < end && kind_of(*q) == RecordToken::Word) ++q;
      if (!value || q == end) break;
      expect = Expect::Comma;
      p = q - 1;
    } else if (kind == RecordToken::Open) {
      if (!value) break;
      object = *p == '{';
      open_.push_back({offset_ + static_cast<std::uint64_t>(p - begin), 0, object});
      expect = object ? Expect::FirstKey : Expect::FirstValue;
    } else {
      break;
    }
    after_string = false;
    ++p;
  }
  expect_ = expect;
  after_string_ = after_string;
  at_ = offset_ + static_cast<std::uint64_t>(p - begin);
}

void RecordFinder::begin(std::uint64_t at, bool known) {
  at_ = at;
  open_.clear();
  known_ = known;
  in_string_ = in_escape_ = in_word_ = after_string_ = inside_open_ = found_ = false;
  first_.reset();
  sure_.reset();
  separated_.reset();
}

std::uint64_t RecordFinder::keep_from() const {
  if (!known_) return open_.empty() ? at_ : open_.front().begin;
  const std::uint64_t token = in_string_ || after_string_ ? string_ : at_;
  return first_ ? std::min(first_->begin, token) : token;
}

bool RecordFinder::in_string_of_brackets() const {
  if (!in_string_) return false;
  const std::string_view text = text_.substr(static_cast<std::size_t>(string_ - offset_));
  const std::size_t last = text.find_last_not_of(" \t\r\n]}"), newline = text.find('\n', last);
  return newline != text.npos && text.find(']', newline) != text.npos;
}

RecordFinder::Status RecordFinder::run(std::string_view text, std::uint64_t offset, bool last, std::uint64_t until) {
  text_ = text, offset_ = offset, last_ = last;
  while (in_text()) {
    if (!open_.empty() && !in_string_ && !in_word_) {
      pass_sound();
      if (!in_text()) break;
    }
    if (open_.empty() && known_) {
      open(peek());
    } else if (open_.empty()) {
      if (at_ >= until) return Status::Clear;
      // The search runs once for each member other than the records, so it stops at `until`: if each run went through the whole
      // window, a file with many members would take quadratic time.
      const std::string_view searched = text_.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(until - offset_, text_.size())));
      at_ = offset_ + std::min(searched.find('{', static_cast<std::size_t>(at_ - offset_)), searched.size());
      if (at_ >= until) return Status::Clear;
      if (!in_text()) break;
      first_.reset();
      sure_.reset();
      separated_.reset();
      open('{');
    } else if (in_string_) {
      if (pass_string()) continue;
      if (const Status status = broken(); status != Status::More) return status;
    } else if (in_word_) {
      pass_word();
    } else if (const char c = peek(); is_blank(c)) {
      ++at_;
    } else if (c == '}' || c == ']') {
      if (!close(c)) {
        if (const Status status = broken(); status != Status::More) return status;
      } else if (found_) {
        return known_ ? Status::Whole : Status::Found;
      } else if (count_ > kMostInside && first_ && at_ - first_->begin > kMostBytesInside) {
        return found_inside();
      }
    } else if (!step(c)) {
      if (const Status status = broken(); status != Status::More) return status;
    }
  }
  return last_ && first_ && !open_.empty() ? found_inside() : Status::More;
}

RecordFinder::Status RecordFinder::run_on(Status before, std::string_view text, std::uint64_t offset, bool last,
                                          std::uint64_t until) {
  if (before == Status::Found || before == Status::Whole) return before;
  const Status now = run(text, offset, last, until);
  return now == Status::Broken ? run(text, offset, last, until) : now;
}

void RecordFinder::open(char bracket) {
  open_.push_back({at_, 0, bracket == '{'});
  expect_ = bracket == '{' ? Expect::FirstKey : Expect::FirstValue;
  after_string_ = false;
  ++at_;
}

bool RecordFinder::close(char bracket) {
  const Open done = open_.back();
  if (done.object != (bracket == '}')) return false;
  // A comma before the bracket is tolerated. A key without its value is not.
  if (expect_ == Expect::Colon || (done.object && expect_ == Expect::Value)) return false;
  ++at_;
  open_.pop_back();
  expect_ = Expect::Comma;
  after_string_ = false;
  if (open_.empty()) {
    close_outermost(done);
    return true;
  }
  if (open_.size() < first_depth_) inside_open_ = false;
  if (done.object && keys_->complete(done.keys)) note_inner_record(done);
  return true;
}

void RecordFinder::close_outermost(Open done) {
  seen_ = done.keys;
  found_ = true;
  const bool complete = keys_->complete(done.keys);
  const bool sure = (done.keys & keys_->sure) == keys_->sure;
  const std::optional<Span>& inner = sure ? separated_ : sure_;
  if (known_ && inner) {
    record_ = *inner;
    known_ = false;
  } else if (complete || known_) {
    record_ = {done.begin, at_};
  } else if (first_) {  // a document: a sound object that is not a record but holds some
    record_ = *first_;
  } else {
    found_ = false;
  }
}

void RecordFinder::note_inner_record(Open done) {
  if ((done.keys & keys_->sure) == keys_->sure) {
    if (!sure_ || done.begin < sure_->begin) sure_ = {done.begin, at_};
    const std::uint64_t length = separator_.size();
    const bool separated = length > 0 && done.begin >= offset_ + length &&
                           text_.substr(static_cast<std::size_t>(done.begin - length - offset_), separator_.size()) == separator_;
    if (separated && (!separated_ || done.begin < separated_->begin)) separated_ = {done.begin, at_};
  }
  if (first_ && first_->begin < done.begin) {
    ++count_;
    return;
  }
  first_ = {done.begin, at_};
  first_depth_ = open_.size();
  inside_open_ = true;
  count_ = 1;
}

bool RecordFinder::step(char c) {
  const bool value = expect_ == Expect::Value || expect_ == Expect::FirstValue;
  const bool key = expect_ == Expect::Key || expect_ == Expect::FirstKey;
  switch (c) {
    case '"':
      if (!value && !key) return false;
      in_string_ = true;
      string_ = at_++;
      return true;
    case '{':
    case '[':
      if (!value) return false;
      open(c);
      return true;
    case ':':
      if (expect_ != Expect::Colon) return false;
      expect_ = Expect::Value;
      break;
    case ',':
      if (expect_ == Expect::Colon || (expect_ == Expect::Value && open_.back().object)) return false;
      expect_ = open_.back().object ? Expect::Key : Expect::Value;
      break;
    default:
      if (!value || static_cast<unsigned char>(c) < ' ') return false;
      in_word_ = true;
      break;
  }
  after_string_ = false;
  ++at_;
  return true;
}

void RecordFinder::pass_word() {
  while (in_text() && !ends_word(peek())) ++at_;
  if (!in_text()) return;
  in_word_ = false;
  expect_ = Expect::Comma;
}

// False at a character that no string may hold.
bool RecordFinder::pass_string() {
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  const char* p = begin + (at_ - offset_);
  for (; p < end && (in_escape_ || *p != '"'); ++p) {
    if (in_escape_) {
      in_escape_ = false;
    } else if (*p == '\\') {
      in_escape_ = true;
    } else if (static_cast<unsigned char>(*p) < ' ' && !is_blank(*p)) {
      at_ = offset_ + static_cast<std::uint64_t>(p - begin);
      return false;
    }
  }
  at_ = offset_ + static_cast<std::uint64_t>(p - begin);
  if (p < end) end_string();
  return true;
}

void RecordFinder::end_string() {
  Open& object = open_.back();
  if (object.object && expect_ != Expect::Value) {
    const auto begin = static_cast<std::size_t>(string_ + 1 - offset_);
    object.keys |= bit_of(text_.substr(begin, static_cast<std::size_t>(at_ - string_ - 1)));
    expect_ = Expect::Colon;
  } else {
    expect_ = Expect::Comma;
  }
  in_string_ = false;
  after_string_ = true;
  ++at_;
}

RecordFinder::Status RecordFinder::found_inside() {
  record_ = *first_;
  return Status::Found;
}

// Returns More if the search continues with the next '{'.
RecordFinder::Status RecordFinder::broken() {
  if (first_ && !inside_open_) first_ = sure_;
  if (first_) return found_inside();
  // A missing or extra quote turns the text between records into strings, so also search the last string.
  const bool known = known_;
  begin(in_string_ || after_string_ ? string_ + 1 : at_, false);
  return known ? Status::Broken : Status::More;
}

JsonScan::Step scan_with_finder(JsonScan& scan, ScanTo to, RecordFinder& finder, RecordFinder::Status& found, std::string_view text,
                                std::uint64_t offset, std::size_t at, bool last) {
  for (std::size_t block = kFirstTurn;; block *= 2) {
    const bool rest = at >= text.size() || text.size() - at <= block;
    const std::string_view part = rest ? text : text.substr(0, at + block);
    const JsonScan::Step step =
        to == ScanTo::Bracket ? scan.run(part, at, rest && last) : scan.run_value(part, at, rest && last);
    if (rest || step.status == JsonScan::Status::Done) return step;
    at = step.at;
    found = finder.run_on(found, text.substr(0, at), offset, false);
    if (found == RecordFinder::Status::Found) return step;
  }
}

}  // namespace tv
