// The one way to write a file. It appears under its name only when it is complete. Until then it is a locked (flock) file next to
// it with a name of its own, which is removed on any error or when the program is interrupted (unfinished.h). An existing file
// stays until it is replaced. A symbolic link is followed. A device or a pipe is written to and not replaced, as cp does.
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
    Appended,  ///< append() only
    Anywhere,  ///< write_at() too; output to a pipe is kept in a temporary file until close()
  };
  enum class Content { Text, Binary };

  /// `mode`: file permissions before the umask.
  static Result<NewFile> create(const std::string& path, unsigned mode = 0666, Order order = Order::Appended);
  /// Output as a user names it; - is standard output. A terminal gets no binary data, and text without control sequences: see
  /// printable.h.
  static Result<NewFile> output(const std::string& path, Content content, Order order = Order::Appended, unsigned mode = 0666);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  std::uint64_t size() const { return size_; }
  Result<void> append(std::string_view bytes);
  /// Overwrites bytes that were already appended.
  Result<void> write_at(std::uint64_t offset, std::string_view bytes);
  /// Ends writing; only commit() is left. For sets of files that are committed together.
  Result<void> close();
  /// Moves it into place.
  Result<void> commit();

 private:
  NewFile(std::string path, std::string target) : path_(std::move(path)), target_(std::move(target)) {}
  Result<void> into_stream(Order order);
  Result<void> copy_to_stream();
  Result<void> send(std::string_view bytes);

  int descriptor_ = -1;        // descriptor of the partial file, or of the temporary file
  int stream_ = -1;            // a device or pipe; without descriptor_ the data goes straight into it
  std::string path_, target_;  // the path as given, and the path that links lead to
  std::string part_;
  Unfinished unfinished_;
  std::uint64_t size_ = 0;
  bool to_terminal_ = false;
  std::string line_;  // for a terminal: the line without an end, not sent yet, because append() can split a character
};

/// An error with a remedy if writing to `output` would destroy one of these, under this name or another. Missing files are ignored.
Result<void> check_not_input(const std::string& output, std::span<const std::string> inputs);

/// The name of a file that is not complete yet: NAME.<process>-<number>.part
inline constexpr std::string_view kPartSuffix = ".part";
/// Whether a file has such a name.
bool is_part_name(std::string_view name);

}  // namespace tv
