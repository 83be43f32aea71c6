#include "core/view/manual/manual_text.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/view/manual/manual_layout.h"

namespace tv {
namespace {

float terminal_letters(std::string_view text) {
  return static_cast<float>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool is_address(std::string_view target) { return target.find("://") != std::string_view::npos; }

// Spells out what a terminal does not show: puts backquotes around code that is not styled, and addresses after links.
void spell_out(ManualText& text, bool styled) {
  ManualText out;
  for (ManualSpan& span : text) {
    if (span.kind == ManualSpan::Kind::Code && !styled) span.text = "`" + span.text + "`";
    const std::string address = is_address(span.target) ? " (" + span.target + ")" : std::string();
    out.push_back(std::move(span));
    if (!address.empty()) out.push_back({ManualSpan::Kind::Text, address});
  }
  text = std::move(out);
}

const char* escape_code(ManualStyle style) {
  switch (style) {
    case ManualStyle::Text: return "";
    case ManualStyle::Link: return "\033[4m";
    default: return "\033[1m";
  }
}

}  // namespace

std::string manual_as_text(const ManualPage& page, std::size_t width, bool styled) {
  ManualPage spelled = page;
  std::set<std::string> topics;
  for (ManualBlock& block : spelled.blocks) {
    const auto spell = [&](ManualText& text) {
      for (const ManualSpan& span : text) {
        if (!span.target.empty() && !is_address(span.target)) topics.insert(span.target);
      }
      spell_out(text, styled);
    };
    spell(block.text);
    for (auto& row : block.rows) std::ranges::for_each(row, spell);
  }
  if (!topics.empty()) {
    std::string more = "See also: traceview help ";
    for (const std::string& topic : topics) more += (topic == *topics.begin() ? "" : ", ") + topic;
    spelled.blocks.push_back({ManualBlock::Kind::Paragraph, 0, {}, {{ManualSpan::Kind::Text, more}}});
  }
  ManualMeasures letters;
  letters.width = [](std::string_view text, ManualStyle) { return terminal_letters(text); };
  letters.indent = 2;
  const ManualLayout layout = lay_out_manual(spelled, static_cast<float>(width), letters);
  std::string out;
  float y = 0;
  std::size_t at = 0;
  for (const ManualFragment& fragment : layout.fragments) {
    for (; y < fragment.y; ++y, at = 0) out += '\n';
    for (; at < static_cast<std::size_t>(fragment.x); ++at) out += ' ';
    const bool has_style = styled && fragment.style != ManualStyle::Text;
    if (has_style) out += escape_code(fragment.style);
    out += fragment.text;
    if (has_style) out += "\033[0m";
    at += static_cast<std::size_t>(fragment.width);
  }
  return out + "\n";
}

}  // namespace tv
