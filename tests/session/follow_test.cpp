// Files that grow while open: when they are read, the messages, and that the display finally matches the files.
#include <doctest/doctest.h>

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "core/session/follow/follow_pace.h"
#include "core/session/follow/follow_words.h"
#include "core/session/follow/following.h"
#include "tests/session/followed_files.h"
#include "tests/support/golden.h"
#include "tests/support/plain_user_linux.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;
namespace fs = std::filesystem;

namespace {

std::string console_log() { return fixture_text("verl_console/plain.log") + "\n"; }

// Puts a link that leads to itself in the place of a file or link. Not even root can read what is behind such a link. It happens
// in one step, since a follower could notice a moment at which nothing is there.
void lead_to_itself(const TempDir& folder, const std::string& path) {
  const std::string link = folder.path("link");
  fs::create_symlink(fs::path(path).filename(), link);
  fs::rename(link, path);
}

}  // namespace

TEST_CASE("follow pace: reading begins shortly after the last change, and at the latest after the longest wait") {
  FollowPace pace;
  CHECK(!pace.due_s());
  pace.changed(10);
  CHECK(*pace.due_s() == doctest::Approx(10 + FollowPace::kQuiet_s));
  pace.changed(10.1);
  CHECK(*pace.due_s() == doctest::Approx(10.1 + FollowPace::kQuiet_s));
  for (double t = 10.1; t < 11; t += 0.1) pace.changed(t);  // a file that is written all the time
  CHECK(*pace.due_s() == doctest::Approx(10 + FollowPace::kLongest_s));
  pace.settled();
  CHECK(!pace.due_s());
}

TEST_CASE("follow pace: loads never overlap, quick ones take at most a third of the time, and pauses are bounded") {
  FollowPace pace;
  pace.changed(1);
  pace.began(1.5);
  CHECK(pace.reading());
  CHECK(!pace.due_s());
  pace.changed(2);  // a change during the load
  CHECK(!pace.due_s());
  pace.ended(3.5);
  CHECK(*pace.due_s() == doctest::Approx(3.5 + FollowPace::kLongestPause_s));
  // A load on request includes all changes so far.
  pace.began(4);
  pace.ended(4.25);
  CHECK(!pace.due_s());
  pace.changed(10);
  CHECK(*pace.due_s() == doctest::Approx(10 + FollowPace::kQuiet_s));
  pace.began(20);
  pace.changed(20.1);
  pace.ended(20.2);
  CHECK(*pace.due_s() == doctest::Approx(20.2 + FollowPace::kPause * 0.2));
  // An hour of changes every 50 ms, with loads that take 200 ms.
  double reading_s = 0, began_s = 0;
  std::size_t loads = 0;
  for (int tick = 0; tick < 72'000; ++tick) {
    const double now_s = 30 + tick / 20.0;
    pace.changed(now_s);
    if (pace.reading() && now_s - began_s >= 0.2) {
      pace.ended(now_s);
      reading_s += now_s - began_s;
    }
    if (pace.due_s() && *pace.due_s() <= now_s) {
      pace.began(began_s = now_s);
      ++loads;
    }
  }
  CHECK(reading_s <= 3600 / 3);
  CHECK(loads > 4500);
}

TEST_CASE("follow words: the text gives the number of files, the age of the last change and what went wrong") {
  CHECK(follow_words({1, {}, {}}) == "Following 1 file, no change yet");
  CHECK(follow_words({3, 0.4, {}}) == "Following 3 files, last change now");
  CHECK(follow_words({3, 2.7, {}}) == "Following 3 files, last change 2 s ago");
  CHECK(follow_words({3, 47, {}}) == "Following 3 files, last change 40 s ago");
  CHECK(follow_words({1200, 150, "a was deleted"}) == "Following 1,200 files, last change 2 min ago; a was deleted");
  CHECK(follow_words({2, 3, {}, 47, "memory ran out"}) ==
        "Following 2 files, last change 3 s ago; memory ran out: shown as of 40 s ago");
  for (const double age : {0.0, 0.4, 2.7, 9.9, 47.0, 59.0, 150.0, 7000.0}) {
    CAPTURE(age);
    const double then = age + words_change_in_s(age);
    CHECK(then > age);
    CHECK(follow_words({1, then + 1e-6, {}}) != follow_words({1, age, {}}));
    CHECK(follow_words({1, then - 1e-3, {}}) == follow_words({1, age, {}}));
  }
  CHECK(trouble_words({{"/r/a.log", FileChange::Grown}, {"/r/b.log", FileChange::New}}) == "");
  CHECK(trouble_words({{"/r/a.log", FileChange::Truncated}, {"/r/b.log", FileChange::Replaced}, {"/r/c.log", FileChange::Gone}}) ==
        "a.log was truncated, b.log was replaced by another file, c.log was deleted");
  CHECK(trouble_words({{"/r/a.log", FileChange::Unreadable}}) == "a.log cannot be read any more");
  CHECK(trouble_words({{"/r/step_1/a", FileChange::Gone}, {"/r/step_2/a", FileChange::Gone}, {"/r/b", FileChange::Gone}}) ==
        "step_1/a was deleted, step_2/a was deleted, b was deleted");
  CHECK(trouble_words(std::vector<ChangedFile>(5, {"/r/a", FileChange::Gone})) ==
        "a was deleted, a was deleted, a was deleted, and 2 more files changed");
}

TEST_CASE("file changes: every difference is listed, except for closed files and growth of unknown files") {
  ReadStates read;
  read.files = {{"a", {5, 1, 1}}, {"b", {5, 1, 2}}, {"c", {5, 1, 3}}, {"d", {5, 1, 4}}, {"e", {5, 1, 5}}, {"f", {5, 1, 6}}, {"g", {5, 1, 7}}};
  read.closed = {"e"};
  read.unknown = {"f", "g"};
  CHECK(changes_since(read, read.files).empty());
  const FileStates::Files now = {{"a", {9, 2, 1}}, {"b", {4, 2, 2}}, {"c", {5, 1, 33}}, {"e", {9, 2, 5}}, {"f", {9, 2, 6}}, {"g", {1, 2, 7}}, {"h", {1, 1, 8}}};
  const std::vector<ChangedFile> expected = {{"a", FileChange::Grown}, {"b", FileChange::Truncated}, {"c", FileChange::Replaced},
                                             {"d", FileChange::Gone},  {"g", FileChange::Truncated}, {"h", FileChange::New}};
  CHECK(changes_since(read, now) == expected);
}

TEST_CASE("file changes: files that may not be read are told from those that are gone") {
  const TempDir folder;
  const std::string secret = folder.write("secret", "x"), plain = folder.write("plain", "x"), below = plain + "/below",
                    inner = folder.write("closed/inner", "x"), closed = folder.path("closed"), missing = folder.path("missing");
  fs::permissions(secret, fs::perms::none);
  fs::permissions(closed, fs::perms::none);
  using enum FileChange;
  std::vector<ChangedFile> changes = {{secret, Grown}, {secret, Replaced}, {closed, Grown}, {inner, Gone},
                                      {plain, Grown},  {below, Gone},      {missing, Gone}};
  as_plain_user([&] { note_unreadable(changes); });
  fs::permissions(closed, fs::perms::owner_all);  // so that it can be removed
  const std::vector<ChangedFile> expected = {{secret, Unreadable}, {secret, Replaced}, {closed, Unreadable}, {inner, Unreadable},
                                             {plain, Grown},       {below, Gone},      {missing, Gone}};
  CHECK(changes == expected);
}

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("follow: a rollout that grows in pieces, with partial lines and new steps, ends equal to one read at once") {
  const TempDir folder;
  const std::string text = fixture_text("verl_rollout/agent_loop/step_4/worker_0.jsonl");
  folder.write("run/step_4/worker_0.jsonl", "");
  FollowedFiles followed({folder.path("run")});
  const std::size_t third = text.size() / 3;
  for (std::size_t from = 0; from < text.size(); from += third) {
    folder.append("run/step_4/worker_0.jsonl", text.substr(from, third));
    followed.catch_up();
    for (const SourceInfo& source : followed.trace().sources) CHECK(source.problems.empty());
  }
  followed.check_is_what_is_there();
  REQUIRE(followed.trace().slice_count > 0);
  folder.write("run/step_1/worker_0.jsonl", fixture_text("verl_rollout/durations/step_1/worker_0.jsonl"));
  followed.check_is_what_is_there();
  CHECK(followed.trace().sources.size() == 2);
}

TEST_CASE("follow: a partial last line is held back, and read once the file is no longer followed") {
  const TempDir folder;
  const std::string text = console_log();
  const std::size_t end = text.rfind('\n', text.size() - 2) + 1, cut = end + (text.size() - end) / 2;
  const std::string log = folder.write("console.log", text.substr(0, cut));
  FollowedFiles followed({log});
  LoadOptions at_once;
  const auto without = load_snapshot({folder.write("whole/console.log", text.substr(0, end))}, test_pool(), at_once)->trace;
  CHECK(trace_text(followed.trace()) == trace_text(*without));
  followed.session.follow(false);
  wait_until([&] { return !followed.session.status().running(); });
  CHECK(first_difference(shown_text(*load_snapshot({log}, test_pool())->trace), shown_text(followed.trace())) == "");
  followed.session.follow(true);
  followed.catch_up();
  CHECK(trace_text(followed.trace()) == trace_text(*without));
  folder.append("console.log", text.substr(cut));
  followed.check_is_what_is_there();
}

TEST_CASE("follow: after logs and traces grow, appear, are truncated, replaced or deleted, the view matches them") {
  const TempDir folder;
  folder.write("run/console.log", console_log());
  folder.write("run/rank0.json", "[" + event("a", 1, 5) + "]");
  FollowedFiles followed({folder.path("run")});
  followed.check_is_what_is_there();
  folder.write("run/deep/er/rank1.json", "[" + event("b", 2, 5, 9) + "]");
  followed.check_is_what_is_there();
  folder.append("run/console.log", console_log());
  followed.check_is_what_is_there();
  CHECK(followed.session.take_trouble() == "");
  const std::string text = console_log();
  fs::resize_file(folder.path("run/console.log"), text.rfind('\n', text.size() / 2) + 1);
  followed.check_is_what_is_there();
  CHECK(followed.session.take_trouble() == "console.log was truncated");
  fs::rename(folder.write("new.json", "[" + event("c", 3, 5) + "," + event("d", 9, 5) + "]"), folder.path("run/rank0.json"));
  followed.check_is_what_is_there();
  CHECK(followed.session.take_trouble() == "rank0.json was replaced by another file");
  fs::remove(folder.path("run/deep/er/rank1.json"));
  followed.check_is_what_is_there();
  CHECK(followed.session.take_trouble() == "rank1.json was deleted");
  CHECK(followed.session.follow_text().ends_with("; rank1.json was deleted"));
}

TEST_CASE("follow: a trace that is being written shows its complete events, and its cut end is no problem") {
  const TempDir folder;
  const std::string begin = "{\"traceEvents\":[\n" + event("a", 1, 5) + ",\n" + event("b", 9, 5) + ",\n", rest = event("c", 20, 5);
  const std::string path = folder.write("rank0.json", begin + rest.substr(0, 20));
  const std::string other = folder.write("rank1.json", "[" + event("z", 3, 5, 8) + "]");
  FollowedFiles followed({path, other});
  CHECK(followed.trace().slice_count == 3);
  for (const SourceInfo& source : followed.trace().sources) CHECK(source.problems.count(ProblemKind::truncated_record) == 0);
  folder.append("rank0.json", rest.substr(20) + "]}\n");
  followed.check_is_what_is_there();
  CHECK(followed.trace().slice_count == 4);
}

TEST_CASE("follow: of independent files, only the new one is read") {
  const TempDir folder;
  const auto rank = [&](int pid) {
    std::string text = "[" + event("a", pid, 5) + "]";
    return text.replace(text.find("\"pid\":1"), 7, "\"pid\":" + std::to_string(pid));
  };
  for (int r = 0; r < 5; ++r) folder.write("run/rank" + std::to_string(r) + ".json", rank(1000 + r));
  FollowedFiles followed({folder.path("run")});
  REQUIRE(followed.trace().parts.size() == 5);
  const std::string six = rank(1005);
  // Renamed into place, so that it is complete at once: half a file would be read, and then read again.
  fs::rename(folder.write("six.json", six), folder.path("run/rank5.json"));
  followed.catch_up();
  CHECK(followed.trace().parts.size() == 6);
  CHECK(followed.session.status().bytes_total == six.size());
}

TEST_CASE("follow: a file that is rewritten or replaced with the same length and time is read again") {
  const TempDir folder;
  const std::string console = console_log();
  folder.write("run/train.log", console);
  folder.write("run/a.json", "[" + event("before", 1, 5) + "]");
  FollowedFiles followed({folder.path("run")});
  const auto with = [](std::string text, const std::string& old, const std::string& fresh) {
    REQUIRE(old.size() == fresh.size());
    for (std::size_t at = text.find(old); at != text.npos; at = text.find(old, at)) text.replace(at, old.size(), fresh);
    return text;
  };
  const auto as_old = [&](const std::string& path, const std::string& text, bool in_its_place) {
    const auto time = fs::last_write_time(folder.path(path));
    const std::string written = folder.write(in_its_place ? path + ".other" : path, text);
    fs::last_write_time(written, time);
    if (in_its_place) fs::rename(written, folder.path(path));
    REQUIRE(fs::last_write_time(folder.path(path)) == time);
  };
  const std::string step = "step:1 ";
  REQUIRE(console.find(step) != console.npos);
  for (const bool in_its_place : {false, true}) {
    CAPTURE(in_its_place);
    as_old("run/a.json", "[" + event(in_its_place ? "second" : "first.", 1, 5) + "]", in_its_place);
    as_old("run/train.log", with(console, step, in_its_place ? "step:8 " : "step:9 "), in_its_place);
    followed.check_is_what_is_there();
    const std::int64_t number = in_its_place ? 8 : 9;
    CHECK(std::ranges::any_of(followed.trace().metrics.steps, [&](const MetricStep& each) { return each.step == number; }));
  }
}

TEST_CASE("follow: nothing is read while nothing changes, nor when a file of unknown format grows") {
  const TempDir folder;
  folder.write("run/a.json", "[" + event("a", 1, 5) + "]");
  folder.write("run/checkpoint.pt", std::string(2 << 20, '\1'));
  FollowedFiles followed({folder.path("run")});
  const auto first = followed.session.snapshot();
  followed.catch_up();
  folder.append("run/checkpoint.pt", std::string(1 << 20, '\1'));
  followed.catch_up();
  followed.catch_up();
  CHECK(followed.session.snapshot() == first);
  folder.write("run/checkpoint.pt", "short");
  followed.catch_up();
  CHECK(followed.session.snapshot() != first);
}

TEST_CASE("follow: the view stays when all its files are deleted, and the deletion is reported") {
  const TempDir folder;
  const std::string path = folder.write("a.json", "[" + event("a", 1, 5) + "]");
  FollowedFiles followed({path});
  fs::remove(path);
  followed.catch_up();
  CHECK(followed.trace().slice_count == 1);
  CHECK(followed.session.take_trouble() == "a.json was deleted");
  folder.write("a.json", "[" + event("a", 1, 5) + "," + event("b", 9, 5) + "]");
  followed.check_is_what_is_there();
  CHECK(followed.trace().slice_count == 2);
}

TEST_CASE("follow: closing a file just after it changed begins no load, however far the change has been followed") {
  const TempDir folder;
  for (const char* const when : {"seen", "before it is seen", "read"}) {
    CAPTURE(when);
    const std::string path = folder.write("a.json", "[" + event("a", 1, 5) + "]");
    double now_s = 0;
    Session session(test_pool(), {}, that_follow());
    session.open({path});
    session.look_now();
    wait_until([&] {
      session.follow_up(now_s += 0.01);
      return session.up_to_date() && !session.status().running();
    });
    CHECK(session.snapshot()->trace->slice_count == 1);
    if (when != std::string("before it is seen")) {
      folder.write("a.json", "[" + event("a", 1, 5) + "," + event("b", 9, 5) + "]");
      session.look_now();
      wait_until([&] {
        session.follow_up(when == std::string("read") ? now_s += 0.01 : now_s);
        return !session.up_to_date() || session.snapshot()->trace->slice_count == 2;
      });
      if (when == std::string("read")) session.follow_up(now_s += 10);
    }
    fs::remove(path);
    session.close_files({path});
    const auto empty = session.snapshot();
    // There is nothing to read: no load begins, and it is soon up to date.
    session.look_now();
    wait_until([&] {
      session.follow_up(now_s += 1);
      REQUIRE(!session.status().running());
      return session.up_to_date();
    });
    for (int i = 0; i < 100; ++i) session.follow_up(now_s += 1);
    CHECK(session.snapshot() == empty);
    // It follows what is opened next.
    const std::string other = folder.write("b.json", "[" + event("c", 1, 5) + "]");
    session.open({other});
    session.look_now();
    wait_until([&] {
      session.follow_up(now_s += 0.01);
      return session.up_to_date() && !session.status().running();
    });
    CHECK(session.snapshot()->trace->slice_count == 1);
    fs::remove(other);
  }
}

TEST_CASE("follow: a load that ends without knowing its files begins no other, and the next change is read") {
  const TempDir folder;
  const std::string path = folder.write("a.json", "[" + event("a", 1, 5) + "]");
  Following following([] {});
  double now_s = 0;
  const auto settled = [&] {
    following.look_now();
    bool asked = false;
    wait_until([&] {
      asked = following.step(now_s += 0.01, false);
      return asked || following.up_to_date();
    });
    return !asked;
  };
  following.began({path});
  following.ended(now_s += 0.01, std::nullopt);
  CHECK(settled());
  for (int i = 0; i < 20; ++i) CHECK(!following.step(now_s += 1, false));
  folder.write("a.json", "[" + event("a", 1, 5) + "," + event("b", 9, 5) + "]");
  CHECK(!settled());
  following.began({});
  CHECK(!following.reading());
  CHECK(settled());
}

TEST_CASE("follow: pipes, cut traces and folders that come and go are listed as in a fresh load") {
  const TempDir folder;
  folder.write("run/a.json", "[" + event("a", 1, 5) + "]");
  FollowedFiles followed({folder.path("run")});
  std::mt19937_64 random(7);
  const std::string pipe = folder.path("run/pipe"), cut = folder.path("run/cut.tvx"), inner = folder.path("run/inner");
  const auto change = [&](std::size_t what) {
    std::error_code none;
    if (what == 0 && !fs::remove(pipe, none)) REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    if (what == 1 && !fs::remove(cut, none)) folder.write("run/cut.tvx", std::string("\x89TVX\r\n\x1a\n", 8) + std::string(random() % 200, '\0'));
    if (what == 2 && fs::remove_all(inner, none) == 0) folder.write("run/inner/b.json", "[" + event("b", 1, 5) + "]");
    if (what == 3 && !fs::remove(pipe, none)) folder.write("run/pipe", "[" + event("c", 1, 5, 9) + "]");
    if (what == 4) folder.write("run/x.tvx.123-4.part", std::string(random() % 100, 'x'));  // ours, left by a killed program
  };
  for (int step = 0; step < 25; ++step) {
    CAPTURE(step);
    change(random() % 5);
    if (random() % 3 == 0) change(random() % 5);
    followed.check_is_what_is_there(true);
    CHECK(std::ranges::none_of(followed.trace().sources, [](const SourceInfo& each) { return each.path.ends_with(".part"); }));
  }
}

TEST_CASE("follow: a file or folder that becomes unreadable is reported") {
  const TempDir folder;
  folder.write("there/a.json", "[" + event("a", 1, 5) + "]");
  folder.write("there/b.json", "[" + event("b", 1, 5, 9) + "]");
  const std::string run = folder.path("run"), file = run + "/a.json";
  fs::create_directory_symlink("there", run);
  FollowedFiles followed({run});
  CHECK(followed.trace().slice_count == 2);
  CHECK(followed.session.take_trouble() == "");
  lead_to_itself(folder, file);
  followed.catch_up();
  CHECK(followed.session.take_trouble() == "a.json cannot be read any more");
  CHECK(followed.trace().slice_count == 1);
  fs::remove(file);
  folder.write("there/a.json", "[" + event("a", 1, 5) + "]");
  followed.check_is_what_is_there();
  CHECK(followed.trace().slice_count == 2);
  lead_to_itself(folder, run);
  followed.catch_up();
  CHECK(followed.session.take_trouble() == "a.json cannot be read any more, b.json cannot be read any more");
  CHECK(followed.trace().slice_count == 2);  // what was read before
}

TEST_CASE("follow: a closed file is not read when it grows") {
  const TempDir folder;
  folder.write("run/a.json", "[" + event("a", 1, 5) + "]");
  const std::string closed = folder.write("run/b.json", "[" + event("b", 2, 5, 7) + "]");
  FollowedFiles followed({folder.path("run")});
  followed.session.close_files({closed});
  followed.catch_up();
  const auto before = followed.session.snapshot();
  CHECK(before->trace->slice_count == 1);
  folder.write("run/b.json", "[" + event("b", 2, 5, 7) + "," + event("c", 3, 5, 7) + "]");
  followed.catch_up();
  CHECK(followed.session.snapshot() == before);
}

TEST_SUITE_END();

