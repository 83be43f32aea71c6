#include "core/read/json/line_records.h"

#include <string>

#include "core/read/json/json_scan.h"

namespace tv {

std::vector<LinePart> parts_of_line(std::string_view line, const RecordKeys& keys) {
  std::vector<LinePart> parts;
  std::size_t at = 0;
  const auto pass_to = [&](std::size_t end) {
    const std::string_view text = line.substr(at, end - at);
    if (text.find_first_not_of(" \t\r\n,") != text.npos) parts.push_back({at, text, false});
  };
  RecordFinder finder(keys);
  finder.begin_lost(0);
  while (finder.run(line, 0, true) == RecordFinder::Status::Found) {
    const auto begin = static_cast<std::size_t>(finder.record().begin),
               end = static_cast<std::size_t>(finder.record().end);
    pass_to(begin);
    parts.push_back({begin, line.substr(begin, end - begin), true});
    at = end;
    finder.begin_lost(end);
  }
  pass_to(line.size());
  return parts;
}

bool looks_like_record(std::string_view line, const RecordKeys& keys) {
  constexpr std::size_t kEnoughKeys = 3;
  std::uint32_t seen = 0;
  std::size_t count = 0;
  for (const std::string_view key : keys.keys) {
    if (line.find('"' + std::string(key) + '"') == line.npos) continue;
    seen |= keys.bit(key);
    ++count;
  }
  if (keys.complete(seen) || count >= kEnoughKeys) return true;
  return count > 0 && count + 1 == keys.keys.size() && line.find('{', 1) != line.npos;
}

std::size_t records_begun(std::string_view part, const RecordKeys& keys) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = part.find_first_not_of(" \t\r\n,");
  if (first == part.npos) return 0;
  if (part.find('\0') != part.npos) return 1;  // a hole in the file, in which a record may have begun
  const std::string key = '"' + std::string(keys.keys.front()) + '"';
  std::size_t begun = 0;
  for (std::size_t at = part.find('{'); at != part.npos; at = part.find('{', at + 1)) {
    const std::size_t inside = part.find_first_not_of(kBlanks, at + 1);
    begun += inside != part.npos && part.substr(inside).starts_with(key) ? 1 : 0;
  }
  if (begun > 0) return begun;
  return part.find(key) != part.npos || (part[first] == '{' && part.find('"') != part.npos) ? 1 : 0;
}

void report_lost(ProblemLog& problems, std::uint64_t offset, std::string_view text, std::size_t lost, bool cut) {
  const ProblemKind kind = cut ? ProblemKind::truncated_record : lost > 0 ? ProblemKind::bad_record : ProblemKind::bad_line;
  problems.add(kind, offset, text);
  if (lost > 1) problems.add_count(ProblemKind::bad_record, lost - 1);
}

}  // namespace tv
