// Text from files as it is printed and written, and files of unknown format. Text on a terminal cannot control it, CSV and JSON
// read back unchanged, and every reader judges any file, decodes or refuses any record, and ends.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/text/csv_text.h"
#include "core/base/text/json_text.h"
#include "core/base/text/printable.h"
#include "core/base/text/utf8.h"
#include "core/export/parts/strict_json.h"
#include "core/io/files/given_path.h"
#include "core/read/file_facts.h"
#include "core/read/unknown_file.h"
#include "tests/fuzz/reader_fuzz.h"

using namespace tv;
using namespace tv::test;

namespace {

void check_printable(const std::string& text) {
  const std::string shown = printable(text);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto byte = static_cast<unsigned char>(shown[i]);
    const bool line_end = byte == '\r' && i + 1 < shown.size() && shown[i + 1] == '\n';
    if ((byte < 0x20 && byte != '\n' && byte != '\t' && !line_end) || byte == 0x7F)
      fail("a control character", shown);
    const auto next = i + 1 < shown.size() ? static_cast<unsigned char>(shown[i + 1]) : 0u;
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) fail("a C1 control character", shown);
  }
  if (printable(shown) != shown) fail("printable text is changed", shown);
  const std::string valid = valid_utf8(text);
  for (std::size_t at = 0; at < valid.size();) {
    const std::size_t length = utf8_length(std::string_view(valid).substr(at));
    if (length == 0) fail("not UTF-8");
    at += length;
  }
  if (valid_utf8(valid) != valid) fail("valid text is changed");
  if (shortened_utf8(text, 10).size() > 13) fail("a shortened text is too long");
}

// The text of a line of CSV with a single field (RFC 4180).
std::string field_of(const std::string& csv) {
  if (!csv.starts_with('"')) return csv;
  std::string out;
  for (std::size_t i = 1; i + 1 < csv.size(); ++i) {
    out += csv[i];
    if (csv[i] == '"' && csv[++i] != '"') fail("a quote within a field", csv);
  }
  return out;
}

void check_written(const std::string& text) {
  const std::string csv = csv_field(text), field = field_of(csv);
  if (field != (looks_like_formula(text) ? "'" + text : text)) fail("CSV reads back as something else", csv);
  if (looks_like_formula(field)) fail("a spreadsheet would calculate it", csv);
  const auto json = nlohmann::json::parse(json_quoted(text), nullptr, false);
  if (!json.is_string() || json.get<std::string>() != valid_utf8(text)) fail("JSON reads back as something else");
  const std::size_t length = strict_json_length(text);
  if (length > text.size()) fail("a value beyond the text");
  if (length > 0 && !nlohmann::json::accept(text.substr(0, length))) fail("strict JSON that a parser refuses", text);
  for (const std::string& line : uri_list(text)) static_cast<void>(local_path(line, "host"));
}

void check_readers(const std::string& text) {
  const std::string path = text.substr(0, text.find('\n'));
  const Probe probe{path, text};
  for (const Reader* reader : all_readers()) {
    if (const int score = reader->probe(probe); score < 0 || score > 100) fail("a score outside 0 to 100", reader->id);
    if (reader->record_length) {
      const auto record = reader->record_length(text);
      if (record && *record > text.size()) fail("a record longer than the text", reader->id);
    }
    if (!reader->decode) continue;
    const auto tree = reader->decode(text);
    if (tree.ok() && tree.value().nodes.empty()) fail("a decoded record without a root", reader->id);
    if (!tree.ok() && tree.error().message.empty()) fail("refused without a message", reader->id);
  }
  if (why_unknown(text).empty()) fail("no reason why a file is unknown");
  facts_of(path);
  rank_of(path, text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_printable(text);
  check_written(text);
  check_readers(text);
  return 0;
}
