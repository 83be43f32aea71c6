// Converts values to bytes and back, for the small tables in files that only this program reads. One function lists the members
// for both directions, so that writing and reading cannot differ:
//
//   template <class Bytes> void members(Bytes& bytes, Like<Bytes, Lane>& lane) { bytes(lane.name, lane.kind, ...); }
//
// Numbers are in the byte order of the machine. After the end of its bytes, a reader returns zeros, and ok() is false.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace tv {

template <class T>
concept PlainNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class ByteWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  void raw(std::string_view bytes) { bytes_.append(bytes); }
  const std::string& bytes() const { return bytes_; }

 private:
  template <PlainNumber T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes_.append(text);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }

  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const char> bytes) : rest_(bytes.data(), bytes.size()) {}

  template <class... T>
  void operator()(T&... values) {
    (take(values), ...);
  }
  std::string_view raw(std::size_t n) {
    if (n > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return taken;
  }
  template <PlainNumber T>
  T number() {
    T value{};
    take(value);
    return value;
  }
  /// The number of elements that follow. If the rest is too short for that many, returns 0, and ok() is false.
  std::size_t count(std::size_t least_bytes_each) {
    const auto n = number<std::uint64_t>();
    if (n <= rest_.size() / least_bytes_each) return static_cast<std::size_t>(n);
    fail();
    return 0;
  }

  bool ok() const { return ok_; }
  /// All bytes were read, and none was missing.
  bool done() const { return ok_ && rest_.empty(); }
  void fail() {
    ok_ = false;
    rest_ = {};
  }

 private:
  template <PlainNumber T>
  void take(T& value) {
    const std::string_view bytes = raw(sizeof value);
    if constexpr (std::is_same_v<T, bool>) {
      value = ok_ && bytes.front() != 0;  // not memcpy: a bool must be 0 or 1, but a damaged file may hold any byte
    } else if (ok_) {
      std::memcpy(&value, bytes.data(), sizeof value);
    } else {
      value = T{};
    }
  }
  void take(std::string& text) { text = raw(count(1)); }
  template <class T>
  void take(std::optional<T>& value) {
    if (number<bool>()) {
      take(value.emplace());
    } else {
      value.reset();
    }
  }

  std::string_view rest_;
  bool ok_ = true;
};

/// const T for a writer, T for a reader.
template <class Bytes, class T>
using Like = std::conditional_t<std::same_as<Bytes, ByteWriter>, const T, T>;

}  // namespace tv
