// Words for whoever reads the terminal, in the manner of fmt::print. Names, paths and messages of files are in them, so what would
// be an order to the terminal is written out (core/base/text/printable.h), in a way that JSON stays what it says.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace tv {

/// Throws when standard output cannot be written. Nobody can be told that of stderr, so what is said there may get lost.
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
