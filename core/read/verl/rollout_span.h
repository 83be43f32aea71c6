// From when to when a rollout log lasts, by its first and its last lines: of logs that are not chosen to be read, so
// that a training log is joined with the same rollouts whichever of them are shown. A log that several runs were
// appended to has the span of all. Times are in the file's clock. Cost: two reads of 64 KiB. Source: rollout
// logs (core/SOURCES.md).
#pragma once

#include <optional>
#include <string_view>

#include "core/base/time.h"
#include "core/io/streams/byte_stream.h"

namespace tv {

/// Of the worker's own phases, and of the first line. `last`: may begin within a line.
std::optional<TimeRange> rollout_span(std::string_view first, std::string_view last);
/// nullopt: it cannot be read from its end (compressed), or has no line with a time.
std::optional<TimeRange> rollout_span(const ByteStream& text);

}  // namespace tv
