// Which parts of some memory a thread reads: finds work on the wrong thread, without a clock and in any function. Pages are
// removed, and given back one block at a time on access.
//
// Unit: blocks of 16 KiB, 2,048 numbers of 8 bytes. Only memory that is read, and whole pages of it. One at a time; Linux.
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
  /// Resets: no block is touched yet; the calling thread is watched.
  void begin();
  /// By that thread since begin(). Blocks that another thread has touched first do not count.
  std::size_t end();

 private:
  struct State;
  static State& state();
  static void listen();
};

}  // namespace tv::test
