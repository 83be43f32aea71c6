// Prints text like fmt::print. Names and paths in the text come from files, so control sequences are escaped
// (core/base/text/printable.h), in a way that does not change the meaning of JSON.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace tv {

/// Throws if standard output cannot be written. A failure of stderr is ignored, because there is nowhere to report it.
void say_text(std::FILE* to, std::string_view text);

template <class... Args>
void say(std::FILE* to, fmt::format_string<Args...> words, Args&&... args) {
  say_text(to, fmt::format(words, std::forward<Args>(args)...));
}
template <class... Args>
void say(fmt::format_string<Args...> words, Args&&... args) {
  say_text(stdout, fmt::format(words, std::forward<Args>(args)...));
}

}  // namespace tv
