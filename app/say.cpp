#include "app/say.h"

#include <cerrno>
#include <string>
#include <system_error>

#include "core/base/printable.h"

namespace tv {

void say_text(std::FILE* to, std::string_view text) {
  const std::string letters = printable(text);
  if (std::fwrite(letters.data(), 1, letters.size(), to) == letters.size()) return;
  throw std::system_error(errno, std::generic_category(), "cannot write");
}

}  // namespace tv
