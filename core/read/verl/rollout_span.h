// Finds when a rollout log begins and ends, from its first and last lines. Used for logs that are not selected, so that a
// training log is joined with the same rollouts, whichever of them are shown. The span of a log with several appended runs covers
// all runs. Times are on the file's clock. Cost: reads 128 KiB. Source: rollout logs (core/SOURCES.md).
#pragma once

#include <optional>
#include <string_view>

#include "core/base/time.h"
#include "core/io/streams/byte_stream.h"

namespace tv {

/// The span of the worker's own phases and the first line. `first` may end within a line, and `last` may begin within one.
std::optional<TimeRange> rollout_span(std::string_view first, std::string_view last);
/// Nullopt if the text cannot be read from its end, because it is compressed, or if no line has a time.
std::optional<TimeRange> rollout_span(const ByteStream& text);

}  // namespace tv
