// Words for whoever reads the terminal, in the manner of fmt::print. Names, paths and messages of files are in them, so what would
// be an order to the terminal is written out (core/base/printable.h). JSON and records go to standard_output.h instead.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace tv {

/// Throws when it cannot be written.
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
