#include "core/io/files/next_names.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdint>
#include <map>
#include <utility>

namespace tv {
namespace {

struct Numbered {
  std::string_view before, number, after;  // number is empty if there is none
};

Numbered numbered(std::string_view name) {
  constexpr std::size_t kMostDigits = 18;
  const auto is_digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(name[i])) != 0; };
  std::size_t end = name.size();
  while (end > 0 && !is_digit(end - 1)) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(begin - 1) && end - begin < kMostDigits) --begin;
  return {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
}

std::uint64_t value_of(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char digit : digits) value = value * 10 + static_cast<std::uint64_t>(digit - '0');
  return value;
}

}  // namespace

std::string next_name(std::string_view name) {
  const Numbered parts = numbered(name);
  if (parts.number.empty()) return {};
  return fmt::format("{}{:0{}}{}", parts.before, value_of(parts.number) + 1, parts.number.size(), parts.after);
}

std::vector<std::string> next_names(const std::vector<std::string>& names, std::size_t most) {
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> highest;  // by the text around the number
  for (const std::string& name : names) {
    const Numbered parts = numbered(name);
    if (parts.number.empty()) continue;
    std::string_view& known = highest.try_emplace({parts.before, parts.after}, name).first->second;
    if (value_of(parts.number) > value_of(numbered(known).number)) known = name;
  }
  std::vector<std::string> out;
  for (const auto& [around, name] : highest) {
    if (out.size() < most) out.push_back(next_name(name));
  }
  return out;
}

}  // namespace tv
