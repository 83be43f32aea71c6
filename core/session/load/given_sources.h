// The sources that paths stand for, before any of them is read, and the report on each when its reading is over.
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
  std::vector<SourceInfo> sources;  ///< rejected are those that cannot be looked at
  std::vector<std::shared_ptr<const ArchiveFile>> archives;
  FilesByPath states;  ///< of everything that was found, before any of it is read
};

/// `known`: as for find_files().
GivenSources given_sources(const std::vector<std::string>& paths, const ClockOffsets& clocks, const FilesByPath* known = nullptr);

/// A file and its reader; null: its format is unknown. `head`: the first 64 KiB of its text, or more if those of a long text did
/// not decide, as a console log may begin with a job script's environment and settings.
struct KnownFile {
  std::string head;
  const Reader* reader = nullptr;
};
Result<KnownFile> recognise(const std::string& path);

/// Rejects it, for a reason that names no file: its path is said anyway.
void reject(SourceDraft& draft, const Error& error);

/// For a packed trace: notes where it is damaged, if that is why.
void note_damage(SourceDraft& draft, const Error& error);

/// Why a reader cannot be asked: another program's file that is opened by its path and has none, in an archive or a pipe. Else
/// empty.
std::string needs_a_file(const std::string& path, std::string_view format);

/// False when it could be another the next time, though the file is the same: the machine refused, or it changed meanwhile.
bool read_whole(const SourceInfo& info);

struct ReadEnd {
  Result<void> result;      ///< of the reader
  std::uint64_t items = 0;  ///< that were read
  bool all = true;          ///< nothing was left out because it was not asked for
  bool growing = false;     ///< it is being written: that it grew meanwhile, or is still empty, is not a problem
};
/// Notes damage, errors of reading on the way, a file that changed meanwhile, and that there is nothing in it. False: nothing of
/// it can be shown, and it is rejected.
bool note_end(SourceDraft& draft, const ByteStream& stream, const ReadEnd& end);

}  // namespace tv
