// Files that grow until memory runs out.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/session/followed_files.h"

using namespace tv;
using namespace tv::test;

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("follow: when memory runs out, the view stays and is reported as old, and the next change is tried again") {
  const TempDir folder;
  const std::string whole = fixture_text("verl_console/plain.log") + "\n";
  const std::string path = folder.write("run/console.log", whole);
  folder.write("run/a.json", long_trace(200'000));
  LoadOptions options = that_follow();
  options.memory_limit = 64 << 20;
  FollowedFiles followed({folder.path("run")}, options);
  const auto shown = followed.session.snapshot();
  REQUIRE(shown->trace->slice_count > 0);
  REQUIRE(!followed.session.is_old());
  const auto check_old = [&] {
    CHECK(followed.session.snapshot() == shown);
    CHECK(followed.session.is_old());
    CHECK(followed.session.follow_troubled());
    CHECK(followed.session.follow_text().find("memory ran out: shown as of ") != std::string::npos);
  };
  // A line larger than the memory limit.
  folder.append("run/console.log", std::string(100 << 20, 'x') + "\n");
  followed.catch_up();
  check_old();
  // Nothing is retried while nothing changes, and a manual retry loses nothing.
  followed.catch_up();
  check_old();
  followed.session.reload();
  followed.catch_up();
  check_old();
  // Each change is tried, and shown if it fits.
  folder.write("run/b.json", long_trace(1000));
  followed.catch_up();
  check_old();
  folder.write("run/console.log", whole);
  followed.check_is_what_is_there();
  CHECK(!followed.session.is_old());
  CHECK(followed.session.follow_text().find("memory ran out") == std::string::npos);
}

TEST_CASE("follow: near the memory limit, the view is the old or the new one, never a partial one") {
  const TempDir folder;
  folder.write("run/a.json", long_trace(400'000));
  LoadOptions options = that_follow();
  options.memory_limit = 24 << 20;
  FollowedFiles followed({folder.path("run")}, options);
  std::uint64_t slices = followed.trace().slice_count;
  REQUIRE(slices > 0);
  bool was_old = false, was_new = false;
  for (std::size_t mb = 1; mb <= 12; ++mb) {
    CAPTURE(mb);
    folder.write("run/b.json", long_trace((mb % 4 + mb) * 1'000'000));
    followed.catch_up();
    CHECK(std::ranges::none_of(followed.trace().sources, [](const SourceInfo& each) { return each.state == SourceState::Part; }));
    (followed.session.is_old() ? was_old : was_new) = true;
    if (followed.session.is_old()) CHECK(followed.trace().slice_count == slices);
    slices = followed.trace().slice_count;
  }
  CHECK(was_old);
  CHECK(was_new);
}

TEST_SUITE_END();
