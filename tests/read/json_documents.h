// Random trace documents whose records are known, because they were noted as they were written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/gen_trace.h"

namespace tv::test {

struct Span {
  std::uint64_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};

struct Document {
  std::string text;
  std::vector<Span> records;
  std::vector<std::pair<std::string, std::string>> members;  ///< of the top-level object, besides the records
};

class DocumentWriter {
 public:
  enum class Form { Array, Object, Lines, kCount };

  explicit DocumentWriter(std::uint64_t seed) : random_(seed) {}

  Document write(Form form, std::size_t records) {
    switch (form) {
      case Form::Array:
        blank();
        array(records);
        break;
      case Form::Object:
        put("{");
        members({"schemaVersion", "deviceProperties", "otherData"}, true);
        put("\"traceEvents\"" + blanks() + ":" + blanks());
        array(records);
        members({"traceName", "displayTimeUnit"}, false);
        put(blanks() + "}\n");
        break;
      default:
        for (std::size_t i = 0; i < records; ++i) {
          record();
          put(random_.chance(0.3) ? "\r\n" : "\n");
        }
    }
    return std::move(out_);
  }

 private:
  void put(std::string_view text) { out_.text += text; }
  std::string blanks() { return std::string(random_.one_of(kBlanks)); }
  void blank() { put(blanks()); }

  void array(std::size_t records) {
    put("[");
    for (std::size_t i = 0; i < records; ++i) {
      if (i > 0) put(",");
      blank();
      record();
      blank();
    }
    put("]");
  }

  void members(std::initializer_list<const char*> keys, bool comma_after) {
    for (const char* key : keys) {
      if (!comma_after) put(",");
      put(blanks() + "\"" + key + "\":" + blanks());
      const std::string text = value(0);
      put(text);
      out_.members.emplace_back(key, text);
      blank();
      if (comma_after) put(",");
    }
  }

  void record() {
    const std::uint64_t begin = out_.text.size();
    put("{" + blanks() + "\"ph\":\"X\"");
    for (std::int64_t i = random_.in(0, 4); i > 0; --i) put("," + blanks() + string() + ":" + value(0));
    put(blanks() + "}");
    out_.records.push_back({begin, out_.text.size()});
  }

  // Anything that looks like structure but is not, except a newline before a quote or a brace: such a string counts as
  // broken, on purpose (json_scan.h).
  std::string string() {
    std::string text = "\"";
    for (std::int64_t i = random_.in(0, 6); i > 0; --i) text += random_.one_of(kPieces);
    return text + "\"";
  }

  std::string value(int depth) {
    switch (depth > 3 ? random_.in(0, 2) : random_.in(0, 6)) {
      case 0: return std::string(random_.one_of(kNumbers));
      case 1: return std::string(random_.one_of(kWords));
      case 2: return string();
      case 3: return list('[', ']', depth, false);
      case 4: return R"([{"ph":"X"},{"ph":"X"}, {"ph":"X"}])";  // looks like records, but holds none
      default: return list('{', '}', depth, true);
    }
  }

  std::string list(char open, char close, int depth, bool keys) {
    std::string text(1, open);
    for (std::int64_t i = random_.in(0, 3); i > 0; --i) {
      if (text.size() > 1) text += "," + blanks();
      if (keys) text += string() + ":" + blanks();
      text += value(depth + 1);
    }
    return text + blanks() + close;
  }

  static constexpr std::string_view kBlanks[] = {"", "", " ", "\n", "\r\n  ", "\t"};
  static constexpr std::string_view kNumbers[] = {"0", "-12.5", "1e300", "18446744073709551615"};
  static constexpr std::string_view kWords[] = {"true", "false", "null"};
  static constexpr std::string_view kPieces[] = {"abc",  "\\\"",   "\\\\", "{",       "}",    "[",        "]", ",",
                                                 ":",    "},\\n{", "前",   "\\u00e9", "\nraw", "\n\n(1): x", " "};

  Random random_;
  Document out_;
};

}  // namespace tv::test
