#include "app/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "core/base/text/ascii.h"
#include "core/view/manual/manual_text.h"

namespace tv {

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* const columns = std::getenv("COLUMNS");
  const auto given = columns ? whole_number(columns) : std::nullopt;
  return given && *given > 0 ? static_cast<std::size_t>(*given) : kUsualTerminal;
}

bool terminal_styles() {
  const char* const no_color = std::getenv("NO_COLOR");
  const bool wanted = no_color == nullptr || std::string_view(no_color).empty();
  const char* const kind = std::getenv("TERM");
  return wanted && ::isatty(STDOUT_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

}  // namespace tv
