// Strict UTF-8, as in RFC 3629: overlong forms and surrogates are invalid.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tv {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  ///< U+FFFD
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";        ///< U+FEFF; some programs begin a file with it

/// Length in bytes of the valid sequence at the beginning of the text; 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// Whether the byte continues a multi-byte character.
inline bool continues_utf8(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The first `most` bytes of the text, or fewer, so that no character is cut in two.
std::string_view utf8_prefix(std::string_view text, std::size_t most);

/// The text with U+FFFD in place of every byte that is not part of a valid sequence.
std::string valid_utf8(std::string_view text);

inline constexpr std::size_t kShortName = 60;  ///< byte limit of a name in a sentence or a menu
/// At most `most` bytes of the text, cut between two characters. If anything was cut off, "..." is appended.
std::string shortened_utf8(std::string_view text, std::size_t most = kShortName);

/// The first character of the text; U+FFFD if the text does not begin with a valid sequence.
char32_t utf8_code_point(std::string_view text);

}  // namespace tv
