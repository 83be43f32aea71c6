#include "core/view/words/mangled_length.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <vector>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

constexpr std::size_t kMostMangled = 2048;  // bytes; libstdc++ 12 refuses more than 1,024
constexpr double kMostOfPart = 32;          // letters of a builtin type, an operator, a lambda, or the signs around a part
constexpr double kStandardPart = 80;        // letters of std::basic_string<char, std::char_traits<char>, ...>
constexpr double kHarmlessReferences = 12;  // each at most doubles the text

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_one_of_letters(char c, std::string_view letters) { return c != '\0' && letters.find(c) != letters.npos; }

// Operators in expressions, by what follows them.
constexpr std::string_view kCastsTo[] = {"cc", "dc", "rc", "sc"};
constexpr std::string_view kOfOne[] = {"ad", "at", "az", "co", "de", "gs", "ng", "nt", "nx", "ps", "sZ", "sz"};
constexpr std::string_view kOfTwo[] = {"aa", "an", "dv", "eo", "eq", "ge", "gt", "ix", "le", "ls",
                                       "lt", "mi", "ml", "ne", "oo", "or", "pl", "rm", "rs"};
template <class Codes>
bool is_operator(std::string_view code, const Codes& codes) {
  return std::ranges::find(codes, code) != std::end(codes);
}

// What a part of a name is written as: some letters, and template arguments that are named elsewhere (T_).
struct Written {
  double letters = 0, parameters = 0;
  Written& operator+=(const Written& more) {
    letters += more.letters;
    parameters += more.parameters;
    return *this;
  }
};

class MangledWalk {
 public:
  // Versions of the demangler differ in whether a lambda counts as a part that can be referred to.
  MangledWalk(std::string_view name, bool counts_lambdas) : name_(name), counts_lambdas_(counts_lambdas) {}

  double length() {
    at_ = 2;  // _Z
    const Written all = encoding();
    if (failed_ || at_ != name_.size()) return std::numeric_limits<double>::infinity();
    // A parameter stands for a template argument, in which there may be parameters of a function further out.
    double longest = 0;
    for (const Written& argument : arguments_) longest = std::max(longest, argument.letters);
    for (std::size_t e = 1; e < encodings_; ++e) {
      const double inner = longest;
      for (const Written& argument : arguments_) longest = std::max(longest, argument.letters + argument.parameters * inner);
    }
    return all.letters + all.parameters * longest;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < name_.size() ? name_[at_ + ahead] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  Written fail() {
    failed_ = true;
    return {};
  }
  void need(char c) {
    if (!take(c)) failed_ = true;
  }
  std::size_t number() {
    std::size_t out = 0;
    for (; is_digit(peek()); ++at_) out = std::min<std::size_t>(10 * out + static_cast<std::size_t>(peek() - '0'), name_.size() + 1);
    return out;
  }
  static Written fixed() { return {kMostOfPart, 0}; }
  void can_be_referred_to(const Written& part) { parts_.push_back(part); }

  Written encoding() {
    ++encodings_;
    if (is_one_of_letters(peek(), "GT")) return fail();  // tables and guards, not functions
    Written out = name(false);
    out += types();
    return out;
  }

  // Up to the end of what contains them.
  Written types() {
    Written out = fixed();
    while (!failed_ && peek() != '\0' && peek() != 'E' && !(is_one_of_letters(peek(), "RO") && peek(1) == 'E')) out += type();
    return out;
  }

  Written name(bool can_be_part) {
    Written out = fixed();
    bool referred = false;
    if (peek() == 'N') {
      out += nested();
    } else if (peek() == 'Z') {
      out += local();
    } else if (peek() == 'U') {
      out += unqualified();
    } else {
      if (peek() == 'S' && peek(1) == 't') {
        at_ += 2;
        out += unqualified();
      } else if (peek() == 'S') {
        referred = true;
        out += reference();
      } else {
        out += unqualified();
      }
      if (peek() == 'I') {
        if (!referred) can_be_referred_to(out);
        referred = false;
        out += arguments();
      }
    }
    if (can_be_part && !referred) can_be_referred_to(out);
    return out;
  }

  Written nested() {
    need('N');
    while (is_one_of_letters(peek(), "rVK")) ++at_;
    if (is_one_of_letters(peek(), "RO")) ++at_;
    return scopes(true);
  }

  // a::b<c>::d, with the E at its end.
  Written scopes(bool can_be_parts) {
    Written out = fixed();
    for (bool first = true; !failed_; first = false) {
      if (peek() == 'S' || peek() == 'T') {
        if (!first) return fail();
        const bool refers = peek() == 'S';
        out += refers ? reference() : parameter();
        if (refers) continue;
      } else if (peek() == 'I') {
        if (first) return fail();
        out += arguments();
      } else {
        out += unqualified();
      }
      if (take('E')) break;
      if (can_be_parts) can_be_referred_to(out);
    }
    return out;
  }

  // Something in a function.
  Written local() {
    need('Z');
    Written out = encoding();
    need('E');
    if (take('s')) {
      out += fixed();
    } else {
      if (take('d')) {
        number();
        need('_');
      }
      out += name(false);
    }
    discriminator();
    return out;
  }

  void discriminator() {
    if (!take('_')) return;
    const bool two = take('_');
    if (number() >= 10 && two) need('_');
  }

  Written unqualified() {
    Written out = fixed();
    const char c = peek();
    if (is_digit(c)) {
      out += source_name();
    } else if (c == 'L') {
      ++at_;
      out += source_name();
      discriminator();
    } else if (c == 'C' || c == 'D') {
      if (!is_digit(peek(1))) return fail();
      at_ += 2;
      out.letters += longest_name_;
    } else if (c == 'U' && peek(1) == 'l') {
      at_ += 2;
      out += types();
      need('E');
      number();
      need('_');
      if (counts_lambdas_) can_be_referred_to(out);
    } else if (c == 'U' && peek(1) == 't') {
      at_ += 2;
      number();
      need('_');
      can_be_referred_to(out);
    } else if (is_letter(c) && !is_upper(c)) {
      const std::string_view both = name_.substr(at_, 2);
      if (both.size() < 2 || both == "cv" || both == "li" || both == "on" || !is_letter(both[1])) return fail();
      at_ += 2;
    } else {
      return fail();
    }
    while (!failed_ && take('B')) out += source_name();
    return out;
  }

  Written source_name() {
    const std::size_t length = number();
    if (length == 0 || length > name_.size() - at_) return fail();
    at_ += length;
    longest_name_ = std::max(longest_name_, static_cast<double>(length));
    return {kMostOfPart + static_cast<double>(length), 0};
  }

  Written reference() {
    need('S');
    if (is_one_of_letters(peek(), "tabsiod")) {
      ++at_;
      return peek() == 'B' ? fail() : Written{kStandardPart, 0};
    }
    std::size_t id = 0;
    for (bool first = true; !failed_ && !take('_'); first = false) {
      const char c = peek();
      if (!is_digit(c) && !is_upper(c)) return fail();
      id = 36 * (first ? 0 : id - 1) + static_cast<std::size_t>(is_digit(c) ? c - '0' : c - 'A' + 10) + 1;
      if (id > name_.size()) return fail();
      ++at_;
    }
    return id < parts_.size() ? parts_[id] : fail();
  }

  Written parameter() {
    need('T');
    number();
    need('_');
    return {kMostOfPart, 1};
  }

  Written arguments() {
    if (!take('I') && !take('J')) return fail();
    Written out = fixed();
    double count = 0;
    for (; !failed_ && !take('E'); ++count) {
      arguments_.push_back(argument());
      out += arguments_.back();
    }
    if (count > most_arguments_ && expanded_) return fail();  // the pack that was expanded may be this one
    most_arguments_ = std::max(most_arguments_, count);
    return out;
  }

  Written argument() {
    if (peek() == 'L') return literal();
    if (peek() == 'I' || peek() == 'J') return arguments();
    if (!take('X')) return type();
    const Written out = expression();
    need('E');
    return out;
  }

  // A pattern is written once for each argument of a pack.
  Written expanded(const Written& pattern) {
    expanded_ = true;
    const double times = std::max(most_arguments_, 1.0);
    return {pattern.letters * times, pattern.parameters * times};
  }

  Written name_in_expression() {
    Written out = unqualified();
    if (peek() == 'I') out += arguments();
    return out;
  }

  Written expression() {
    if (failed_ || peek() == '\0') return fail();
    if (peek() == 'L') return literal();
    if (peek() == 'T') return parameter();
    if (is_digit(peek())) return name_in_expression();
    const std::string_view both = name_.substr(at_, 2);
    at_ += both.size();
    Written out = fixed();
    if (both == "on") {
      out += name_in_expression();
    } else if (both == "sr") {
      out += is_one_of_letters(peek(), "NSTD") ? type() : scopes(false);
      out += name_in_expression();
    } else if (both == "sp") {
      out += expanded(expression());
    } else if (both == "fp") {
      if (!take('T')) number(), need('_');
    } else if (both == "st") {
      out += type();
    } else if (both == "cl") {
      while (!failed_ && !take('E')) out += expression();
    } else if (is_operator(both, kCastsTo)) {
      out += type();
      out += expression();
    } else if (is_operator(both, kOfOne)) {
      out += expression();
    } else if (both == "qu") {
      for (int part = 0; part < 3; ++part) out += expression();
    } else if (is_operator(both, kOfTwo)) {
      out += expression();
      out += expression();
    } else {
      return fail();
    }
    return out;
  }

  Written literal() {
    need('L');
    Written out = fixed();
    if (peek() == '_' || peek() == 'Z') {
      take('_');
      need('Z');
      out += encoding();
    } else {
      out += type();
      for (; peek() != 'E' && peek() != '\0'; ++at_) out.letters += 1;
    }
    need('E');
    return out;
  }

  Written type() {
    if (failed_ || peek() == '\0') return fail();
    Written out = fixed();
    const char c = peek();
    if (is_one_of_letters(c, "rVK")) {
      for (; is_one_of_letters(peek(), "rVK"); ++at_) out += fixed();
      out += peek() == 'F' ? function() : type();
    } else if (is_one_of_letters(c, "abcdefghijlmnostvwxyz")) {
      ++at_;
      return out;
    } else if (c == 'u') {
      ++at_;
      out += source_name();
    } else if (c == 'F') {
      out += function();
    } else if (c == 'A') {
      for (++at_; is_digit(peek()); ++at_) out.letters += 1;
      need('_');
      out += type();
    } else if (c == 'M') {
      ++at_;
      out += type();
      out += type();
    } else if (c == 'T') {
      out += parameter();
      if (peek() == 'I') {
        can_be_referred_to(out);
        out += arguments();
      }
    } else if (is_one_of_letters(c, "OPRCG")) {
      ++at_;
      out += type();
    } else if (c == 'D') {
      return type_of_two_letters();
    } else if (c == 'U') {
      ++at_;
      out += source_name();
      if (peek() == 'I') out += arguments();
      out += type();
    } else {
      return name(true);
    }
    can_be_referred_to(out);
    return out;
  }

  Written type_of_two_letters() {
    const char c = peek(1);
    at_ += 2;
    Written out = fixed();
    if (is_one_of_letters(c, "acfdehusin")) return out;
    if (c == 'F') {
      number();
      if (!take('_') && !take('x') && !take('b')) return fail();
      return out;
    }
    if (c == 'p') {
      out += expanded(type());
    } else if (c == 'v') {
      number();
      need('_');
      out += type();
    } else if (c == 't' || c == 'T') {  // decltype
      out += expression();
      need('E');
    } else {
      return fail();
    }
    can_be_referred_to(out);
    return out;
  }

  Written function() {
    need('F');
    take('Y');
    Written out = types();
    if (is_one_of_letters(peek(), "RO")) ++at_;
    need('E');
    return out;
  }

  const std::string_view name_;
  const bool counts_lambdas_;
  std::size_t at_ = 0, encodings_ = 0;
  bool failed_ = false, expanded_ = false;
  double longest_name_ = 0, most_arguments_ = 0;
  std::vector<Written> parts_, arguments_;
};

}  // namespace

double demangled_length(std::string_view mangled) {
  if (mangled.size() > kMostMangled) return std::numeric_limits<double>::infinity();
  const double length = std::max(MangledWalk(mangled, true).length(), MangledWalk(mangled, false).length());
  if (std::isfinite(length)) return length;
  double references = 0;
  for (std::size_t i = 0; i + 1 < mangled.size(); ++i) {
    const char next = mangled[i + 1];
    references += is_one_of_letters(mangled[i], "ST") && (next == '_' || is_digit(next) || is_upper(next)) ? 1 : 0;
  }
  if (references > kHarmlessReferences) return length;
  return static_cast<double>(mangled.size()) * std::exp2(references) * kMostOfPart;
}

}  // namespace tv
