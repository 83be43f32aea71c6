// Opens the text of a source that was loaded earlier, in its file or in a packed trace. For a source without text, opens the
// database with its records.
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/io/streams/byte_stream.h"
#include "core/store/draft/source_info.h"

namespace tv {

/// An error if the text is no longer the one that was loaded. Checkpoints found while inflating are added to source.checkpoints,
/// so that go_to() is faster the next time.
Result<std::unique_ptr<ByteStream>> open_source_text(const SourceInfo& source);

/// The name of the section with a source's text in a packed trace.
std::string packed_text_name(std::size_t source);

}  // namespace tv
