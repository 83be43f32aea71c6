// The names of a source, merged from those of its batches.
#include "core/store/draft/source_names.h"

#include <doctest/doctest.h>

using namespace tv;

TEST_CASE("source_names: ids are assigned in order of first use, across batches") {
  EventBatch a, b;
  a.labels.intern("cpu_op", "aten::mm");
  a.labels.intern("kernel", "gemm");
  a.tracks.intern("main");
  b.labels.intern("kernel", "relu");
  b.labels.intern("kernel", "gemm");
  b.labels.intern("", "gemm");
  b.tracks.intern("stream 7");
  b.tracks.intern("main");
  b.keys.intern("flow");

  SourceNames names;
  const BatchIds of_a = names.unite(a), of_b = names.unite(b);
  CHECK(of_a.track == std::vector<std::uint32_t>{0});
  CHECK(of_b.track == std::vector<std::uint32_t>{1, 0});
  CHECK(of_a.key.empty());
  CHECK(of_b.key == std::vector<std::uint32_t>{0});
  CHECK(of_a.label == std::vector{id_at<LabelId>(0), id_at<LabelId>(1)});
  CHECK(of_b.label == std::vector{id_at<LabelId>(2), id_at<LabelId>(1), id_at<LabelId>(3)});

  const SourceNames copy = names.copy();
  names.tracks.intern("later");
  REQUIRE(copy.labels.size() == 4);
  CHECK(copy.labels.category(id_at<LabelId>(1)) == "kernel");
  CHECK(copy.labels.name(id_at<LabelId>(2)) == "relu");
  CHECK(copy.labels.category(id_at<LabelId>(3)) == "");
  CHECK(copy.tracks.size() == 2);
  CHECK(copy.tracks[id_at<StrId>(1)] == "stream 7");
  CHECK(copy.key_count == 1);
}

TEST_CASE("label_table: a precomputed category finds the same labels") {
  LabelTable labels;
  const LabelId known = labels.intern("kernel", "gemm"), nul = labels.intern(std::string_view("ker\0nel", 7), "gemm");
  CHECK(labels.intern(LabelCategory("kernel"), "gemm") == known);
  CHECK(labels.intern(LabelCategory(std::string_view("ker\0nel", 7)), "gemm") == nul);
  CHECK(labels.intern(LabelCategory("ker"), "gemm") == nul);
  CHECK(labels.intern(LabelCategory(), "gemm") == labels.intern("", "gemm"));
  CHECK(labels.size() == 3);
}
