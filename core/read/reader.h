// What a file format consists of: how to recognise a file, how to read it, how to decode one of its records again later.
// A new format is one file with these functions and one line in registry.cpp (CONTRIBUTING.md, "A new format").
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/threads/thread_pool.h"
#include "core/io/streams/byte_stream.h"
#include "core/store/draft/arg_tree.h"
#include "core/store/draft/source_draft.h"

namespace tv {

/// The input of probes, which judge by content first, and by name only to break ties.
struct Probe {
  std::string_view path;
  std::string_view head;  ///< first 64 KiB of the text
};

struct ReadProgress {
  std::atomic<std::uint64_t> bytes = 0;        ///< consumed bytes of the file on disk
  std::atomic<std::uint64_t> handed_over = 0;  ///< those of them whose batches are in the draft, or are being appended
};

/// External programs that readers run, and where their output is kept.
struct ReadTools {
  std::string nsys;     ///< path or name of nsys; empty: the one in PATH
  std::string exports;  ///< folder for exports by nsys; empty: none
};

struct ReadContext {
  std::string path;
  std::string_view head;  ///< as passed to the probe
  ByteStream& stream;
  SourceDraft& draft;
  ThreadPool& pool;
  ReadProgress& progress;
  std::stop_token stop;
  std::size_t chunk_bytes = 1 << 20;
  ReadTools tools = {};
  /// Readers that know a file's process (rank, role) before they read the file call this, and stop if it returns false. Empty:
  /// all files are wanted.
  std::function<bool(const SourceInfo&)> wanted = {};
};

/// Records of a file that is not text, by the offsets of slices. Used by one thread at a time.
class RecordTable {
 public:
  virtual ~RecordTable() = default;
  virtual Result<ArgTree> at(std::uint64_t offset) = 0;
  /// Call before reading many records: at() then leaves out data that takes a pass over another table per record. It leaves out
  /// nothing else, since a search must find the values that the details of a record show.
  virtual void be_brief() {}
};

struct Reader {
  std::string_view id;     ///< stable, for --json
  std::string_view title;  ///< shown to users
  /// 0 = another format ... 100 = certain.
  int (*probe)(const Probe&);
  /// Appends batches and lanes to the draft until the end, a stop request or an error. Null: the format is recognised but cannot
  /// be read.
  Result<void> (*read)(ReadContext&);
  /// Length of the record that begins the text; nullopt if the text ends before the record does.
  std::optional<std::size_t> (*record_length)(std::string_view text);
  Result<ArgTree> (*decode)(std::string_view record);
  /// For files that are not text: replaces the two functions above, which then are null.
  Result<std::unique_ptr<RecordTable>> (*open_table)(const std::string& path) = nullptr;
  std::string_view remedy = {};  ///< for a format that is only recognised: what to do instead
  bool is_log = false;           ///< the files are logs, which may lack times or steps that other logs of the run have
};

}  // namespace tv
