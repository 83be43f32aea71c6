// Buffers for text on its way from a file to a parser, used again and again: fresh memory costs as much as inflating the text
// that is put into it.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace tv {

class TextBuffers {
 public:
  static TextBuffers& of_this_thread();
  TextBuffers();
  /// At least `bytes`, undefined. Comes back here when the last owner lets go of it, on any thread; it may outlive this.
  std::shared_ptr<char[]> take(std::size_t bytes);

 private:
  struct Buffer {
    std::shared_ptr<std::byte> memory;  // goes back to the system, not into a heap, when it goes
    std::size_t bytes = 0;
  };
  struct Spare {
    std::mutex mutex;
    std::vector<Buffer> buffers;
  };

  std::shared_ptr<Spare> spare_ = std::make_shared<Spare>();
};

}  // namespace tv
