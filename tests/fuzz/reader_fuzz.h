// Runs one reader on any bytes: it must end, keep the invariants, decode what it found, and give the same trace for any chunk size
// and number of threads.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/read/registry.h"
#include "core/store/trace/trace_builder.h"
#include "core/store/trace/trace_dump.h"
#include "tests/io/memory_stream.h"
#include "tests/support/golden.h"

namespace tv::test {

[[noreturn]] inline void fail(const char* what, std::string_view details = {}) {
  std::fprintf(stderr, "%s\n%.*s\n", what, static_cast<int>(details.size()), details.data());
  std::abort();
}

inline std::shared_ptr<const Trace> read_text(const Reader& reader, const std::string& path, const std::string& text,
                                              std::size_t chunk_bytes, ThreadPool& pool) {
  SourceInfo info;
  info.path = path;
  info.format = reader.id;
  info.bytes = text.size();
  SourceDraft draft(std::move(info));
  MemoryStream stream(text);
  ReadProgress progress;
  ReadContext context{path, std::string_view(text).substr(0, 64 << 10), stream, draft, pool, progress, {}, chunk_bytes};
  if (!reader.read(context).ok()) fail("reading text from memory failed");
  return build_trace({draft.view()}, pool);
}

inline std::string everything(const Trace& trace) {
  std::string text;
  dump_trace(trace, [&](std::string_view line) { text += line; });
  for (const ItemRef ref : trace.slices.ref) text += std::to_string(ref.offset()) + " " + std::to_string(ref.flags()) + "\n";
  for (const ProblemCount& problem : trace.sources.front().problems.entries()) {
    for (const ProblemExample& example : problem.examples) {
      text += std::to_string(example.byte_offset) + " " + example.excerpt + "\n";
    }
  }
  return text;
}

inline void check_reader(std::string_view id, const std::string& path, const std::string& text) {
  static ThreadPool one(1), seven(7);
  const Reader& reader = *find_reader(id);
  const auto trace = read_text(reader, path, text, 1 << 20, one);
  if (const std::string violation = check_invariants(*trace); !violation.empty()) fail("an invariant does not hold", violation);
  const std::string expected = everything(*trace);
  const std::string found = everything(*read_text(reader, path, text, 64, seven));
  if (expected != found) {
    fail("the trace depends on chunks or threads", first_difference(expected, found));
  }
  std::size_t decoded = 0;
  for (const ItemRef ref : trace->slices.ref) {
    if (ref.offset() >= text.size()) fail("a record behind the end of the text");
    if (++decoded > 100) break;
    const std::string_view rest = std::string_view(text).substr(ref.offset());
    const auto length = reader.record_length(rest);
    const auto tree = reader.decode(rest.substr(0, length.value_or(rest.size())));
    if (tree.ok() && tree.value().nodes.empty()) fail("a decoded record without a root");
  }
}

}  // namespace tv::test
