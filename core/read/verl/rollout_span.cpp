#include "core/read/verl/rollout_span.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/base/text/iso_time.h"
#include "core/read/verl/rollout_line.h"

namespace tv {
namespace {

class SpanOfLines {
 public:
  // Skips incomplete lines at the ends of the text, since they are not valid JSON.
  void add(std::string_view text) {
    RolloutLine line;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      line.clear();
      if (read_rollout_line(text.substr(0, end), line)) add(line);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  std::optional<TimeRange> span() const { return span_; }

 private:
  void add(const RolloutLine& line) {
    const std::optional<Ns> stamp = iso_time_ns(line.timestamp);
    if (!stamp || !is_time(*stamp)) return;
    double seconds = 0;
    const auto [end, wrong] =
        std::from_chars(line.duration.data(), line.duration.data() + line.duration.size(), seconds);
    const bool timed = !line.duration.empty() && wrong == std::errc() && seconds >= 0;
    // After the first line, only timed phases can extend the span: requests lie within the phases.
    if (span_ && (!timed || !line.request_id.empty())) return;
    const TimeRange range{*stamp - (timed ? to_ns(seconds) : 0), *stamp};
    if (span_)
      span_->include(range.begin, range.end);
    else
      span_ = range;
  }

  std::optional<TimeRange> span_;
};

}  // namespace

std::optional<TimeRange> rollout_span(std::string_view first, std::string_view last) {
  SpanOfLines lines;
  lines.add(first);
  lines.add(last);
  return lines.span();
}

std::optional<TimeRange> rollout_span(const ByteStream& text) {
  constexpr std::uint64_t kRead = 64 << 10;
  const std::uint64_t size = text.reach();
  if (size == 0) return std::nullopt;
  const auto piece = [&](std::uint64_t offset, std::uint64_t bytes) {
    std::string out(static_cast<std::size_t>(bytes), '\0');
    auto n = text.read_at(offset, out);
    out.resize(n ? *n : 0);
    return out;
  };
  if (size <= 2 * kRead) return rollout_span(piece(0, size), {});
  return rollout_span(piece(0, kRead), piece(size - kRead, kRead));
}

}  // namespace tv
