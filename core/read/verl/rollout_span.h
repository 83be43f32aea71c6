// Finds when a rollout log begins and ends, from its first and last lines. It is for logs that are not selected, so that a training
// log is joined with the same rollouts, whichever of them are shown. A log with several appended runs has the span of all of them.
// Times are in the file's clock. Cost: reads 128 KiB. Source: rollout logs (core/SOURCES.md).
#pragma once

#include <optional>
#include <string_view>

#include "core/base/time.h"
#include "core/io/streams/byte_stream.h"

namespace tv {

/// Covers the worker's own phases and the first line. `first` may end within a line, and `last` begin within one.
std::optional<TimeRange> rollout_span(std::string_view first, std::string_view last);
/// Nullopt: the text cannot be read from its end (it is compressed), or no line has a time.
std::optional<TimeRange> rollout_span(const ByteStream& text);

}  // namespace tv
