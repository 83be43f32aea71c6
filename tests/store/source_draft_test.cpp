// A source while it is read: earlier snapshots of it stay unchanged.
#include "core/store/draft/source_draft.h"

#include <doctest/doctest.h>

using namespace tv;

namespace {

EventBatch batch_of(std::string_view name, std::string_view track, std::string_view key) {
  EventBatch batch;
  batch.instants.push_back({static_cast<std::uint32_t>(batch.tracks.intern(track)), batch.labels.intern("c", name), 5, 0});
  batch.keys.intern(key);
  return batch;
}

}  // namespace

TEST_CASE("source_draft: a view keeps the names of its batches, whatever is appended later") {
  SourceDraft draft(SourceInfo{});
  draft.append(batch_of("a", "main", "k"));
  const SourceView before = draft.view();
  draft.append(batch_of("b", "other", "k"));
  draft.append(batch_of("a", "main", "l"));
  const SourceView after = draft.take();

  REQUIRE(before.batches.size() == 1);
  CHECK(before.names->labels.size() == 1);
  CHECK(before.names->tracks.size() == 1);
  CHECK(before.names->key_count == 1);
  REQUIRE(after.batches.size() == 3);
  CHECK(after.names->key_count == 2);
  for (std::size_t b = 0; b < after.batches.size(); ++b) {
    const StoredBatch& stored = after.batches[b];
    const std::size_t name = b == 1 ? 1 : 0;
    CHECK(stored.ids->label == std::vector{id_at<LabelId>(name)});
    CHECK(stored.ids->track == std::vector{static_cast<std::uint32_t>(name)});
    CHECK(stored.ids->key == std::vector{static_cast<std::uint32_t>(b == 2 ? 1 : 0)});
    CHECK(after.names->labels.name(id_at<LabelId>(name)) == (b == 1 ? "b" : "a"));
    CHECK(stored.rest->labels.size() == 0);  // released
  }
  CHECK(draft.view().batches.empty());
  CHECK(draft.view().names->labels.size() == 0);
}

TEST_CASE("source_draft: a view keeps the collectives that its keys name, but not the keys") {
  const auto key = [](std::string_view number) { return told_key({"0", "[0, 1]", number}); };
  SourceDraft draft(SourceInfo{});
  draft.append(batch_of("a", "main", key("1")));
  const SourceView first = draft.view(), again = draft.view();
  draft.append(batch_of("b", "main", key("2")));
  draft.append(batch_of("a", "main", key("1")));
  const SourceView second = draft.view(), last = draft.take();
  CHECK(last.batches[0].ids->key == last.batches[2].ids->key);  // recognised

  StringTable keys;
  keys.intern(key("1"));
  const std::vector<std::uint64_t> of_one = told_collectives(keys);
  keys.intern(key("2"));
  for (const SourceView* view : {&first, &again, &second, &last}) {
    CHECK(view->names->keys.size() == 0);
    REQUIRE(view->told);
  }
  CHECK(*first.told == of_one);
  CHECK(*again.told == of_one);
  CHECK(*second.told == told_collectives(keys));
  CHECK(*last.told == told_collectives(keys));

  SourceDraft never_looked_at(SourceInfo{});
  never_looked_at.append(batch_of("a", "main", key("1")));
  const SourceView whole = never_looked_at.take();
  CHECK(!whole.told);
  CHECK(told_collectives(whole.names->keys) == of_one);
}
