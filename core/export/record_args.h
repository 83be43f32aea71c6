// What a record says beyond name and times, as JSON. In a Trace Event file that is the member "args"; of other formats
// it is the whole record. Strict JSON is copied as it is written in the file, digit by digit; anything else is decoded
// by the reader.
#pragma once

#include <string>
#include <string_view>

#include "core/read/reader.h"

namespace tv {

struct RecordFacts {
  bool readable = false;
  std::string_view args;   ///< JSON; empty: none
  std::string_view cname;  ///< the colour, in quotes; empty: none
};

class RecordArgs {
 public:
  /// `text` begins with the record. The result is valid until the next call, and as long as the text.
  RecordFacts read(const Reader& reader, std::string_view text);

 private:
  std::string decoded_;
};

/// A decoded value as JSON.
void append_json(std::string& out, const ArgTree& tree, std::size_t node);

}  // namespace tv
