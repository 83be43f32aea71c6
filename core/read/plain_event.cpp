#include "core/read/plain_event.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "core/read/json_scan.h"

namespace tv {

static_assert(kPlainEventPadding <= simdjson::SIMDJSON_PADDING, "PaddedText is what it says");

namespace {

// Nothing in this file goes beyond `end`: the byte there ends every run of blanks, string and word.
const char* skip_blanks(const char* p) {
  while (static_cast<unsigned char>(*p) <= ' ' && is_blank(*p)) ++p;
  return p;
}

}  // namespace

const char* next_plain_record(const char* at, const char* end) {
  at = skip_blanks(at);
  if (at == end) return end;
  if (*at != ',') return nullptr;
  at = skip_blanks(at + 1);
  return *at == '{' ? at : nullptr;
}

#if defined(__AVX2__) || defined(__SSE2__)

namespace {

// From behind its first quote to its last one; nullptr when there is anything in it that simdjson has to look at.
const char* end_of_string(const char* p, const char* end) {
  for (; p < end; p += 32) {
    const ByteMasks bytes(p);
    const std::uint32_t stops = bytes.equal('"') | bytes.equal('\\') | bytes.not_printable();
    if (stops == 0) continue;
    p += std::countr_zero(stops);
    return *p == '"' ? p : nullptr;
  }
  return nullptr;
}

// Of a number without exponent. What follows it is for the caller to see: a second point, an 'e', a lost quote.
const char* end_of_number(const char* p, const char* end) {
  if (*p == '-') ++p;
  for (; p < end; p += 32) {
    const std::uint32_t stops = ByteMasks(p).outside('.', '9');
    if (stops != 0) return p + std::countr_zero(stops);
  }
  return nullptr;
}

// Bits that lie behind an odd number of quotes, the opening ones included.
std::uint64_t between_quotes(std::uint64_t quotes) {
  for (unsigned shift = 1; shift < 64; shift *= 2) quotes ^= quotes << shift;
  return quotes;
}

// Of an object or array at p. Brackets are counted, as simdjson does when it passes over one.
const char* end_of_brackets(const char* p, const char* end) {
  std::uint64_t in_string = 0;  // all ones when the block begins inside a string
  int depth = 0;
  for (; p < end; p += 64) {
    const ByteMasks low(p), high(p + 32);
    const auto both = [](std::uint32_t a, std::uint32_t b) { return a | std::uint64_t{b} << 32; };
    const std::uint64_t strings = between_quotes(both(low.equal('"'), high.equal('"'))) ^ in_string;
    const std::uint64_t opening = both(low.equal_in_either_case('{'), high.equal_in_either_case('{')) & ~strings;
    std::uint64_t closing = both(low.equal_in_either_case('}'), high.equal_in_either_case('}')) & ~strings;
    const std::uint64_t strange = both(low.equal('\\') | low.beyond_ascii(), high.equal('\\') | high.beyond_ascii()) |
                                  (both(low.not_printable(), high.not_printable()) & strings);
    // Each closing bracket in turn: those that opened before it have been counted with it.
    int before = 0;
    for (; closing != 0; closing &= closing - 1) {
      const int bit = std::countr_zero(closing);
      const std::uint64_t until = (std::uint64_t{1} << bit) - 1;
      if (depth + std::popcount(opening & until) - ++before > 0) continue;
      return (strange & until) == 0 && p + bit < end ? p + bit + 1 : nullptr;
    }
    if (strange != 0) return nullptr;
    depth += std::popcount(opening) - before;
    in_string = strings >> 63 != 0 ? ~std::uint64_t{0} : 0;
  }
  return nullptr;
}

class PlainEvent {
 public:
  PlainEvent(const char* end, TraceEvent& event) : end_(end), event_(event) {}

  const char* read(const char* p) {
    p = skip_blanks(p + 1);
    if (*p == '}') return p + 1;
    event_.any_field = true;
    while (*p == '"') {
      p = field(p + 1);
      if (!p) return nullptr;
      p = skip_blanks(p);
      if (*p == '}') return p + 1;
      if (*p != ',') return nullptr;
      p = skip_blanks(p + 1);
    }
    return nullptr;
  }

 private:
  // From a key's first letter to the end of its value. The keys of nearly all records come first, and knowing one spares
  // looking for its end.
  const char* field(const char* key) {
    const char* p;
    switch (key[0]) {
      case 'p':
        if ((p = value(key, "ph\""))) return first_letter(p, event_.phase);
        if ((p = value(key, "pid\""))) return scalar(p, event_.pid);
        break;
      case 'c':
        if ((p = value(key, "cat\""))) return text(p, event_.category);
        break;
      case 'n':
        if ((p = value(key, "name\""))) return text(p, event_.name);
        break;
      case 't':
        if ((p = value(key, "ts\""))) return scalar(p, event_.ts);
        if ((p = value(key, "tid\""))) return scalar(p, event_.tid);
        if ((p = value(key, "traceview\""))) return text(p, event_.mark);
        break;
      case 'd':
        if ((p = value(key, "dur\""))) return scalar(p, event_.dur);
        break;
      case 'a':
        if ((p = value(key, "args\""))) return event_.args = p, pass_over(p);
        break;
      case 'i':
        if ((p = value(key, "id\""))) return event_.has_id = true, scalar(p, event_.id);
        if (value(key, "id2\"")) return nullptr;
        break;
      case 's':
        if ((p = value(key, "s\""))) return first_letter(p, event_.instant_scope);
        if (value(key, "scope\"")) return nullptr;
        break;
      case 'b':
        if ((p = value(key, "bp\""))) return first_letter(p, event_.bind_point);
        if (value(key, "bind_id\"")) return nullptr;
        break;
      case 'f':
        if (value(key, "flow_in\"") || value(key, "flow_out\"")) return nullptr;
        break;
      default: break;
    }
    const char* const last = end_of_string(key, end_);
    return last && (p = behind_colon(last + 1)) ? pass_over(p) : nullptr;
  }

  // Where the value begins if this is the key; `word` ends with the quote that ends it.
  template <std::size_t n>
  static const char* value(const char* key, const char (&word)[n]) {
    return std::memcmp(key, word, n - 1) == 0 ? behind_colon(key + n - 1) : nullptr;
  }

  static const char* behind_colon(const char* p) {
    p = skip_blanks(p);
    return *p == ':' ? skip_blanks(p + 1) : nullptr;
  }

  const char* text(const char* p, std::string_view& into) {
    if (*p != '"') return nullptr;
    const char* const last = end_of_string(p + 1, end_);
    if (!last) return nullptr;
    into = {p + 1, static_cast<std::size_t>(last - p - 1)};
    return last + 1;
  }

  const char* first_letter(const char* p, char& into) {
    std::string_view letters;
    p = text(p, letters);
    if (letters.empty()) return nullptr;
    into = letters.front();
    return p;
  }

  const char* scalar(const char* p, std::string_view& into) {
    if (*p == '"') return text(p, into);
    const char* const last = end_of_number(p, end_);
    if (!last || last == p) return nullptr;
    into = {p, static_cast<std::size_t>(last - p)};
    return last;
  }

  const char* pass_over(const char* p) {
    if (*p == '{' || *p == '[') return end_of_brackets(p, end_);
    std::string_view nobody;
    if (*p == 't' || *p == 'f' || *p == 'n') return end_of_letters(p);
    return scalar(p, nobody);
  }

  // true, false or null, or whatever is written there.
  static const char* end_of_letters(const char* p) {
    while (*p >= 'a' && *p <= 'z') ++p;
    return p;
  }

  const char* const end_;
  TraceEvent& event_;
};

}  // namespace

const char* read_plain_event(const char* at, const char* end, TraceEvent& event) {
  return PlainEvent(end, event).read(at);
}

#else

const char* read_plain_event(const char*, const char*, TraceEvent&) { return nullptr; }

#endif

}  // namespace tv
