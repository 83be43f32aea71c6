// What mutators that know a format share: dice, numbers at the edges of integer types, and libFuzzer's own changes for the rest.
// Both libFuzzer and standalone_main.cpp use the LLVMFuzzerCustomMutator of a target.
//
// Invariant: the same bytes and seed give the same change, so that a failure can be repeated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/support/gen_trace.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace tv::test {

/// The bytes as libFuzzer's generic mutations change them; at most `most` of them.
inline std::string changed_anyhow(std::string bytes, std::size_t most) {
  if (most == 0) return {};
  const std::size_t size = std::min(bytes.size(), most);
  bytes.resize(most);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, most));
  return bytes;
}

/// Puts a mutator's result where libFuzzer wants it.
inline std::size_t put_input(const std::string& made, std::uint8_t* data, std::size_t most) {
  const std::size_t size = std::min(made.size(), most);
  if (size > 0) std::memcpy(data, made.data(), size);
  return size;
}

inline std::size_t below(Random& dice, std::size_t limit) {
  return limit == 0 ? 0 : static_cast<std::size_t>(dice.next() % limit);
}

/// A number at the edge of an integer type or next to it; now and then any number.
inline std::uint64_t edge_number(Random& dice) {
  constexpr std::uint64_t kEdges[] = {0,
                                      1,
                                      2,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0x100,
                                      0x7fff,
                                      0x8000,
                                      0xffff,
                                      0x10000,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      0x100000000,
                                      1'000'000'000'000'000'000,
                                      0x3fffffffffffffff,
                                      0x7ffffffffffffffe,
                                      0x7fffffffffffffff,
                                      0x8000000000000000,
                                      0x8000000000000001,
                                      0xfffffffffffffffe,
                                      0xffffffffffffffff,
                                      0x7ff0000000000000,
                                      0xfff8000000000000,
                                      0x7fefffffffffffff};
  const std::uint64_t number = dice.one_of(kEdges);
  return dice.chance(0.1) ? dice.next() : number + below(dice, 3) - 1;
}

}  // namespace tv::test
