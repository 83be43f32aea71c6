// Prints messages to the terminal, in the manner of fmt::print. They contain names, paths and messages from files, so control
// sequences are escaped (core/base/text/printable.h), in a way that does not change the meaning of JSON.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace tv {

/// Throws if standard output cannot be written. There is nowhere to report a failure of stderr, so messages there may be lost.
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
