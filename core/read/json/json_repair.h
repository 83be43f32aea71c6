// Turns one damaged record into valid JSON, as far as that is possible. Repairs the faults that profilers are known to write
// (kineto): unescaped quotes and backslashes in names, raw control characters, bytes that are not UTF-8, lone surrogates, bare
// words (N/A, nan, inf, hex, enum names), doubled and trailing commas, keys without their first quote.
//
// A quote ends a key if ':' follows. It ends a value if ',' and a key follow (in an array: ',' and anything), or a closing bracket
// and more structure. At the end of the record it ends both. The exception is a string with unescaped quotes and an open brace:
// "{"device": "cpu", "dtype": "x"}(12): run" is one name.
// Cost: linear in the record; used for damaged records only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tv {

struct RepairedRecord {
  std::string json;
  std::uint32_t replaced_bytes = 0;  ///< bytes that were not UTF-8
  std::size_t end = 0;               ///< number of bytes of the text that were read
  bool repeats_member = false;       ///< the record has a member twice, so text was lost and two records have merged
};

RepairedRecord repair_json(std::string_view record);

}  // namespace tv
