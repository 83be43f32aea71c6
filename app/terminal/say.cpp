#include "app/terminal/say.h"

#include <string>

#include "app/terminal/standard_output.h"
#include "core/base/text/printable.h"

namespace tv {

void say_text(std::FILE* to, std::string_view text) {
  const std::string escaped = printable(text);
  if (to == stdout) return print_text(escaped);  // it throws if writing fails
  std::fwrite(escaped.data(), 1, escaped.size(), to);
}

}  // namespace tv
