#include "core/read/verl/plain_rollout.h"

#include <charconv>
#include <limits>

#include "core/base/text/ascii.h"
#include "core/read/json/plain_json.h"

namespace tv {

#if defined(__AVX2__) || defined(__SSE2__)

namespace {

class PlainRollout {
 public:
  PlainRollout(const char* end, RolloutLine& line) : json_(end), line_(line) {}

  const char* read(const char* p) {
    if (*p != '{') return nullptr;
    p = Json::object(p, [this](const char* key) { return field(key); });
    if (!p) return nullptr;
    p = Json::skip_blanks(p);
    return *p == '\n' ? p + 1 : nullptr;
  }

 private:
  using Json = PlainJson<Newlines::End>;

  const char* field(const char* key) {
    const char* p;
    switch (key[0]) {
      case 't':
        if ((p = Json::value(key, "timestamp\""))) return json_.text(p, line_.timestamp);
        break;
      case 'e':
        if ((p = Json::value(key, "event\""))) return json_.text(p, line_.event);
        if ((p = Json::value(key, "extra\""))) return extra(p);
        break;
      case 'd':
        if ((p = Json::value(key, "duration_sec\""))) return number(p, line_.duration);
        break;
      case 'w':
        if ((p = Json::value(key, "workid\"")) || (p = Json::value(key, "worker\""))) return whole(p, line_.worker);
        break;
      case 's':
        if ((p = Json::value(key, "step\""))) return whole(p, line_.step);
        break;
      default: break;
    }
    return json_.pass_field(key);
  }

  // Reads the same parts of each event's extra as read_rollout_line.
  const char* extra(const char* p) {
    if (*p != '{') return json_.pass_over(p);
    const WantedExtras wanted = wanted_extras(line_.event);
    return Json::object(p, [&](const char* key) {
      const char* at;
      if ((at = Json::value(key, "request_id\""))) return json_.text(at, line_.request_id);
      if (wanted.completion) return completion_field(key);
      if (wanted.engine && (at = Json::value(key, "turn\""))) return count(at, line_.turn);
      if (wanted.engine && (at = Json::value(key, "generated_tokens\""))) return count(at, line_.generated_tokens);
      if (wanted.start && (at = Json::value(key, "initial_prompt_length\""))) return count(at, line_.prompt_tokens);
      return json_.pass_field(key);
    });
  }

  const char* completion_field(const char* key) {
    const char* p;
    switch (key[0]) {
      case 'b':
        if ((p = Json::value(key, "batch_data_id\""))) return whole(p, line_.batch_id);
        break;
      case 'f':
        if ((p = Json::value(key, "finish_reason\""))) return json_.text(p, line_.finish_reason);
        break;
      case 't':
        if ((p = Json::value(key, "turns\""))) return count(p, line_.turns);
        if ((p = Json::value(key, "turns_with_tools\""))) return count(p, line_.turns_with_tools);
        if ((p = Json::value(key, "total_sequence_length\""))) return count(p, line_.total_length);
        if ((p = Json::value(key, "turn_timings\""))) return timings(p);
        break;
      case 'u':
        if ((p = Json::value(key, "user_turns\""))) return count(p, line_.user_turns);
        break;
      case 'r':
        if ((p = Json::value(key, "response_length\""))) return count(p, line_.response_length);
        break;
      case 'a':
        if ((p = Json::value(key, "actual_response_tokens\""))) return count(p, line_.response_tokens);
        break;
      default: break;
    }
    return json_.pass_field(key);
  }

  const char* timings(const char* p) {
    if (*p != '[') return nullptr;
    return Json::array(p, [this](const char* entry) { return *entry == '{' ? timing(entry) : nullptr; });
  }

  const char* timing(const char* p) {
    RolloutTurn& turn = line_.timings.emplace_back();
    turn.turn = static_cast<std::int32_t>(line_.timings.size()) - 1;
    return Json::object(p, [&](const char* key) {
      const char* at;
      if ((at = Json::value(key, "turn\""))) return count(at, turn.turn);
      if ((at = Json::value(key, "pre_process_duration\""))) return seconds(at, turn.pre_process);
      if ((at = Json::value(key, "engine_call_duration\""))) return seconds(at, turn.engine_call);
      if ((at = Json::value(key, "post_process_duration\""))) return seconds(at, turn.post_process);
      if ((at = Json::value(key, "tool_parsing_duration\""))) return seconds(at, turn.tool_parsing);
      return json_.pass_field(key);
    });
  }

  // A number in JSON's syntax.
  const char* number(const char* p, std::string_view& into) const {
    const char* const begin = p;
    if (*p == '-') ++p;
    const char* const whole = p;
    p = digits(p);
    if (p == whole || (*whole == '0' && p > whole + 1)) return nullptr;
    if (*p == '.') {
      const char* const fraction = ++p;
      p = digits(p);
      if (p == fraction) return nullptr;
    }
    if (*p == 'e' || *p == 'E') {
      ++p;
      if (*p == '-' || *p == '+') ++p;
      const char* const exponent = p;
      p = digits(p);
      if (p == exponent) return nullptr;
    }
    into = {begin, static_cast<std::size_t>(p - begin)};
    return p;
  }

  template <class Into>
  const char* whole(const char* p, Into& into) const {
    constexpr std::ptrdiff_t kDigits = 18;  // a number of so many digits fits into 64 bits
    const bool negative = *p == '-';
    const char* const begin = p + (negative ? 1 : 0);
    std::int64_t value = 0;
    for (p = begin; is_digit(*p) && p - begin < kDigits; ++p) value = value * 10 + (*p - '0');
    // Another character after the digits means another kind of number, or no number.
    if (p == begin || (*begin == '0' && p > begin + 1) || (*p != ',' && *p != '}' && *p != ' ')) return nullptr;
    into = negative ? -value : value;
    return p;
  }

  // A value other than a small whole number counts as missing.
  const char* count(const char* p, std::int32_t& into) const {
    std::int64_t value = 0;
    p = whole(p, value);
    into = value >= 0 && value <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(value) : -1;
    return p;
  }

  const char* seconds(const char* p, double& into) const {
    std::string_view text;
    p = number(p, text);
    return p && std::from_chars(text.data(), text.data() + text.size(), into).ec == std::errc() ? p : nullptr;
  }

  static const char* digits(const char* p) {
    while (is_digit(*p)) ++p;
    return p;
  }

  const Json json_;
  RolloutLine& line_;
};

}  // namespace

const char* read_plain_rollout(const char* at, const char* end, RolloutLine& line) {
  return PlainRollout(end, line).read(at);
}

#else

const char* read_plain_rollout(const char*, const char*, RolloutLine&) { return nullptr; }

#endif

}  // namespace tv
