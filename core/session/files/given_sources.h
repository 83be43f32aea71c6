// Finds the sources at the given paths before any is read, and later records how the reading of each has ended.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/io/archives/archive_file.h"
#include "core/io/files/file_state.h"
#include "core/io/streams/byte_stream.h"
#include "core/read/reader.h"
#include "core/store/clock/clock_offset.h"
#include "core/store/draft/source_draft.h"
#include "core/store/draft/source_info.h"

namespace tv {

struct GivenSources {
  std::vector<SourceInfo> sources;  ///< those that cannot be opened are rejected
  std::vector<std::shared_ptr<const ArchiveFile>> archives;
  FilesByPath states;  ///< states of all files found, taken before any of them is read
};

/// `known`: states of files, as for find_files().
GivenSources given_sources(const std::vector<std::string>& paths, const ClockOffsets& clocks, const FilesByPath* known = nullptr);

struct KnownFile {
  std::string head;                ///< the first 64 KiB of its text; 1 MiB, if these do not identify the format
  const Reader* reader = nullptr;  ///< null: unknown format
};
/// Finds the reader of a file. Looks at up to 1 MiB, because a console log may begin with the settings of a job script.
Result<KnownFile> recognise(const std::string& path);

/// Rejects the file. The reason does not name the file, because its path is shown anyway.
void reject(SourceDraft& draft, const Error& error);

/// For a packed trace: records the damaged byte, if the error names one.
void note_damage(SourceDraft& draft, const Error& error);

/// Why the file cannot be read: some formats must be opened by path, and cannot be archive members or pipes. Empty: it can.
std::string needs_a_file(const std::string& path, std::string_view format);

/// False if reading again could give another result: there was a system error, damage, or a change during reading.
bool is_complete(const SourceInfo& info);

struct ReadEnd {
  Result<void> result;      ///< of the reader
  std::uint64_t items = 0;  ///< items that were read
  bool all = true;          ///< nothing was filtered out
  bool growing = false;     ///< the file is still being written, so growth or emptiness is not a problem
};
/// Records damage, read errors, a change of the file during reading, and a file without events. False: it is rejected, because
/// nothing of it can be shown.
bool note_end(SourceDraft& draft, const ByteStream& stream, const ReadEnd& end);

}  // namespace tv
