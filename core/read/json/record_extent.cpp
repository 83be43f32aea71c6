#include "core/read/json/record_extent.h"

#include <algorithm>
#include <string>

namespace tv {
namespace {

constexpr std::size_t kLongestNextKey = 64;
// How many bytes of the members after a record are searched for keys that the record has.
constexpr std::size_t kMemberBytesAfter = 256;
// Bytes to read after a likely end, because an object that began before it may turn out to be the next whole record.
constexpr std::uint64_t kBytesAfterEnd = 1 << 20;

bool is_separator(char c) { return is_blank(c) || c == ','; }

}  // namespace

void RecordExtent::begin_record(std::uint64_t at) {
  stage_ = Stage::Sound;
  begin_ = end_ = at;
  likely_.reset();
  finder_.begin_record(at);
}

void RecordExtent::begin_junk(std::uint64_t at, bool outside) {
  stage_ = Stage::Junk;
  outside_array_ = outside;
  begin_ = end_ = at;
  likely_.reset();
}

RecordExtent::Status RecordExtent::run(std::string_view text, std::uint64_t offset, bool last) {
  text_ = text, offset_ = offset, last_ = last;
  if (stage_ == Stage::Sound) {
    if (const auto status = sound()) return *status;
  }
  if (stage_ == Stage::Follow) {
    if (const auto status = follow()) return *status;
  }
  if (stage_ == Stage::Junk) {
    if (const auto status = junk()) return *status;
  }
  return damaged();
}

std::optional<RecordExtent::Status> RecordExtent::sound() {
  switch (finder_.run(text_, offset_, last_)) {
    case RecordFinder::Status::Whole:
      end_ = finder_.record().end;
      stage_ = Stage::Follow;
      return std::nullopt;
    case RecordFinder::Status::More:
      if (!last_ || !finder_.in_string_of_brackets()) return last_ ? Status::Unended : Status::More;
      look_for_end(begin_);  // a quote was lost
      return std::nullopt;
    case RecordFinder::Status::Found:
      return end_before(finder_.record().begin, false);
    default:
      look_for_end(begin_);
      return std::nullopt;
  }
}

// Looks after a whole record. If a key that the record lacks follows, perhaps without one quote, the record was closed too early.
std::optional<RecordExtent::Status> RecordExtent::follow() {
  const std::string_view rest = from(end_);
  const auto more = [&] { return last_ ? Status::Whole : Status::More; };
  std::size_t begin = rest.find_first_not_of(" \t\r\n,");
  if (begin != rest.npos && rest[begin] != '"') {  // the rest of a number or a word
    const std::size_t stop = rest.find_first_of(",{}[]:\"", begin);
    if (stop != rest.npos && rest[stop] == ',') begin = rest.find_first_not_of(" \t\r\n,", stop);
  }
  if (begin == rest.npos) return more();
  if (rest[begin] == '{' || rest[begin] == ']' || rest[begin] == '}') return Status::Whole;
  const std::size_t word = begin + (rest[begin] == '"' ? 1 : 0);
  const std::size_t end = rest.find_first_of("\"{}[],: \t\r\n", word);
  if (end == rest.npos) return rest.size() - begin > kLongestNextKey ? Status::Whole : more();
  const std::size_t colon = rest.find_first_not_of("\" \t\r\n", end);
  if (colon == rest.npos) return more();
  const std::uint32_t key = keys_->bit(rest.substr(word, end - word));
  if (rest[colon] != ':' || key == 0 || (key & finder_.keys_seen()) != 0) return Status::Whole;
  const std::size_t inner = rest.find_first_of("{[", begin);
  if (inner == rest.npos && rest.size() - begin < kMemberBytesAfter && !last_) return Status::More;
  const std::string_view members = rest.substr(begin, std::min(inner - begin, kMemberBytesAfter));
  for (std::size_t i = 0; i < keys_->keys.size(); ++i) {
    const bool has = (finder_.keys_seen() >> i & 1) != 0;
    if (has && members.find('"' + std::string(keys_->keys[i]) + '"') != members.npos) return Status::Whole;
  }
  look_for_end(end_ + begin);
  finder_.begin_lost(scanned_);
  scan_.reset_inside();
  return std::nullopt;
}

// Junk is the rest of a record if it begins with a string that is not a whole element, or has a quote before its first comma or
// bracket. Other junk is a lone value.
std::optional<RecordExtent::Status> RecordExtent::junk() {
  const std::string_view rest = from(begin_);
  std::size_t past = 0;
  if (rest[0] == '"') {
    past = rest.find('"', 1);
    past = past == rest.npos ? past : rest.find_first_not_of(" \t\r\n", past + 1);
  } else {
    past = rest.find_first_of(",[]{}\"");
  }
  if (past == rest.npos && !last_) return Status::More;
  const char stop = past == rest.npos ? ',' : rest[past];
  const bool alone = stop == ',' || stop == ']' || (rest[0] != '"' && stop != '"');
  if (alone && outside_array_) {
    const std::size_t open = rest.find_first_of("{[");
    if (open == rest.npos && !last_) return Status::More;
    end_ = begin_ + std::min(open, rest.size());
    return Status::Damaged;
  }
  look_for_end(begin_);
  finder_.begin_lost(begin_);
  stop_at_comma_ = alone;
  if (!alone) scan_.reset_inside();
  return std::nullopt;
}

void RecordExtent::look_for_end(std::uint64_t from) {
  stage_ = Stage::Damaged;
  scanned_ = from;
  stop_at_comma_ = false;
  likely_.reset();
  scan_.reset();
}

RecordExtent::Status RecordExtent::damaged() {
  if (!likely_) {
    const auto begin = static_cast<std::size_t>(scanned_ - offset_);
    const ScanTo to = stop_at_comma_ ? ScanTo::Separator : ScanTo::Bracket;
    auto found = RecordFinder::Status::More;
    const JsonScan::Step step = scan_with_finder(scan_, to, finder_, found, text_, offset_, begin, last_);
    if (found == RecordFinder::Status::Found) return end_before(finder_.record().begin, false);
    scanned_ = offset_ + step.at;
    if (step.status == JsonScan::Status::Done) {
      likely_ = scanned_;
      // A square bracket does not close a record: it closes the array around it.
      if (!stop_at_comma_ && at(*likely_ - 1) == ']') --*likely_;
    }
  }
  // If a likely end is not plausible, the record ends before the next whole record.
  const std::optional<bool> plausible = likely_ ? is_plausible_end(*likely_) : std::optional(false);
  if (!plausible) return Status::More;
  switch (finder_.run(text_, offset_, last_, *plausible ? *likely_ : RecordFinder::kNoEnd)) {
    case RecordFinder::Status::Found:
      return end_before(finder_.record().begin, *plausible);
    case RecordFinder::Status::Clear:
      break;
    default:
      if (last_) return end_of_file(*plausible);
      if (!likely_ || offset_ + text_.size() - *likely_ < kBytesAfterEnd) return Status::More;
  }
  end_ = *likely_;
  return Status::Damaged;
}

// Whether the next record follows, or the end of the array and something that may follow the array. Nullopt if there is too little
// text.
std::optional<bool> RecordExtent::is_plausible_end(std::uint64_t end) const {
  const std::string_view rest = from(end);
  std::size_t at = 0;
  const auto next = [&] {
    at = rest.find_first_not_of(" \t\r\n,", at);
    return at == rest.npos ? '\0' : rest[at++];
  };
  char c = next();
  if (stop_at_comma_ && c == '"') return true;
  bool closed = false;
  for (; c == ']' || c == '}'; c = next()) closed = true;
  if (at == rest.npos) return last_ ? std::optional(true) : std::nullopt;
  if (c == '[') return true;
  if (c == '{') {  // the next record; an object inside this one begins differently
    const std::size_t quote = rest.find_first_not_of(" \t\r\n", at);
    const std::size_t unquote = quote == rest.npos ? quote : rest.find('"', quote + 1);
    if (unquote == rest.npos) return last_ ? std::optional(true) : std::nullopt;
    return !closed && (rest[quote] != '"' || keys_->bit(rest.substr(quote + 1, unquote - quote - 1)) != 0);
  }
  if (!closed || c != '"') return false;
  // A member of the object around the records, after their end.
  const std::size_t quote = rest.find('"', at),
                    colon = quote == rest.npos ? quote : rest.find_first_not_of(" \t\r\n", quote + 1);
  if (colon == rest.npos) return last_ ? std::optional(false) : std::nullopt;
  return rest[colon] == ':' && keys_->bit(rest.substr(at, quote - at)) == 0;
}

RecordExtent::Status RecordExtent::end_before(std::uint64_t next, bool plausible) {
  end_ = next;
  while (end_ > begin_ && is_separator(at(end_ - 1))) --end_;
  if (plausible && *likely_ < end_) end_ = *likely_;
  return Status::Damaged;
}

// No whole record follows. A text that ends with brackets was not cut off: the open record ends before the brackets that
// close the file.
RecordExtent::Status RecordExtent::end_of_file(bool plausible) {
  if (plausible) {
    end_ = *likely_;
    return Status::Damaged;
  }
  end_ = offset_ + text_.size();
  const auto pass_blanks = [&] {
    while (end_ > begin_ + 1 && is_blank(at(end_ - 1))) --end_;
  };
  const auto pass = [&](char bracket) {
    pass_blanks();
    const bool there = end_ > begin_ + 1 && at(end_ - 1) == bracket;
    end_ -= there ? 1 : 0;
    return there;
  };
  pass_blanks();
  const std::uint64_t end = end_;
  const bool brace = pass('}'), bracket = pass(']');
  if (!bracket) end_ = end;
  pass_blanks();
  return brace || bracket ? Status::Damaged : Status::Unended;
}

std::optional<std::size_t> record_length_in(std::string_view text, const RecordKeys& keys) {
  RecordExtent extent(keys);
  extent.begin_record(0);
  const RecordExtent::Status status = extent.run(text, 0, false);
  if (status == RecordExtent::Status::More && !extent.ended()) return std::nullopt;
  return static_cast<std::size_t>(extent.end());
}

}  // namespace tv
