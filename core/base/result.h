// Errors as values. An operation that can fail for a reason the user can act on returns Result<T>; the Error names the file, the
// byte and the remedy. Programming errors are asserts; exceptions of libraries are caught at the job boundary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tv {

struct Error {
  std::string message;                       ///< what went wrong, one sentence without a full stop
  std::string file;                          ///< path; empty if the error concerns no file
  std::optional<std::uint64_t> byte_offset;  ///< in the file; in a compressed file: in its inflated text
  std::string remedy;                        ///< what the user can do; empty if there is nothing
  bool of_system = false;                    ///< the system refused (permission, disk, memory); the contents may be fine

  /// "path: message at byte 12 (remedy)".
  std::string text() const { return file.empty() ? reason() : file + ": " + reason(); }
  /// text() without the path, for messages that already name the file.
  std::string reason() const {
    std::string out = message;
    if (byte_offset) out += " at byte " + std::to_string(*byte_offset);
    if (!remedy.empty()) out += " (" + remedy + ")";
    return out;
  }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }
  T* operator->() { return &value(); }
  T& operator*() { return value(); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace tv
