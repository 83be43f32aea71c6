// UTF-8, strictly (RFC 3629: no overlong forms, no surrogates).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tv {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  ///< U+FFFD
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";        ///< U+FEFF, which some programs write first

/// Bytes of the sequence at the beginning of the text; 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// Whether the byte continues a character of several bytes.
inline bool continues_utf8(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }
/// The first `most` bytes of the text, without the beginning of a character that would be cut there.
std::string_view utf8_prefix(std::string_view text, std::size_t most);

/// The text with U+FFFD in place of every byte that is not part of a valid sequence.
std::string valid_utf8(std::string_view text);

inline constexpr std::size_t kShortName = 60;  ///< byte limit of a name in a sentence or a menu
/// At most this many bytes of the text, cut between two characters; a cut text ends with "...".
std::string shortened_utf8(std::string_view text, std::size_t most = kShortName);

/// The first character of a text; utf8_length must not be 0 there.
char32_t utf8_code_point(std::string_view text);

}  // namespace tv
