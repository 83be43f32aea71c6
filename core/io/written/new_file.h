// The one way to write a file. The file appears under its name only when it is complete. Until then its contents are in a partial
// file in the same folder, which is locked (flock). The partial file is removed on any error, or when the program is interrupted
// (unfinished.h). An existing file stays until it is replaced. A symbolic link is followed. A device or a pipe is written to and
// not replaced, as cp does.
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
    Anywhere,  ///< write_at() too; output to a pipe is collected in a temporary file until close()
  };
  enum class Content { Text, Binary };

  /// `mode`: file permissions before the umask.
  static Result<NewFile> create(const std::string& path, unsigned mode = 0666, Order order = Order::Appended);
  /// Output to a path given by a user; "-" is standard output. To a terminal, binary output is an error, and text loses its control
  /// sequences (printable.h).
  static Result<NewFile> output(const std::string& path, Content content, Order order = Order::Appended, unsigned mode = 0666);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  std::uint64_t size() const { return size_; }
  Result<void> append(std::string_view bytes);
  /// Overwrites bytes that were already appended.
  Result<void> write_at(std::uint64_t offset, std::string_view bytes);
  /// Ends writing; after it, only commit() may be called. For sets of files that are committed together.
  Result<void> close();
  /// Closes the file and moves it to its path.
  Result<void> commit();

 private:
  NewFile(std::string path, std::string target) : path_(std::move(path)), target_(std::move(target)) {}
  Result<void> into_stream(Order order);
  Result<void> copy_to_stream();
  Result<void> send(std::string_view bytes);

  int descriptor_ = -1;        // descriptor of the partial file, or of the temporary file
  int stream_ = -1;            // a device or pipe; without descriptor_ the data goes straight into it
  std::string path_, target_;  // the path as given, and the path that links lead to
  std::string part_;           // path of the partial file; empty if there is none
  Unfinished unfinished_;
  std::uint64_t size_ = 0;
  bool to_terminal_ = false;
  std::string line_;  // for a terminal: the unfinished last line, held back because append() can split a character
};

/// Writes all bytes of a file at once: write_whole(NewFile::create(path), bytes).
Result<void> write_whole(Result<NewFile> file, std::string_view bytes);

/// An error with a remedy if writing to `output` would destroy an input, even under another name. Missing files are ignored.
Result<void> check_not_input(const std::string& output, std::span<const std::string> inputs);

/// A partial file is named NAME.<process>-<number>.part.
inline constexpr std::string_view kPartSuffix = ".part";
/// Whether this is the name of a partial file.
bool is_part_name(std::string_view name);

}  // namespace tv
