// A piece of a file that holds whole records, ready to be parsed on any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace tv {

struct TextChunk {
  std::uint64_t offset = 0;  ///< of text[0] in the file's text
  std::string_view text;
  std::shared_ptr<const char[]> hold;  ///< keeps the text alive
};

}  // namespace tv
