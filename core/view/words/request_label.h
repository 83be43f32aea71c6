// The text on the bar of a request: its id, how many turns, how many tokens.
//
//     req a3f1c2d4 · 2 turns · 1,234 tokens        req a3f1c2d4 (t2)        a3f1c2d4        a3f1
//
// Cost: O(length of the text), no allocation: a frame may hold thousands.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/rollout/rollout.h"

namespace tv {

inline constexpr std::size_t kRequestForms = 4;

struct RequestLabel {
  char text[96];
  std::size_t size = 0;
  operator std::string_view() const { return {text, size}; }
};
/// `form` 0 is the longest; higher ones are shorter.
RequestLabel request_label(const Rollout& rollout, RequestIx request, std::size_t form);

/// The request that this slice represents; none for slices within requests.
std::optional<RequestIx> request_of_bar(const Rollout& rollout, SliceId slice);

/// The turn of the request at time `t`, from 0; none: the ends of its turns are not known, or `t` is after the last.
std::optional<std::uint32_t> turn_at(const Rollout& rollout, RequestIx request, Ns t);

}  // namespace tv
