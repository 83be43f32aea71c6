#include "core/io/files/given_path.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "core/base/process.h"
#include "core/base/text/ascii.h"
#include "core/io/archives/archive_file.h"
#include "core/io/streams/piped_file.h"

namespace tv {
namespace {

// The scheme of "scheme://...", in lower case; empty for a path.
std::string scheme_of(std::string_view text) {
  const std::size_t end = text.find("://");
  if (end == std::string_view::npos || end < 2) return {};
  const std::string scheme = lower_case(text.substr(0, end));
  const auto is_scheme_char = [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '+' || c == '-' || c == '.'; };
  return std::ranges::all_of(scheme, is_scheme_char) ? scheme : std::string();
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// "node7" and "node7.cluster.example" are one machine.
bool same_host(std::string_view a, std::string_view b) {
  return lower_case(a.substr(0, a.find('.'))) == lower_case(b.substr(0, b.find('.')));
}

}  // namespace

Result<std::string> local_path(const std::string& text, std::string_view this_host) {
  const std::string scheme = scheme_of(text);
  if (scheme.empty()) return text;
  const std::string_view rest = std::string_view(text).substr(scheme.size() + 3);
  const std::string_view host = rest.substr(0, rest.find('/'));
  if (scheme == "http" || scheme == "https" || scheme == "ftp") {
    return Error{"it is a web address, and only files can be opened", text, {}, "download it first: curl -O '" + text + "'"};
  }
  if (scheme != "file") {
    return Error{"it is an address of another machine (" + scheme + "), and only files can be opened", text, {},
                 "copy it to this machine, or mount its folder"};
  }
  if (!host.empty() && lower_case(host) != "localhost" && !same_host(host, this_host)) {
    return Error{"it is a file on another machine, " + std::string(host), text, {},
                 "copy it to this machine, or mount its folder"};
  }
  return percent_decoded(rest.substr(host.size()));
}

Result<std::string> given_path(const std::string& text) {
  if (text == "-") return std::string(kStandardInput);
  std::error_code code;
  if (std::filesystem::exists(text, code) || member_path(text)) return text;
  auto path = local_path(text, host_name());
  if (!path || std::filesystem::exists(*path, code)) return path;
  if (code == std::errc::too_many_symbolic_link_levels) {
    return Error{"it is in a loop of symbolic links", *path, {}, "check where the links lead"};
  }
  if (code == std::errc::permission_denied) return Error{"permission denied", *path, {}, "check the permissions of its folders", true};
  if (code) return Error{"cannot look at it: " + code.message(), *path, {}, {}, true};
  return Error{"no such file or folder", *path, {}, "check the path"};
}

Result<std::string> named_path(const std::string& text) { return local_path(text, host_name()); }

std::vector<std::string> uri_list(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    if (end > 0 && text[0] != '#') out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace tv
