#include "core/session/files/given_sources.h"

#include <utility>

#include "core/base/text/path_parts.h"
#include "core/io/files/find_files.h"
#include "core/io/files/open_stream.h"
#include "core/io/streams/piped_file.h"
#include "core/io/streams/plain_file.h"
#include "core/read/registry.h"
#include "core/read/unknown_file.h"

namespace tv {
namespace {

// The folder of the file, if `nsys export --type parquetdir` made it, with one file per table. Otherwise empty.
std::string_view parquet_folder(std::string_view path) {
  constexpr std::string_view kEnding = ".parquetdir";
  const std::string_view folder = folder_of(path);
  return folder.ends_with(kEnding) ? folder : std::string_view();
}

// If PlainFile's damage message begins with this, a read has failed, and the data may be intact.
constexpr std::string_view kCannotRead = "cannot read: ";

Error error_in(std::string path, std::string message) { return {std::move(message), std::move(path), {}, {}}; }

// Call for a file of unknown format, because damage explains more than "unknown format" would.
Result<void> check_damage(const std::string& path, std::size_t bytes) {
  auto stream = open_stream(path);
  if (!stream) return stream.error();
  std::string text(bytes, '\0');
  if (auto n = read_fully(**stream, text); !n) return n.error();
  std::string damage = (*stream)->damage();
  if (damage.empty()) return {};
  return Error{std::move(damage), path, {}, "copy the file again"};
}

// Takes the identity from the recorded state, if there is one. Archive members and pipes need identity_of().
Result<FileIdentity> identity_in(const FilesByPath& states, const std::string& path) {
  const auto known = states.find(path);
  if (known == states.end() || known->second.pipe) return identity_of(path);
  return FileIdentity{known->second.bytes, known->second.modified_ns};
}

bool has_text(const SourceInfo& info) { return !info.by_row && info.database.empty(); }

}  // namespace

Result<KnownFile> recognise(const std::string& path) {
  constexpr std::size_t kProbedBytes = 64 << 10, kLongPreamble = 1 << 20;
  auto head = read_text_at(path, 0, kProbedBytes);
  if (!head) return head.error();
  KnownFile known{std::move(head.value()), nullptr};
  known.reader = choose_reader({path, known.head});
  if (known.reader) return known;
  if (known.head.size() < kProbedBytes) {
    if (auto whole = check_damage(path, kProbedBytes); !whole) return whole.error();
  }
  if (known.head.size() < kProbedBytes || !looks_like_text(known.head)) return known;
  if (auto more = read_text_at(path, 0, kLongPreamble)) known.head = std::move(more.value());
  known.reader = choose_reader({path, known.head});
  return known;
}

GivenSources given_sources(const std::vector<std::string>& paths, const ClockOffsets& clocks, const FilesByPath* known) {
  const auto has_reader = [](std::string_view path, std::string_view head) {
    return choose_reader({path, head.substr(0, 64 << 10)}) != nullptr || choose_reader({path, head}) != nullptr;
  };
  FoundFiles found = find_files(paths, has_reader, known);
  GivenSources out;
  out.archives = std::move(found.archives);
  const auto add = [&](const std::string& path) -> SourceInfo& {
    SourceInfo& info = out.sources.emplace_back();
    info.path = path;
    info.clock_offset = clock_offset_of(clocks, path);
    return info;
  };
  const auto add_rejected = [&](const Error& error) -> SourceInfo& {
    SourceInfo& info = add(error.file);
    info.state = SourceState::Rejected;
    info.reason = error.reason();
    info.refused = error.of_system;
    return info;
  };
  for (const Error& problem : found.problems) add_rejected(problem);
  for (const Error& archive : found.damaged) add_rejected(archive).problems.add_count(ProblemKind::truncated_archive, 1);
  std::string_view last_folder;
  for (const std::string& path : found.files) {
    const std::string_view folder = parquet_folder(path);
    if (!folder.empty()) {
      if (folder == std::exchange(last_folder, folder)) continue;
      add_rejected(error_in(std::string(folder),
                            "a Parquet export of Nsight Systems, which this version cannot read yet: export the report as a "
                            "database: nsys export --type sqlite -o X.sqlite X.nsys-rep"));
    } else if (const auto identity = identity_in(found.states, path)) {
      SourceInfo& info = add(path);
      info.bytes = identity.value().size;
      info.modified_ns = identity.value().modified_ns;
    } else {
      Error error = identity.error();
      error.file = path;
      add_rejected(error);
    }
  }
  out.states = std::move(found.states);
  return out;
}

void reject(SourceDraft& draft, const Error& error) {
  draft.edit_info([&](SourceInfo& info) {
    info.state = SourceState::Rejected;
    info.reason = error.file.empty() || error.file == info.path ? error.reason() : error.text();
    info.refused = error.of_system;
  });
}

void note_damage(SourceDraft& draft, const Error& error) {
  if (error.of_system || !error.byte_offset) return;
  draft.edit_info([&](SourceInfo& info) { info.problems.add(ProblemKind::damaged_part, *error.byte_offset, error.message); });
}

std::string needs_a_file(const std::string& path, std::string_view format) {
  if (format != "nsys_sqlite" && format != "nsys_report") return {};
  if (is_pipe(path)) return "this format cannot come through a pipe: save it to a file first";
  if (member_path(path)) return "this format cannot be read in an archive: unpack it and open the file";
  return {};
}

bool is_complete(const SourceInfo& info) {
  const auto none = [&](ProblemKind kind) { return info.problems.count(kind) == 0; };
  return !info.refused && none(ProblemKind::read_error) && none(ProblemKind::damaged_part) && none(ProblemKind::changed_meanwhile);
}

bool note_end(SourceDraft& draft, const ByteStream& stream, const ReadEnd& end) {
  const bool readable = end.result.ok() || (end.result.error().of_system && end.items > 0);
  EventBatch note;
  if (const std::string damage = stream.damage(); !damage.empty()) {
    const bool read_failed = damage.starts_with(kCannotRead);
    note.problems.add(read_failed ? ProblemKind::read_error : ProblemKind::truncated_archive, stream.consumed(), damage);
  }
  if (!end.result) {
    if (!readable) reject(draft, end.result.error());
    else note.problems.add(ProblemKind::read_error, stream.consumed(), end.result.error().reason());
  }
  const SourceInfo info = draft.info();
  const auto now = identity_of(info.path);
  const bool grew = end.growing && now && now.value().size >= info.bytes;
  if (has_text(info) && !grew && (!now || now.value() != FileIdentity{info.bytes, info.modified_ns})) {
    note.problems.add(ProblemKind::changed_meanwhile, 0, now ? "" : now.error().message);
  }
  if (readable && end.all && !end.growing && end.items == 0 && info.format == "chrome_json" && info.problems.lost() == 0 && note.problems.empty()) {
    note.problems.add(ProblemKind::no_events, 0, "");
  }
  if (!note.problems.empty()) draft.append(std::move(note));
  return readable;
}

}  // namespace tv
