// The part of JsonRecords for text outside the array of records: top-level objects, their members, and damaged text. It decides
// whether a top-level object is a record or a document. json_records.cpp cuts the records of the array.
#include "core/read/json/json_records.h"

#include <algorithm>

#include "core/base/text/utf8.h"
#include "core/read/json/json_scan.h"
#include "core/read/json/record_finder.h"
#include "core/read/json/record_keys.h"

namespace tv {
namespace {

constexpr std::size_t kMemberBytes = 4 << 20;  // larger members are skipped; distributedInfo lists all ranks of all groups
constexpr std::size_t kFirstKeyBytes = 64 << 10;  // enough text to tell a record from a document

// Whether the key is "traceEvents", perhaps with one byte added, lost or changed.
bool names_records(std::string_view key) {
  constexpr std::string_view kName = "traceEvents";
  if (key == kName) return true;
  std::size_t same = 0;
  while (same < std::min(key.size(), kName.size()) && key[same] == kName[same]) ++same;
  const std::string_view rest = key.substr(same), wanted = kName.substr(same);
  const auto without_first = [](std::string_view text) { return text.substr(std::min<std::size_t>(1, text.size())); };
  return without_first(rest) == without_first(wanted) || without_first(rest) == wanted || rest == without_first(wanted);
}

// Begins the search for records at a member's value, which is whole if it is sound.
void begin_at_value(RecordFinder& finder, std::string_view text, std::size_t at, std::uint64_t offset) {
  const bool scalar = text[at] != '{' && text[at] != '[';
  scalar ? finder.begin_lost(offset + at) : finder.begin_record(offset + at);
}

}  // namespace

NextKey next_key(std::string_view text) {
  if (text.empty()) return {};
  if (text.front() != '"') return {{}, text.npos, true};
  std::size_t end = 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size()) return {};
  const std::string_view key = text.substr(1, end - 1);
  const std::size_t colon = text.find_first_not_of(" \t\r\n", end + 1);
  if (colon == text.npos) return {key, text.npos, false};
  if (text[colon] != ':') return {key, text.npos, true};
  return {key, text.find_first_not_of(" \t\r\n", colon + 1), false};
}

bool JsonRecords::in_root() {
  if (here() == 0) {
    if (window_.text.size() < kByteOrderMark.size() && !window_.last) return true;
    if (window_.text.starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
  }
  if (skip_blanks()) return true;
  const char c = peek();
  if (c == ',') {  // between records outside an array, or after a bracket that only seemed to end the array
    ++at_;
    separator_seen_ = true;
    return false;
  }
  if (c == '}' || c == ']') {
    stray(1);
    return false;
  }
  if (c == '[') {
    if (documents_++ == 1) problems_.add(ProblemKind::several_documents, here(), {});
    in_object_ = false;
    begin_array();
    return false;
  }
  if (c != '{') {
    if (lacks_excerpt()) return true;
    // Perhaps a member whose object was closed too early.
    const NextKey next = next_key(window_.text.substr(at_, kExcerptBytes));
    if (documents_ > 0 && !bare_records_ && !next.wrong && kTraceRecord.bit(next.key) == 0) {
      problems_.add(ProblemKind::extra_separators, here(), {});
      mode_ = Mode::Members;
      return false;
    }
    begin_junk(Mode::RootJunk);
    return false;
  }
  const Root kind = root_object();
  if (kind == Root::NeedsText) {
    if (!chunk_begin_) keep_ = here();
    return true;
  }
  if (!chunk_begin_) keep_.reset();
  junk_counted_ = kind == Root::Record && junk_counted_;
  if (kind == Root::Record && array_ended_ && separator_seen_) {
    problems_.add(ProblemKind::extra_separators, here(), {});
    begin_records();
    return false;
  }
  array_ended_ = false;
  if (kind == Root::Record && left_records_) {  // the array had not ended: the rest of a damaged record looked like a member
    problems_.subtract_count(ProblemKind::missing_close, 1);
    problems_.add(ProblemKind::bad_record, *left_records_, {});
    left_records_.reset();
    begin_records();
    return false;
  }
  if (kind == Root::Record) {
    bare_records_ = true;
    begin_record(Mode::BareRecord);
    return false;
  }
  if (documents_++ == 1) problems_.add(ProblemKind::several_documents, here(), {});
  ++at_;
  flush_ = true;
  mode_ = Mode::Members;
  return false;
}

// Whether the object is a record or a document. Its first key decides; if that key is damaged, the later ones decide.
JsonRecords::Root JsonRecords::root_object() const {
  const std::string_view text = window_.text.substr(at_);
  const bool all = window_.last || text.size() >= kFirstKeyBytes;
  std::size_t at = 1, events = 0, others = 0;
  for (;;) {
    at = text.find_first_not_of(" \t\r\n,", at);
    const NextKey next = at == text.npos ? NextKey() : next_key(text.substr(at));
    if (next.wrong) break;
    if (next.value == text.npos && next.key.empty()) {
      if (!all) return Root::NeedsText;
      break;
    }
    const bool event = kTraceRecord.bit(next.key) != 0;
    if (event && others == 0) return Root::Record;
    if (names_records(next.key) || events + others > kEventKeys.size()) return Root::Document;
    (event ? events : others) += 1;
    if (next.value == text.npos) {
      if (!all) return Root::NeedsText;
      break;
    }
    JsonScan scan;
    RecordFinder finder(kTraceRecord);
    begin_at_value(finder, text, at + next.value, 0);
    auto found = RecordFinder::Status::Clear;
    const JsonScan::Step step = scan_with_finder(scan, ScanTo::Separator, finder, found, text, 0, at + next.value, all);
    if (found == RecordFinder::Status::Found) break;  // the damaged value has no end before the next record
    if (step.status == JsonScan::Status::More) {
      if (!all) return Root::NeedsText;
      break;
    }
    at = step.at;
  }
  if (events > 1) return Root::Record;
  if (others > 0) return bare_records_ ? Root::Record : Root::Document;
  // No key is intact.
  const std::string_view excerpt = text.substr(0, kExcerptBytes), near = excerpt.substr(0, excerpt.find('\n'));
  const std::size_t next = text.substr(0, kFirstKeyBytes).find('{', 1);
  if (!all && (next == text.npos || near.size() == text.size())) return Root::NeedsText;
  if (next != text.npos && text[text.find_last_not_of(" \t\r\n", next - 1)] == '[') return Root::Document;
  const bool event = std::ranges::any_of(kEventKeys, [&](std::string_view key) {
    return near.find('"' + std::string(key) + "\":") != near.npos || near.find(std::string(key) + "\":") == 1;
  });
  return bare_records_ || event ? Root::Record : Root::Document;
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
  if (peek() == ']') {
    stray(1);
    return false;
  }
  // The window must hold "key" : and the first character of the value.
  const NextKey next = next_key(window_.text.substr(at_));
  if (next.value == std::string_view::npos && !next.wrong) {
    if (window_.last) {
      at_ = window_.text.size();
    } else {
      keep_ = here();
    }
    return true;
  }
  keep_.reset();
  const auto is_key = [&](std::string_view key) { return key.substr(1, key.size() - 2) == next.key; };
  if (next.wrong || std::ranges::any_of(kOnlyEventKeys, is_key)) {
    lose_members();
    return false;
  }
  key_ = next.key;
  at_ += next.value;
  const bool records = peek() == '[' || (peek() == '{' && key_ == "traceEvents");
  if (records && names_records(key_)) {
    in_object_ = true;
    const bool array = peek() == '[';
    if (!array || key_ != "traceEvents") problems_.add(ProblemKind::extra_separators, here(), {});
    array ? begin_array() : begin_records();
    return false;
  }
  value_begin_ = here();
  keep_ = value_begin_;
  value_sound_ = false;
  value_end_.reset();
  scan_.reset();
  begin_at_value(finder_, window_.text, at_, window_.offset);
  mode_ = Mode::Value;
  return false;
}

// The top-level object is damaged here. The next whole record is taken for a record of the array.
void JsonRecords::lose_members() {
  value_begin_ = here();
  finder_.begin_lost(here());
  mode_ = Mode::LostMembers;
}

bool JsonRecords::in_lost_members() {
  const RecordFinder::Status status = finder_.run(window_.text, window_.offset, window_.last);
  if (status != RecordFinder::Status::Found) {
    at_ = window_.text.size();
    keep_ = here() - value_begin_ < kFirstKeyBytes ? value_begin_ : finder_.keep_from();
    return true;
  }
  continue_with_found();
  return false;
}

// Continues with the record that was found. Another record may have begun in the skipped text.
void JsonRecords::continue_with_found() {
  const std::uint64_t from = std::max(value_begin_, window_.offset);
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(finder_.record().begin - from, kFirstKeyBytes));
  const std::string_view skipped = window_.text.substr(static_cast<std::size_t>(from - window_.offset), bytes);
  const bool lost = skipped.find('\0') != skipped.npos || std::ranges::any_of(kOnlyEventKeys, [&](std::string_view key) {
                      return skipped.find(key) != skipped.npos;
                    });
  if (bytes > 0)
    problems_.add(lost ? ProblemKind::bad_record : ProblemKind::repaired_record, value_begin_,
                  skipped.substr(0, kExcerptBytes));
  at_ = static_cast<std::size_t>(finder_.record().begin - window_.offset);
  keep_.reset();
  in_object_ = true;
  begin_records();
}

bool JsonRecords::in_value() {
  // A sound value is a member, whatever it contains. The text of a damaged value may go on into the records.
  auto found = value_sound_ ? RecordFinder::Status::Whole : RecordFinder::Status::Clear;
  if (!value_end_) {
    const JsonScan::Step step =
        scan_with_finder(scan_, ScanTo::Separator, finder_, found, window_.text, window_.offset, at_, window_.last);
    at_ = step.at;
    if (step.status == JsonScan::Status::Done) value_end_ = here();
  }
  found = finder_.run_on(found, window_.text, window_.offset, window_.last, value_end_.value_or(RecordFinder::kNoEnd));
  value_sound_ = found == RecordFinder::Status::Whole;
  if (found == RecordFinder::Status::Found && finder_.record().begin < value_end_.value_or(RecordFinder::kNoEnd)) {
    continue_with_found();
    return false;
  }
  const bool undecided = found == RecordFinder::Status::More && !window_.last;  // a record may have begun in the value
  if (!value_end_ || (undecided && finder_.keep_from() < *value_end_ && window_.end() - *value_end_ < kMemberBytes)) {
    if (value_end_) at_ = window_.text.size();
    // A member that is too large to be used is not kept in the window.
    if (here() - value_begin_ > kMemberBytes) keep_ = value_sound_ ? here() : std::min(finder_.keep_from(), here());
    return true;
  }
  at_ = static_cast<std::size_t>(*value_end_ - window_.offset);
  if (value_begin_ >= window_.offset) {
    std::string_view value =
        window_.text.substr(static_cast<std::size_t>(value_begin_ - window_.offset), here() - value_begin_);
    while (!value.empty() && is_blank(value.back())) value.remove_suffix(1);
    if (value.size() <= kMemberBytes) on_member_(key_, value);
  }
  keep_.reset();
  mode_ = Mode::Members;
  return false;
}

}  // namespace tv
