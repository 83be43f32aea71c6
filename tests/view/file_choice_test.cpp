// The files that a dialog offers, and its texts.
#include <doctest/doctest.h>

#include "core/view/keys/file_choice.h"

using namespace tv;

TEST_CASE("file choice: the kind of a file is decided by its name, regardless of case") {
  const FileKind& traces = words_of(FilePurpose::OpenTraces).kind;
  for (const char* name : {"a.json", "A.JSON", "x.pt.trace.json.gz", "worker_1.jsonl", "workerlog.0", "report.nsys-rep", "跟踪.json"})
    CHECK_MESSAGE(matches_kind(traces, name), name);
  for (const char* name : {"a.jso", "notes.md", "json", "", "workerlog", "a.json.bak"}) CHECK_MESSAGE(!matches_kind(traces, name), name);
  CHECK(matches_kind(words_of(FilePurpose::SaveView).kind, "my view.tvview"));
  CHECK(!matches_kind(words_of(FilePurpose::SaveView).kind, "my view.json"));
  CHECK(with_ending(FilePurpose::SaveView, "/a/mine") == "/a/mine.tvview");
  CHECK(with_ending(FilePurpose::SaveView, "/a/mine.tvview") == "/a/mine.tvview");
  CHECK(with_ending(FilePurpose::OpenFolder, "/a/mine") == "/a/mine");
}

TEST_CASE("file choice: each purpose has its texts, and either opens or saves") {
  for (std::size_t i = 0; i < static_cast<std::size_t>(FilePurpose::kCount); ++i) {
    const FileWords& words = words_of(static_cast<FilePurpose>(i));
    CHECK(!words.title.empty());
    CHECK(words.saves == (words.button == "Save"));
    CHECK(!words.kind.patterns.empty());
    CHECK((!words.saves || !words.folders));
  }
}
