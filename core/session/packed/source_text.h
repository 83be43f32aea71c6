// The text of a source that was loaded earlier, from its file or from a packed trace. For a source without text, the database
// with its records.
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/io/streams/byte_stream.h"
#include "core/store/draft/source_info.h"

namespace tv {

/// An error if it is no longer the text that was loaded. Checkpoints found while inflating are kept in source.checkpoints, so
/// that go_to() is faster the next time.
Result<std::unique_ptr<ByteStream>> open_source_text(const SourceInfo& source);

/// The name of a source's text in a packed trace.
std::string packed_text_name(std::size_t source);

}  // namespace tv
