// Reusable buffers for text on its way from a file to a parser. New memory would cost as much as inflating the text into it.
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
  /// An uninitialised buffer of at least `bytes`. When its last owner releases it, on any thread, it can be taken again. It may
  /// outlive this object.
  std::shared_ptr<char[]> take(std::size_t bytes);

 private:
  struct Buffer {
    std::shared_ptr<std::byte> memory;  // when freed, it is returned to the system, not to a heap
    std::size_t bytes = 0;
  };
  struct Spare {
    std::mutex mutex;
    std::vector<Buffer> buffers;
  };

  std::shared_ptr<Spare> spare_ = std::make_shared<Spare>();
};

}  // namespace tv
