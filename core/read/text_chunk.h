// A piece of a file that holds whole records, ready to be parsed on any thread.
//
// The end of a guessed chunk is only where the next record seems to begin. It is proven by parsing: when the text is whole
// records to its end, the guess was right, and with it the beginning of the chunk after it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace tv {

struct TextChunk {
  std::uint64_t offset = 0;  ///< of text[0] in the file's text
  std::string_view text;
  std::shared_ptr<const char[]> hold;  ///< keeps the text alive
  bool guessed = false;                ///< then the text goes to the next record's first byte, its comma included

  /// No text: nothing can be cut before all guesses made so far are proven.
  bool settle() const { return text.empty(); }
};

}  // namespace tv
