// The same number gives the same result in any form: by the fast and the general parser, with a sign, with zeros in front, with an
// exponent instead of a unit.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/base/text/decimal_ns.h"

namespace {

void require(bool holds, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "wrong for \"%s\"\n", text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::optional<tv::Ns> ns = tv::decimal_ns(text, tv::kMicrosecond);
  require(ns == tv::decimal_ns(" " + text, tv::kMicrosecond), text);
  const std::string longer = text + std::string(tv::kDecimalPadding, '5');
  require(ns == tv::decimal_ns_padded(std::string_view(longer).substr(0, text.size()), tv::kMicrosecond), text);
  require(tv::decimal_ns(text, tv::kSecond) ==
              tv::decimal_ns_padded(std::string_view(longer).substr(0, text.size()), tv::kSecond), text);
  if (!ns) return 0;
  if (text.find_first_of("+- \t\r\n") == std::string::npos) {
    require(tv::decimal_ns("-" + text, tv::kMicrosecond) == -*ns, text);
    require(tv::decimal_ns("000" + text, tv::kMicrosecond) == ns, text);
  }
  if (text.find_first_of("eE \t\r\n") == std::string::npos) {
    require(tv::decimal_ns(text + "e3", 1) == ns, text);
    require(tv::decimal_ns(text + "e-6", tv::kSecond) == ns, text);
  }
  return 0;
}
