// Reads the fields of a protobuf message, one after the other. Malformed input is tolerated: a value of another wire type than
// expected reads as 0 or empty, and a damaged message ends at the damage. Nothing is copied. Source:
// protobuf.dev/programming-guides/encoding.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace tv {

struct ProtoField {
  enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

  std::uint32_t number = 0;
  Wire wire = Wire::Varint;
  std::uint64_t value = 0;  ///< for the three wire types that are numbers
  std::string_view bytes;   ///< for Bytes: a text, a message, packed numbers

  std::int64_t integer() const { return static_cast<std::int64_t>(value); }
  bool flag() const { return value != 0; }
  double real() const {
    if (wire == Wire::Fixed64) return std::bit_cast<double>(value);
    if (wire == Wire::Fixed32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value)));
    return static_cast<double>(integer());
  }
};

class ProtoFields {
 public:
  explicit ProtoFields(std::string_view message) : rest_(message) {}

  /// The next field; false at the end or if the message is damaged.
  bool next(ProtoField& field) {
    const auto tag = varint();
    if (!tag || (*tag >> 3) == 0 || (*tag >> 3) > UINT32_MAX) return stop(!rest_.empty() || tag);
    field = {};
    field.number = static_cast<std::uint32_t>(*tag >> 3);
    field.wire = static_cast<ProtoField::Wire>(*tag & 7);
    switch (*tag & 7) {
      case 0:
        return take(varint(), field);
      case 1:
        return take(fixed(8), field);
      case 5:
        return take(fixed(4), field);
      case 2: {
        const auto length = varint();
        if (!length || *length > rest_.size()) return stop(true);
        field.bytes = rest_.substr(0, static_cast<std::size_t>(*length));
        rest_.remove_prefix(field.bytes.size());
        return true;
      }
      default:
        return stop(true);
    }
  }
  /// Whether the message was cut off or malformed.
  bool damaged() const { return damaged_; }
  std::string_view rest() const { return rest_; }

  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < rest_.size() && i < 10; ++i) {
      const auto byte = static_cast<unsigned char>(rest_[i]);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
      if (byte < 0x80) {
        rest_.remove_prefix(i + 1);
        return value;
      }
    }
    return std::nullopt;
  }
  std::optional<std::uint64_t> fixed(std::size_t bytes) {
    if (rest_.size() < bytes) return std::nullopt;
    std::uint64_t value = 0;
    std::memcpy(&value, rest_.data(), bytes);  // little-endian, like every machine that we build for
    rest_.remove_prefix(bytes);
    return value;
  }

 private:
  bool take(std::optional<std::uint64_t> value, ProtoField& field) {
    if (!value) return stop(true);
    field.value = *value;
    return true;
  }
  bool stop(bool damaged) {
    damaged_ |= damaged;
    rest_ = {};
    return false;
  }

  std::string_view rest_;
  bool damaged_ = false;
};

/// Visits the numbers of a repeated field, which may be packed. `fixed_bytes`: 8 or 4 for fixed numbers, 0 for varints.
template <class Visit>
void each_number(const ProtoField& field, std::size_t fixed_bytes, Visit visit) {
  if (field.wire != ProtoField::Wire::Bytes) return visit(field);
  ProtoFields numbers(field.bytes);
  ProtoField one;
  one.wire = fixed_bytes == 8   ? ProtoField::Wire::Fixed64
             : fixed_bytes == 4 ? ProtoField::Wire::Fixed32
                                : ProtoField::Wire::Varint;
  while (const auto value = fixed_bytes > 0 ? numbers.fixed(fixed_bytes) : numbers.varint()) {
    one.value = *value;
    visit(one);
  }
}

}  // namespace tv
