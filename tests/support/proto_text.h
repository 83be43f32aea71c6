// Fields of protobuf messages, for tests that write Perfetto traces themselves. A message is its fields one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tv::test {

inline void add_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

inline std::string proto_number(std::uint32_t field, std::uint64_t value) {
  std::string out;
  add_varint(out, field << 3);
  add_varint(out, value);
  return out;
}

/// A text or a message.
inline std::string proto_bytes(std::uint32_t field, std::string_view bytes) {
  std::string out;
  add_varint(out, field << 3 | 2);
  add_varint(out, bytes.size());
  return out.append(bytes);
}

}  // namespace tv::test
