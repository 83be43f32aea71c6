#include "core/base/text/decimal_ns.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string shown(const std::optional<Ns>& ns) { return ns ? std::to_string(*ns) : "none"; }

// As on paper, without number types: write the digits, shift the point, round by the first digit after it.
std::string oracle(const std::string& text, int unit_digits) {
  static const std::regex shape(R"([ \t\r\n]*([-+]?)(\d*)\.?(\d*)([eE]([-+]?\d+))?[ \t\r\n]*)");
  std::smatch part;
  if (!std::regex_match(text, part, shape) || part[2].length() + part[3].length() == 0) return "none";
  const std::string digits = part[2].str() + part[3].str();
  if (digits.find_first_not_of('0') == std::string::npos) return "0";
  const long exponent = part[5].matched ? std::stol(part[5].str()) : 0;
  const long point = part[2].length() + exponent + unit_digits;  // digits before the point
  std::string whole;
  for (long i = 0; i < point; ++i) {
    whole += i < static_cast<long>(digits.size()) ? digits[static_cast<std::size_t>(i)] : '0';
    if (whole == "0") whole.clear();
    if (whole.size() > 20) return "none";
  }
  if (point >= 0 && point < static_cast<long>(digits.size()) && digits[static_cast<std::size_t>(point)] >= '5') {
    std::size_t i = whole.size();
    while (i > 0 && whole[i - 1] == '9') whole[--i] = '0';
    if (i == 0) {
      whole.insert(0, "1");
    } else {
      ++whole[i - 1];
    }
  }
  if (whole.empty()) return "0";
  const std::string most = "9223372036854775807";
  if (whole.size() > most.size() || (whole.size() == most.size() && whole > most)) return "none";
  return (part[1] == "-" ? "-" : "") + whole;
}

std::string digits(Random& random, std::int64_t most) {
  std::string text;
  for (std::int64_t n = random.in(0, most); n > 0; --n) {
    text += random.chance(0.3) ? random.one_of(std::string("059")) : random.one_of(std::string("0123456789"));
  }
  return text;
}

std::string number(Random& random) {
  std::string text(random.one_of(std::vector<const char*>{"", "", "-", "+"}));
  text += digits(random, random.chance(0.1) ? 60 : 20);
  if (random.chance(0.6)) text += "." + digits(random, random.chance(0.1) ? 60 : 8);
  if (random.chance(0.3)) {
    text += random.one_of(std::string("eE")) + std::to_string(random.in(-25, 25));
  } else if (random.chance(0.02)) {
    text += "e" + std::to_string(random.in(-200'000, 200'000));
  }
  return text;
}

constexpr struct {
  Ns ns;
  int digits;
} kUnits[] = {{1, 0}, {100, 2}, {1'000, 3}, {1'000'000, 6}, {1'000'000'000, 9}};

}  // namespace

TEST_CASE("decimal_ns: times are parsed in the notations of traces") {
  const std::pair<const char*, const char*> microseconds[] = {
      {"0", "0"},
      {"12", "12000"},
      {"-12.5", "-12500"},
      {"+12.5", "12500"},
      {"1.5e3", "1500000"},
      {"1724203468009469.317", "1724203468009469317"},
      {"1.7242034680094720009e15", "1724203468009472001"},
      {"5.", "5000"},
      {".5", "500"},
      {"007", "7000"},
      {"-0.0", "0"},
      {" 5\n", "5000"},
      {"5E-1", "500"},
      {"0e999999", "0"},
      {"1e-999999", "0"},
      // The largest representable time, and one nanosecond more.
      {"9223372036854775.807", "9223372036854775807"},
      {"9223372036854775.808", "none"},
      {"-9223372036854775.807", "-9223372036854775807"},
      {"9223372036854775.8074", "9223372036854775807"},
      {"9223372036854775.8075", "none"},
      {"1e300", "none"},
      {"1e999999", "none"},
      {"99999999999999999", "none"},
  };
  for (const auto& [text, ns] : microseconds) {
    const auto& shown_text = text;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(std::string(shown_text));
    CHECK(shown(decimal_ns(text, kMicrosecond)) == ns);
  }
}

// The text is followed by kDecimalPadding bytes that must not be read as part of it; the sanitizer reports a read beyond them.
std::optional<Ns> padded(const std::string& text, Ns unit_ns, std::string_view behind = "5777777777777777777777777") {
  std::vector<char> exact(text.size() + kDecimalPadding);
  behind.copy(std::copy(text.begin(), text.end(), exact.data()), kDecimalPadding);
  return decimal_ns_padded(std::string_view(exact.data(), text.size()), unit_ns);
}

TEST_CASE("decimal_ns: the padded variant equals the general one") {
  for (const std::uint64_t seed : seeds(30)) {
    CAPTURE(seed);
    Random random(seed);
    for (int i = 0; i < 1'000; ++i) {
      std::string text = digits(random, 18);
      if (random.chance(0.7)) text += "." + digits(random, 4);
      if (random.chance(0.1)) text.insert(text.begin() + random.in(0, static_cast<std::int64_t>(text.size())), random.one_of(std::string("-e. x:/\0\xff")));
      CAPTURE(text);
      REQUIRE(padded(text, kMicrosecond) == decimal_ns(text, kMicrosecond));
    }
    for (int i = 0; i < 1'000; ++i) {
      std::string text = digits(random, 10);
      if (random.chance(0.8)) text += "." + digits(random, 20);
      if (random.chance(0.2)) text += random.one_of(std::vector<std::string>{"e-06", "5", "49999999", "."});
      if (random.chance(0.1)) text.insert(text.begin() + random.in(0, static_cast<std::int64_t>(text.size())), random.one_of(std::string("-e. x:/\0\xff")));
      CAPTURE(text);
      REQUIRE(padded(text, kSecond) == decimal_ns(text, kSecond));
    }
  }
}

TEST_CASE("decimal_ns: the padding is enough wherever a longer number is cut") {
  for (std::size_t whole = 1; whole <= 18; ++whole) {
    for (const char* const dot : {".", ""}) {
      const std::string number = std::string("123456781234567812").substr(0, whole) + dot + std::string(48, '4');
      for (std::size_t cut = 1; cut < 24; ++cut) {
        const std::string text = number.substr(0, cut);
        CAPTURE(number);
        CAPTURE(text);
        for (const Ns unit : {kMicrosecond, kSecond}) CHECK(padded(text, unit, number.substr(cut)) == decimal_ns(text, unit));
      }
    }
  }
}

TEST_CASE("decimal_ns: half a nanosecond rounds away from zero") {
  CHECK(decimal_ns("0.0005", kMicrosecond) == 1);
  CHECK(decimal_ns("-0.0005", kMicrosecond) == -1);
  CHECK(decimal_ns("0.00049999999999999999999999999999999999999999999999", kMicrosecond) == 0);
  CHECK(decimal_ns("0.9995", kMicrosecond) == 1000);
  CHECK(decimal_ns("0.5", 1) == 1);
  CHECK(decimal_ns("0.05", 1) == 0);
  CHECK(decimal_ns("2.5", 1) == 3);
  CHECK(decimal_ns("1.0000000005", kSecond) == 1'000'000'001);
}

TEST_CASE("decimal_ns: characters after the text are not read") {
  const std::string_view all = "123e4.5678";
  CHECK(decimal_ns(all.substr(0, 3), 1) == 123);
  CHECK(decimal_ns(all.substr(0, 5), 1) == 1'230'000);
  CHECK(decimal_ns(all.substr(4, 3), 1000) == 4'500);
  CHECK(decimal_ns(std::string_view("77 e1").substr(0, 3), 1) == 77);
}

TEST_CASE("decimal_ns: text that is not a number gives none") {
  for (const char* text : {"", " ", "-", "+", ".", "-.", "e5", "1e", "1e+", "1.5.2", "0x10", "1 2", "1,5", "\"1\"", "nan",
                           "inf", "-Infinity", "N/A", "50a", "--1", "+-1", "1e5.0", "1_000", "１"}) {
    CAPTURE(std::string(text));
    CHECK(shown(decimal_ns(text, kMicrosecond)) == "none");
    CHECK(shown(decimal_ns(text, 1)) == "none");
  }
  CHECK(!decimal_ns(std::string_view("1\0", 2), kMicrosecond));
}

TEST_CASE("decimal_time: times with units are parsed, and a plain number is in seconds") {
  CHECK(decimal_time("1.5s") == 1'500'000'000);
  CHECK(decimal_time("-250 ms") == -250'000'000);
  CHECK(decimal_time("+7us") == 7'000);
  CHECK(decimal_time("7µs") == 7'000);
  CHECK(decimal_time("12ns") == 12);
  CHECK(decimal_time("2") == 2'000'000'000);
  CHECK(decimal_time("-9h") == -9 * 3'600'000'000'000);
  CHECK(decimal_time("1 h") == 3'600'000'000'000);
  CHECK(decimal_time("2m") == 120'000'000'000);
  // INT64_MIN is out of range because callers may negate a length.
  CHECK(decimal_time("-2562047h47m16s854ms775us807ns") == -INT64_MAX);
  CHECK(!decimal_time("-2562047h47m16s854ms775us808ns"));
  CHECK(decimal_time("1.5min") == 90'000'000'000);
  // Minutes and hours are rounded to nanoseconds only once.
  CHECK(decimal_time("1.0000000001h") == 3'600'000'000'360);
  CHECK(decimal_time("-0.00000000001m") == -1);
  CHECK(decimal_time("0.0000000000001h") == 0);
  CHECK(decimal_time("5h45m") == 20'700'000'000'000);
  CHECK(decimal_time("-3h30m0.5s") == -12'600'500'000'000);
  CHECK(decimal_time("+1e3ms") == 1'000'000'000);
  for (const std::string_view bad : {"", "s", "ms", "1M", "1d", "1..2s", "1ss", "1e99s", "1m2h", "1h-3m", "1h2",
                                     "1h 2q", "h3m", "9999999h", "1s1s"}) {
    CAPTURE(std::string(bad));
    CHECK(!decimal_time(bad));
  }
}

TEST_CASE("decimal_ns: random numbers equal digit-by-digit arithmetic") {
  for (const std::uint64_t seed : seeds(30)) {
    Random random(seed);
    for (int i = 0; i < 1000; ++i) {
      std::string text = number(random);
      if (random.chance(0.1)) text.insert(text.size() * random.next() % (text.size() + 1), 1, random.one_of(std::string(" .-eE+x,0")));
      CAPTURE(seed);
      CAPTURE(text);
      for (const auto& unit : kUnits) REQUIRE(shown(decimal_ns(text, unit.ns)) == oracle(text, unit.digits));
    }
  }
}

TEST_CASE("decimal_ns: the fast path for microseconds agrees with the general one") {
  Random random(7);
  for (int i = 0; i < 30'000; ++i) {
    const std::string text = digits(random, 19) + (random.chance(0.8) ? "." + digits(random, 5) : "");
    CAPTURE(text);
    // A leading blank forces the general path.
    REQUIRE(decimal_ns(text, kMicrosecond) == decimal_ns(" " + text, kMicrosecond));
  }
}
