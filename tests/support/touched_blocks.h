// Which parts of some memory a thread reads: finds work on the wrong thread, without a clock and in any function. Pages are
// protected, and made readable again one block at a time on access.
//
// Unit: blocks of 16 KiB, 2,048 numbers of 8 bytes. Only for memory that is just read, in whole pages. One at a time; Linux only.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tv::test {

class TouchedBlocks {
 public:
  static constexpr std::size_t kBlock = 16 << 10;

  TouchedBlocks() = default;
  ~TouchedBlocks();
  TouchedBlocks(const TouchedBlocks&) = delete;
  TouchedBlocks& operator=(const TouchedBlocks&) = delete;

  void watch(std::span<const std::byte> memory);
  void forget_all();
  std::size_t watched() const;  ///< blocks
  /// Resets the count and watches the calling thread.
  void begin();
  /// Blocks touched by that thread since begin(). Blocks that another thread has touched first do not count.
  std::size_t end();

 private:
  struct State;
  static State& state();
  static void listen();
};

}  // namespace tv::test
