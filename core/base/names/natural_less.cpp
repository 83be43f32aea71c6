#include "core/base/names/natural_less.h"

#include "core/base/text/ascii.h"

namespace tv {
namespace {

std::string_view digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return text.substr(at, end - at);
}

std::string_view without_zeros(std::string_view digits) {
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

}  // namespace

int natural_compare(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view run_a = digits_at(a, i), run_b = digits_at(b, j);
      const std::string_view value_a = without_zeros(run_a), value_b = without_zeros(run_b);
      if (value_a.size() != value_b.size()) return value_a.size() < value_b.size() ? -1 : 1;
      if (const int order = value_a.compare(value_b); order != 0) return order;
      i += run_a.size();
      j += run_b.size();
    } else {
      const auto ca = static_cast<unsigned char>(a[i]), cb = static_cast<unsigned char>(b[j]);
      if (ca != cb) return ca < cb ? -1 : 1;
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j ? -1 : 1;
  // For equal values, fewer leading zeros come first.
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

}  // namespace tv
