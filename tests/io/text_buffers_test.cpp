#include "core/io/streams/text_buffers.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace tv;

TEST_CASE("text_buffers: a returned buffer is reused") {
  TextBuffers buffers;
  auto first = buffers.take(1000);
  std::memset(first.get(), 1, 1000);
  const char* const memory = first.get();
  auto second = buffers.take(1000);
  CHECK(second.get() != memory);
  first.reset();
  CHECK(buffers.take(500).get() == memory);
  CHECK(buffers.take(100'000).get() != memory);
}

TEST_CASE("text_buffers: a buffer outlives the TextBuffers it came from") {
  std::shared_ptr<char[]> buffer;
  {
    TextBuffers buffers;
    buffer = buffers.take(100);
  }
  std::memset(buffer.get(), 1, 100);
  CHECK(buffer[99] == 1);
}
