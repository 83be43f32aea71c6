#include "core/view/words/request_label.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text/utf8.h"

namespace tv {
namespace {

// "1,234"
void put_thousands(fmt::memory_buffer& out, std::int32_t n) {
  if (n >= 1000) {
    put_thousands(out, n / 1000);
    fmt::format_to(std::back_inserter(out), ",{:03}", n % 1000);
  } else {
    fmt::format_to(std::back_inserter(out), "{}", n);
  }
}

}  // namespace

RequestLabel request_label(const Rollout& rollout, RequestIx request, std::size_t form) {
  constexpr std::size_t kLong = 8, kShort = 4;
  const std::string_view id = utf8_prefix(rollout.id(request), form + 1 < kRequestForms ? kLong : kShort);
  const std::int32_t turns = rollout.turns[request], tokens = rollout.tokens[request];
  fmt::memory_buffer out;  // allocates nothing up to 500 bytes
  const auto to = std::back_inserter(out);
  if (form <= 1) fmt::format_to(to, "req ");
  fmt::format_to(to, "{}", id);
  if (form == 1 && turns >= 0) fmt::format_to(to, " (t{})", turns);
  if (form == 0 && turns >= 0) fmt::format_to(to, " · {} {}", turns, turns == 1 ? "turn" : "turns");
  if (form == 0 && tokens >= 0) {
    fmt::format_to(to, " · ");
    put_thousands(out, tokens);
    fmt::format_to(to, " tokens");
  }
  RequestLabel label;
  label.size = std::min(out.size(), sizeof label.text);
  std::copy_n(out.data(), label.size, label.text);
  return label;
}

std::optional<RequestIx> request_of_bar(const Rollout& rollout, SliceId slice) {
  const auto at = std::ranges::lower_bound(rollout.by_slice, slice, {}, [](const auto& entry) { return entry.first; });
  if (at == rollout.by_slice.end() || at->first != slice || rollout.slice[at->second] != slice) return std::nullopt;
  return at->second;
}

std::optional<std::uint32_t> turn_at(const Rollout& rollout, RequestIx request, Ns t) {
  const auto turns = rollout.turns_of(request);
  for (std::uint32_t n = 0; n < turns.size(); ++n) {
    if (turns[n].engine_end < 0) return std::nullopt;
    if (t < turns[n].engine_end) return n;
  }
  return std::nullopt;
}

}  // namespace tv
