// The sources that paths stand for, before any of them is read, and the report on each after reading.
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
  std::vector<SourceInfo> sources;  ///< includes those that cannot be opened, as rejected
  std::vector<std::shared_ptr<const ArchiveFile>> archives;
  FilesByPath states;  ///< states of all files found, taken before any of them is read
};

/// `known`: as for find_files().
GivenSources given_sources(const std::vector<std::string>& paths, const ClockOffsets& clocks, const FilesByPath* known = nullptr);

/// A file and its reader; null: unknown format. `head`: the first 64 KiB of its text, or more if those do not decide: a console log
/// may begin with the environment and settings of a job script.
struct KnownFile {
  std::string head;
  const Reader* reader = nullptr;
};
Result<KnownFile> recognise(const std::string& path);

/// Rejects the file. The reason does not name it: its path is shown anyway.
void reject(SourceDraft& draft, const Error& error);

/// For a packed trace: notes the damaged place, if damage is the reason.
void note_damage(SourceDraft& draft, const Error& error);

/// Why a reader cannot be used: it needs a file that it opens by path, and this is in an archive or a pipe. Otherwise empty.
std::string needs_a_file(const std::string& path, std::string_view format);

/// False if reading again could give another result although the file is the same: a system error, or a change during reading.
bool read_whole(const SourceInfo& info);

struct ReadEnd {
  Result<void> result;      ///< of the reader
  std::uint64_t items = 0;  ///< items that were read
  bool all = true;          ///< nothing was filtered out
  bool growing = false;     ///< it is still being written: growth or emptiness is not a problem
};
/// Notes damage, errors during reading, a change of the file meanwhile, and an empty file. False: nothing of it can be shown, and
/// it is rejected.
bool note_end(SourceDraft& draft, const ByteStream& stream, const ReadEnd& end);

}  // namespace tv
