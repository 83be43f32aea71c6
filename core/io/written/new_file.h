// The one way to write a file. It appears under its name only when it is complete: until then it grows beside it, under a
// name of its own, locked (flock), and is removed on any error or when the program is interrupted (unfinished.h). What was there
// before stays until the moment it is replaced. A symbolic link is followed. A device or a pipe, which is not a regular file,
// is written into, as cp does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/written/unfinished.h"

namespace tv {

class NewFile {
 public:
  enum class Order {
    Appended,  ///< append() alone
    Anywhere,  ///< write_at() too: what goes into a pipe is kept in a temporary file until commit()
  };
  enum class Content { Text, Binary };

  /// `mode`: who may read and write it, before the umask.
  static Result<NewFile> create(const std::string& path, unsigned mode = 0666, Order order = Order::Appended);
  /// As a user names it: - is standard output. No binary data to a terminal, and of text no orders: see printable.h.
  static Result<NewFile> output(const std::string& path, Content content, Order order = Order::Appended, unsigned mode = 0666);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  std::uint64_t size() const { return size_; }
  Result<void> append(std::string_view bytes);
  /// Overwrites bytes that were already appended.
  Result<void> write_at(std::uint64_t offset, std::string_view bytes);
  /// Nothing more is written; commit() is left. For many files that wait for each other.
  Result<void> close();
  /// Puts it in its place.
  Result<void> commit();

 private:
  NewFile(std::string path, std::string target) : path_(std::move(path)), target_(std::move(target)) {}
  Result<void> into_stream(Order order);
  Result<void> copy_to_stream();
  Result<void> send(std::string_view bytes);

  int descriptor_ = -1;        // of the partial file, or of the temporary file
  int stream_ = -1;            // a device or pipe; without descriptor_ the data goes straight into it
  std::string path_, target_;  // as it was given, and where links lead to
  std::string part_;
  Unfinished unfinished_;
  std::uint64_t size_ = 0;
  bool to_terminal_ = false;
  std::string line_;  // the line that a terminal has received in part: a letter can come in two pieces
};

/// Writing to `output` would destroy one of these: it is the same file, under this name or another. Returns an error with a remedy.
/// Names of missing files are ignored.
Result<void> check_not_input(const std::string& output, std::span<const std::string> inputs);

/// The name of a file that is not complete yet: NAME.<process>-<number>.part
inline constexpr std::string_view kPartSuffix = ".part";
/// Whether a file is named like that.
bool is_part_name(std::string_view name);

}  // namespace tv
