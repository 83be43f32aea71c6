#include "core/read/json/json_records.h"

#include <algorithm>
#include <array>

#include "core/base/text/utf8.h"
#include "core/read/json/json_scan.h"
#include "core/read/json/likely_record.h"

namespace tv {
namespace {

constexpr std::size_t kMemberBytes = 4 << 20;  // distributedInfo of a large run lists all ranks of all groups
constexpr std::size_t kFirstKeyBytes = 64 << 10;
constexpr std::size_t kExcerptBytes = 80;
constexpr std::size_t kGuessBytes = 256 << 10;  // how far back a likely record is searched
constexpr std::size_t kNearBytes = 16 << 10;    // where it nearly always is
constexpr std::size_t kLeastGuess = 512 << 10;  // less is cut with care as fast
constexpr std::size_t kUnreadChunk = 4;         // times as large as one whose text lies in memory until it is parsed
constexpr std::size_t kPartsOfRest = 4;         // that chunks are at most

// First keys of an event, as opposed to those of a trace object.
constexpr std::array<std::string_view, 11> kEventKeys = {"ph",  "name", "cat", "pid", "tid", "ts",
                                                         "dur", "args", "id",  "bp",  "s"};

}  // namespace

JsonRecords::JsonRecords(TextFeed& feed, std::size_t chunk_bytes, OnMember on_member)
    : feed_(feed), chunk_bytes_(chunk_bytes), on_member_(std::move(on_member)) {}

Result<std::optional<TextChunk>> JsonRecords::next() {
  for (;;) {
    bool stuck = false;
    switch (mode_) {
      case Mode::Root: stuck = in_root(); break;
      case Mode::RootJunk: stuck = in_root_junk(); break;
      case Mode::Members: stuck = in_members(); break;
      case Mode::Value: stuck = in_value(); break;
      case Mode::Records: stuck = in_records(); break;
      case Mode::Record:
      case Mode::BareRecord: stuck = in_record(); break;
      case Mode::Junk: stuck = in_junk(); break;
      case Mode::End: return take_chunk();
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
    const std::uint64_t keep_from = keep_.value_or(here());
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
  chunk_begin_.reset();
  keep_.reset();
  if (mode_ == Mode::Record || mode_ == Mode::BareRecord) keep_ = record_begin_;
  return chunk;
}

bool JsonRecords::skip_blanks() {
  while (at_ < window_.text.size() && is_blank(peek())) ++at_;
  return at_ == window_.text.size();
}

// What is quoted in a report must not depend on where the window happens to end.
bool JsonRecords::lacks_excerpt() const { return window_.text.size() - at_ < kExcerptBytes && !window_.last; }

bool JsonRecords::in_root() {
  if (here() == 0) {
    if (window_.text.size() < kByteOrderMark.size() && !window_.last) return true;
    if (window_.text.starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
  }
  if (skip_blanks()) return true;
  if (peek() == '[') {
    if (documents_++ == 1) problems_.add(ProblemKind::several_documents, here(), {});
    in_object_ = false;
    begin_array();
    return false;
  }
  if (peek() != '{') {
    // Text before or between documents. A comma is a line-per-record file with commas.
    if (peek() == ',') {
      ++at_;
      return false;
    }
    if (lacks_excerpt()) return true;
    problems_.add(ProblemKind::bad_record, here(), window_.text.substr(at_, kExcerptBytes));
    flush_ = true;
    mode_ = Mode::RootJunk;
    return false;
  }
  // An event or a trace? Its first key tells.
  const std::string_view rest = window_.text.substr(at_);
  const std::size_t open = rest.find('"'), close = open == rest.npos ? open : rest.find('"', open + 1);
  if (close == rest.npos && !window_.last && rest.size() < kFirstKeyBytes) {
    keep_ = here();
    return true;
  }
  keep_.reset();
  const std::string_view key = close == rest.npos ? std::string_view() : rest.substr(open + 1, close - open - 1);
  if (std::find(kEventKeys.begin(), kEventKeys.end(), key) != kEventKeys.end()) {
    begin_record(Mode::BareRecord);
    return false;
  }
  if (documents_++ == 1) problems_.add(ProblemKind::several_documents, here(), {});
  ++at_;
  flush_ = true;
  mode_ = Mode::Members;
  return false;
}

bool JsonRecords::in_members() {
  if (skip_blanks()) return true;
  if (peek() == ',') {
    ++at_;
    return false;
  }
  if (peek() == '}') {
    ++at_;
    mode_ = Mode::Root;
    return false;
  }
  // "key" : value — all of it up to the value's first character must be in the window.
  const std::string_view rest = window_.text.substr(at_);
  std::size_t end = 0;
  if (rest.front() == '"') {
    end = 1;
    while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2 : 1;
  }
  const std::size_t colon = rest.find(':', std::min(end, rest.size()));
  const std::size_t value = colon == rest.npos ? colon : rest.find_first_not_of(" \t\r\n", colon + 1);
  if (value == rest.npos) {
    if (window_.last) {
      at_ = window_.text.size();
    } else {
      keep_ = here();
    }
    return true;
  }
  keep_.reset();
  key_ = rest.front() == '"' ? std::string(rest.substr(1, end - 1)) : std::string();
  at_ += value;
  if (key_ == "traceEvents" && peek() == '[') {
    in_object_ = true;
    begin_array();
    return false;
  }
  keep_ = here();
  scan_.reset();
  mode_ = Mode::Value;
  return false;
}

bool JsonRecords::in_value() {
  const JsonScan::Step step = scan_.run_value(window_.text, at_, window_.last);
  at_ = step.at;
  if (step.status == JsonScan::Status::More) {
    // A member larger than anybody needs is passed over without being kept.
    if (keep_ && here() - *keep_ > kMemberBytes) keep_.reset();
    return true;
  }
  if (keep_) {
    std::string_view value = window_.text.substr(static_cast<std::size_t>(*keep_ - window_.offset), here() - *keep_);
    while (!value.empty() && is_blank(value.back())) value.remove_suffix(1);
    if (value.size() <= kMemberBytes) on_member_(key_, value);
  }
  keep_.reset();
  mode_ = Mode::Members;
  return false;
}

bool JsonRecords::in_records() {
  if (skip_blanks()) return true;
  switch (peek()) {
    case '{':
      if (!chunk_begin_ && separator_seen_) {
        const Guess made = guess();
        if (made != Guess::Impossible) return made == Guess::NeedsText;
        if (settle_) return false;
      }
      // Without commas nothing can be guessed: chunks are then cut with care, not after each record in the hope of guessing.
      if (!chunk_begin_ && !separator_seen_) guess_from_ = here() + chunk_bytes_;
      begin_record(Mode::Record);
      return false;
    case ',':
      if (separator_seen_) problems_.add(ProblemKind::extra_separators, here(), {});
      separator_seen_ = true;
      ++at_;
      return false;
    case ']':
    case '}':
      // A brace here closes the object of an array that was never closed.
      if (peek() == '}') problems_.add(ProblemKind::missing_close, here(), {});
      if (separator_seen_ && any_record_) problems_.add(ProblemKind::extra_separators, here(), {});
      mode_ = in_object_ && peek() == ']' ? Mode::Members : Mode::Root;
      flush_ = true;
      ++at_;
      return false;
    default:
      if (lacks_excerpt()) return true;
      problems_.add(ProblemKind::bad_record, here(), window_.text.substr(at_, kExcerptBytes));
      scan_.reset();
      flush_ = true;
      mode_ = Mode::Junk;
      return false;
  }
}

// At the beginning of a record after a separator: hands out everything up to the last likely record in the window.
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

// The same for text that has not been read: goes on behind it.
JsonRecords::Guess JsonRecords::guess_ahead() {
  // Towards the end ever smaller chunks: all threads should be done at once, and what is left is cut with care by one.
  const std::uint64_t from = here(), left = feed_.reach() - std::min(from, feed_.reach());
  const std::size_t most = distrust_bytes_ == 0 ? kUnreadChunk * chunk_bytes_ : chunk_bytes_;  // what a wrong guess costs
  const auto chunk_bytes =
      static_cast<std::size_t>(std::clamp<std::uint64_t>(left / kPartsOfRest, std::min(kLeastGuess, chunk_bytes_), most));
  if (left <= chunk_bytes) return Guess::Impossible;
  const std::uint64_t target = from + chunk_bytes;
  for (const std::size_t back : {kNearBytes, kGuessBytes}) {
    const std::size_t bytes = std::min(back, chunk_bytes - 1);
    auto window = feed_.at(target - bytes, bytes);
    if (!window) break;  // the careful way will meet the error again
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
  distrust_bytes_ = std::max<std::uint64_t>(2 * distrust_bytes_, 4 * chunk_bytes_);
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
  unproven_ = settle_ = flush_ = guessed_ = false;
  chunk_begin_.reset();
  keep_.reset();
}

// The chunks' text and what follows it, in one window.
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
  ++at_;
  separator_seen_ = true;
  any_record_ = false;
  mode_ = Mode::Records;
}

void JsonRecords::begin_record(Mode mode) {
  record_begin_ = here();
  keep_ = chunk_begin_.value_or(record_begin_);
  scan_.reset();
  mode_ = mode;
}

bool JsonRecords::in_record() {
  const JsonScan::Step step = scan_.run(window_.text, at_, window_.last);
  at_ = step.at;
  if (step.status == JsonScan::Status::More) {
    // The finished records before this one go out first; then only this one has to be kept.
    if (!chunk_begin_) keep_ = record_begin_;
    return true;
  }
  if (!any_record_) opening_ = record_opening(window_.text.substr(static_cast<std::size_t>(record_begin_ - window_.offset)));
  // A chunk that was cut with care, as the first one is, ends with its first record when guessing can go on from there.
  if (!chunk_begin_) {
    chunk_begin_ = record_begin_;
    flush_ = mode_ == Mode::Record && may_guess();
  }
  chunk_end_ = here();
  separator_seen_ = false;
  any_record_ = true;
  mode_ = mode_ == Mode::BareRecord ? Mode::Root : Mode::Records;
  return false;
}

bool JsonRecords::in_root_junk() {
  at_ = std::min(window_.text.find_first_of("{[", at_), window_.text.size());
  if (at_ == window_.text.size()) return true;
  mode_ = Mode::Root;
  return false;
}

bool JsonRecords::in_junk() {
  const JsonScan::Step step = scan_.run_value(window_.text, at_, window_.last);
  at_ = step.at;
  if (step.status == JsonScan::Status::More) return true;
  separator_seen_ = false;
  mode_ = Mode::Records;
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
    case Mode::Value:
    case Mode::Junk:
    case Mode::Records: problems_.add(ProblemKind::missing_close, here(), {}); break;
    case Mode::Root:
    case Mode::RootJunk:
    case Mode::End: break;
  }
}

}  // namespace tv
