// Whether a text is well-formed XML.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text/utf8.h"

namespace tv::test {

// Why the text is not well-formed XML, as far as tags, quotes and entities go; empty if it is.
inline std::string xml_objection(std::string_view xml) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < xml.size();) {
    const char c = xml[i];
    if (c == '&') {
      const std::string_view entity = xml.substr(i, xml.find(';', i) + 1 - i);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") return "entity";
    }
    if (c == '>') return "stray >";
    if (c != '<') {
      const std::size_t length = utf8_length(xml.substr(i));
      if (length == 0 || (static_cast<unsigned char>(c) < 0x20 && c != '\n')) return "not a character of XML";
      i += length;
      continue;
    }
    const std::size_t end = xml.find('>', i);
    if (end == std::string_view::npos) return "tag without end";
    const std::string_view tag = xml.substr(i + 1, end - i - 1);
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0 || tag.find('<') != tag.npos) return "quotes";
    const std::string name(tag.substr(tag.starts_with('/'), tag.find_first_of(" /", 1) - tag.starts_with('/')));
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "closes " + std::string(tag);
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
    i = end + 1;
  }
  return open.empty() ? "" : "open: " + open.back();
}

}  // namespace tv::test
