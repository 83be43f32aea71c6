// Shared by the writers of big_traces.h: a formatting buffer, and a tally of what was written.
#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tests/support/big_traces.h"

namespace tv::test {

/// Buffers text and passes it to a sink in parts of four megabytes.
class TextOut {
 public:
  /// `one_line`: drops each line break and the indentation after it. String values must not contain line breaks.
  TextOut(const Sink& sink, bool one_line) : sink_(sink), one_line_(one_line) {}

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(fmt::appender(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() >= kPart) flush();
  }
  /// With a FMT_COMPILE("...") format: twice as fast, for what makes up most of a file.
  template <class Format, class... Args>
  void print_fast(const Format& format, const Args&... args) {
    fmt::format_to(fmt::appender(buffer_), format, args...);
    if (buffer_.size() >= kPart) flush();
  }
  void text(std::string_view text) {
    buffer_.append(text.data(), text.data() + text.size());
    if (buffer_.size() >= kPart) flush();
  }
  /// The bytes that the sink has got and will get for what was written so far.
  std::uint64_t bytes();
  void flush();

 private:
  static constexpr std::size_t kPart = 4 << 20;

  void settle();

  const Sink& sink_;
  const bool one_line_;
  fmt::memory_buffer buffer_;
  std::size_t settled_ = 0;  // up to here line breaks have been dropped
  bool in_indent_ = false;   // only blanks since the last line break
  std::uint64_t flushed_ = 0;
};

enum class NameId : std::uint32_t {};
enum class TrackId : std::uint32_t {};

/// Counts what is written. Names and lanes count only if something with them is written. Times are absolute.
class Tally {
 public:
  /// Interns a name; `lane` takes any key that identifies a lane.
  NameId name(std::string_view text);
  TrackId lane(std::string_view key);
  std::string_view text(NameId name) const { return names_[static_cast<std::size_t>(name)].text; }

  void slice(TrackId lane, NameId name, Ns begin, Ns duration) {
    Name& of = names_[static_cast<std::size_t>(name)];
    of.used = true;
    of.total += duration;
    ++truth_.slices;
    touch(lane, begin, begin + duration);
  }
  void instant(TrackId lane, NameId name, Ns time) {
    names_[static_cast<std::size_t>(name)].used = true;
    ++truth_.instants;
    touch(lane, time, time);
  }
  void sample(TrackId lane, Ns time) {
    ++truth_.samples;
    touch(lane, time, time);
  }
  void arrow() { ++truth_.flows; }

  BigTruth truth(std::uint64_t bytes) const;

 private:
  struct Name {
    std::string text;
    Ns total = 0;
    bool used = false;
  };

  void touch(TrackId lane, Ns begin, Ns end) {
    lane_used_[static_cast<std::size_t>(lane)] = true;
    first_ = std::min(first_, begin);
    last_ = std::max(last_, end);
  }

  std::deque<Name> names_;  // a deque, so that the texts keep their addresses
  std::unordered_map<std::string_view, NameId> name_ids_;
  std::unordered_map<std::string, TrackId> lane_ids_;
  std::vector<bool> lane_used_;
  Ns first_ = INT64_MAX, last_ = INT64_MIN;
  BigTruth truth_;
};

/// Microseconds with three decimals, as the formats below take them: print("{}", us(t)).
struct Microseconds {
  std::uint64_t whole;
  unsigned rest;
};
inline Microseconds us(Ns ns) {
  const auto value = static_cast<std::uint64_t>(ns);
  return {value / 1000, static_cast<unsigned>(value % 1000)};
}

}  // namespace tv::test

template <>
struct fmt::formatter<tv::test::Microseconds> {
  static constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  static auto format(tv::test::Microseconds time, fmt::format_context& context) {
    const fmt::format_int whole(time.whole);
    auto out = std::copy_n(whole.data(), whole.size(), context.out());
    *out++ = '.';
    *out++ = static_cast<char>('0' + time.rest / 100);
    *out++ = static_cast<char>('0' + time.rest / 10 % 10);
    *out++ = static_cast<char>('0' + time.rest % 10);
    return out;
  }
};
