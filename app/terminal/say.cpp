#include "app/terminal/say.h"

#include <string>

#include "app/terminal/standard_output.h"
#include "core/base/text/printable.h"

namespace tv {

void say_text(std::FILE* to, std::string_view text) {
  const std::string letters = printable(text);
  if (to == stdout) return print_text(letters);
  std::fwrite(letters.data(), 1, letters.size(), to);
}

}  // namespace tv
